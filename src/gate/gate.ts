import type { SqlEntityManager } from '@mikro-orm/sql';
import type { LabelDefinition } from '../entities/agent.entity.ts';
import type { Dialect } from '../entities/dialect.ts';
import type { Principal } from '../entities/principal.ts';
import type { Registry } from '../policy/registry.ts';
import type { Access } from './access.ts';
import type { Commits } from './commit.ts';
import type { Digests } from './digest.ts';
import type { Events } from './events.ts';
import type { Instruments } from './instruments.ts';
import type { Log } from './log.ts';
import type { Masking } from './masking.ts';
import type { Model } from './model.ts';
import type { Originals } from './originals.ts';
import type { PendingLimits, PendingPlaces } from './pending-places.ts';
import type { ServerLease } from './server-lease.ts';
import type { SessionNews } from './session-news.ts';
import type { SessionViews } from './session-view.ts';
import type { WaitingRoom } from './waiting-room.ts';

export type { Log } from './log.ts';

/** What a use case works with. Made per operation. */
export interface Gate {
  /** A new fork at each access: no read is answered from an old identity map, for a stale one lies. */
  readonly em: SqlEntityManager;
  /** How the database spells what others spell differently. */
  readonly dialect: Dialect;
  readonly events: Events;
  readonly now: () => Date;
  /** Who calls. */
  readonly principal: Principal;
  /** What they may do and see. */
  readonly access: Access;
  readonly registry: Registry;
  readonly views: SessionViews;
  readonly commits: Commits;
  readonly waiting: WaitingRoom;
  readonly lease: ServerLease;
  readonly sessionNews: SessionNews;
  readonly masking: Masking;
  readonly digests: Digests;
  readonly originals: Originals;
  readonly pending: PendingPlaces;
  /** Null: none is configured. */
  readonly model: Model | null;
  readonly settings: GateSettings;
  readonly instruments: Instruments;
  readonly log: Log;
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal;
  /** Aborted when the server shuts down. */
  readonly closing: AbortSignal;
  /** Does it without keeping the caller waiting. A failure is logged; a shutdown waits for it. */
  readonly later: (work: () => Promise<void>) => void;
}

export interface GateSettings {
  /** Where people reach the server, without a trailing slash: elicitation pages are below it. */
  readonly publicUrl: string;
  /** How long an ask outlives its last holding caller. */
  readonly graceSeconds: number;
  /** How long a server may be silent before what it holds counts as left. */
  readonly leaseSeconds: number;
  /** How often a waiting call reads its row though nobody woke it. */
  readonly rereadSeconds: number;
  /** How many calls may wait at once in this process; beyond, an ask is refused. */
  readonly waitingMax: number;
  /** Labels that every session knows; they count before an agent's own of the same key. */
  readonly labelDefinitions: readonly LabelDefinition[];
  readonly limits: PendingLimits;
}
