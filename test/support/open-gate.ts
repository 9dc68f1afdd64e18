import type { Orm } from '../../src/entities/backend.ts';
import { migrate } from '../../src/entities/migrate.ts';
import { openDatabase } from '../../src/entities/open-database.ts';
import { localUser, type Principal } from '../../src/entities/principal.ts';
import { createInMemoryEvents } from '../../src/events/in-memory.ts';
import { fullAccess, type Access } from '../../src/gate/access.ts';
import type { Events } from '../../src/gate/events.ts';
import type { Gate, GateSettings } from '../../src/gate/gate.ts';
import { openGatehouse, type Gatehouse } from '../../src/gate/gatehouse.ts';
import { createMasking, usualMasking, type MaskingSettings } from '../../src/gate/masking.ts';
import { createRefusalWatch } from '../../src/gate/refusal-watch.ts';
import type { Model } from '../../src/gate/model.ts';
import type { Handler } from '../../src/policy/handler.ts';
import { builtinRegistry, createRegistry } from '../../src/policy/registry.ts';
import { createLogBook, type LogBook } from './log-book.ts';
import { createDatabase } from './test-database.ts';

export interface TestGate {
  readonly orm: Orm;
  readonly house: Gatehouse;
  readonly events: Events;
  readonly log: LogBook;
  /** A gate of the local user, or of whom you say. */
  open(caller?: { principal?: Principal; access?: Access; signal?: AbortSignal }): Gate;
  /** Moves the clock, and leaves what is overdue then to the sweep that comes by itself. */
  skip(seconds: number): void;
  /** Moves the clock, and settles what is overdue then. */
  pass(seconds: number): Promise<void>;
  /** Closes the gatehouse and opens another on the same database, as a restart does. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export interface TestGateOptions {
  /** The URL of one that others use as well. Default: one of its own. */
  readonly database?: string;
  /** Beside the builtins. */
  readonly handlers?: readonly Handler[];
  /** Default: none is configured. */
  readonly model?: Model;
  readonly settings?: Partial<GateSettings>;
  readonly masking?: Partial<MaskingSettings>;
  /** Wraps the events that the gate publishes to. */
  readonly events?: (events: Events) => Events;
}

export const testSecretKey = 'a key that only the tests of one server know';

/** A real gate on a real database, with a clock that tests set. */
export async function openTestGate({ database, handlers = [], model, settings = {}, masking = {}, events: wrap = (events) => events }: TestGateOptions = {}): Promise<TestGate> {
  const own = database === undefined ? await createDatabase() : null;
  const orm = await openDatabase(database ?? own?.url ?? '', { warn: () => undefined });
  if (!own || own.url.startsWith('sqlite:')) await migrate(orm);
  let offset = 0;
  const now = () => new Date(Date.now() + offset);
  const events = wrap(createInMemoryEvents());
  const log = createLogBook();
  const registry = createRegistry([...builtinRegistry().list(), ...handlers]);
  const parts = {
    em: orm.em,
    events,
    now,
    registry,
    ...(model ? { model } : {}),
    log,
    masking: createMasking({ ...usualMasking, ...masking }),
    secretKey: testSecretKey,
    onLimitHit: createRefusalWatch({ log, now, record: () => undefined }).onLimitHit,
    settings: { publicUrl: 'http://127.0.0.1:4000', graceSeconds: 60, leaseSeconds: 15, rereadSeconds: 30, waitingMax: 10_000, labelDefinitions: [], limits: { pendingPerPrincipal: 10_000, pendingTotal: 50_000 }, ...settings },
  };
  let house = await openGatehouse(parts);

  return {
    orm,
    get house() {
      return house;
    },
    events,
    log,
    open: ({ principal = localUser, access = fullAccess(principal), signal = new AbortController().signal } = {}) => house.open({ principal, access, signal }),
    skip(seconds) {
      offset += seconds * 1000;
    },
    async pass(seconds) {
      offset += seconds * 1000;
      await house.sweep();
    },
    async restart() {
      await house.close();
      house = await openGatehouse(parts);
    },
    async close() {
      await house.close();
      await orm.close();
      await own?.remove();
    },
  };
}
