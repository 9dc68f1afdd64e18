import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/sqlite';
import { entities } from '../../src/entities/index.ts';
import { sqliteMigrations } from '../../src/entities/migrations/sqlite/index.ts';
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

export interface TestGate {
  readonly orm: Awaited<ReturnType<typeof openDatabase>>;
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
  /** Default: in memory. */
  readonly file?: string;
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

/** A connection of its own. */
export function openDatabase(file: string) {
  return MikroORM.init({ dbName: file, entities, extensions: [Migrator], migrations: { migrationsList: sqliteMigrations, snapshot: false }, logger: () => undefined });
}

/** A real gate on real SQLite, with a clock that tests set. */
export async function openTestGate({ file = ':memory:', handlers = [], model, settings = {}, masking = {}, events: wrap = (events) => events }: TestGateOptions = {}): Promise<TestGate> {
  const orm = await openDatabase(file);
  await orm.migrator.up();
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
    settings: { publicUrl: 'http://127.0.0.1:4000', graceSeconds: 60, rereadSeconds: 30, waitingMax: 10_000, labelDefinitions: [], limits: { pendingPerPrincipal: 10_000, pendingTotal: 50_000 }, ...settings },
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
    },
  };
}
