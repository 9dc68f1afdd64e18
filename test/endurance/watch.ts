import { setTimeout } from 'node:timers/promises';
import { connect } from '../crash/connect.ts';
import { excuseOf, type World } from './ask-fleet.ts';
import { anyOf, type Name } from './fleet.ts';

export interface Subscription<Value> {
  readonly as: Name;
  readonly query: string;
  /** Asked at each connection anew. */
  readonly variables: () => Record<string, unknown>;
  /** How long a connection is kept at most, in milliseconds. */
  readonly staysFor: () => number;
  /** Called when a connection is let in. */
  readonly arrived: (connection: { readonly at: number }) => Arrival<Value>;
}

export interface Arrival<Value> {
  next(value: Value): void;
  /** Called once. */
  left(at: number): void;
}

/**
 * One subscription, which is taken up at any server again whenever its connection ends, by itself or by a disturbance. Resolves with
 * `until`.
 */
export async function subscribeAlways<Value>(world: World, subscription: Subscription<Value>, until: AbortSignal): Promise<void> {
  while (!until.aborted) {
    await stay(world, subscription, until);
    await setTimeout(100);
  }
}

async function stay<Value>({ fleet, ledger, random }: World, { as, query, variables, staysFor, arrived }: Subscription<Value>, until: AbortSignal): Promise<void> {
  const { promise: end, resolve } = Promise.withResolvers<null>();
  let isThere = true;
  const leave = () => resolve(null);
  const client = connect(anyOf(fleet, random).wsUrl, { token: fleet.tokens[as], retryAttempts: 0 });
  let arrival: Arrival<Value> | null = null;
  const failed = (error: unknown) => {
    if (!isThere) return;
    try {
      ledger.failed(`subscription: ${excuseOf(error)}`);
    } catch {
      ledger.broken.push(`a subscription ended with ${error instanceof Error ? error.message : JSON.stringify(error)}`);
    }
    leave();
  };
  client.on('connected', () => {
    if (isThere) arrival = arrived({ at: Date.now() }); // whoever was let in too late has gone
  });
  client.subscribe<Record<string, Value>>(
    { query, variables: variables() },
    {
      next({ data, errors }) {
        const value = Object.values(data ?? {})[0];
        if (value === undefined) failed(new Error(JSON.stringify(errors)));
        else if (isThere) arrival?.next(value); // what still comes while the connection is closed is shown to nobody
      },
      error: failed,
      complete: leave,
    },
  );
  until.addEventListener('abort', leave);
  const timer = globalThis.setTimeout(leave, staysFor());
  await end;
  isThere = false;
  clearTimeout(timer);
  until.removeEventListener('abort', leave);
  (arrival as Arrival<Value> | null)?.left(Date.now());
  client.terminate();
}
