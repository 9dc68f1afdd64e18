import type { Access } from '../gate/access.ts';
import type { Gate, Log } from '../gate/gate.ts';
import type { Gatehouse } from '../gate/gatehouse.ts';
import type { Principal } from '../entities/principal.ts';
import { createLoaders, type Loaders } from './loaders.ts';

/** What a credential is used for is counted apart: a flood of calls leaves decisions alone. */
export type RateBucket = 'calls' | 'decisions';

/**
 * What resolvers work with. A server makes one per operation. Methods, not getters: servers copy contexts field by field,
 * and a copied getter would freeze what must be renewed.
 */
export interface GraphQLContext {
  /** Who calls; from the credential. */
  readonly principal: Principal;
  /** What they may do and see. */
  readonly access: Access;
  readonly log: Log;
  /** Counts one use of the caller's credential. 0: it may be; else in how many seconds it may be again. */
  readonly rate: (bucket: RateBucket) => Promise<number>;
  /** Resolves when the caller may have the next piece of work done. At once, unless many want some at the same moment. */
  readonly turn: () => Promise<void>;
  /** Aborted when the caller has gone, or is not let in any more. */
  readonly signal: AbortSignal;
  /** The gate that fields read through: opened when first asked for, the same until `openGate` or `forget`. */
  gate(): Gate;
  /** Batched reads by id, as long-lived as `gate()`. */
  loaders(): Loaders;
  /** A fresh gate, for one mutation or one watcher; what fields read afterwards is read anew, too. */
  openGate(): Gate;
  /** Drops what was read: the next field reads the database, not a memory of it. For each event of a subscription. */
  forget(): void;
}

export interface ContextInput {
  readonly gatehouse: Pick<Gatehouse, 'open'>;
  readonly principal: Principal;
  readonly access: Access;
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly rate: GraphQLContext['rate'];
  readonly turn: GraphQLContext['turn'];
}

export function createContext({ gatehouse, principal, access, signal: gone, log, rate, turn }: ContextInput): GraphQLContext {
  const signal = AbortSignal.any([gone, access.ended]);
  const open = () => gatehouse.open({ principal, access, signal });
  let gate: Gate | null = null;
  let loaders: Loaders | null = null;
  const forget = () => {
    gate = null;
    loaders = null;
  };
  const current = () => (gate ??= open());

  return {
    principal,
    access,
    log,
    rate,
    turn,
    signal,
    gate: current,
    loaders: () => (loaders ??= createLoaders(current())),
    openGate: () => {
      forget();
      return open();
    },
    forget,
  };
}
