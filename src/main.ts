import { existsSync } from 'node:fs';
import { reservedUserIds } from './entities/principal.ts';
import { openEvents } from './events/open-events.ts';
import { isLoopback, type Config } from './config.ts';
import { backendOf } from './entities/backend-of.ts';
import type { Claim, Orm, Pool } from './entities/backend.ts';
import { isShared } from './entities/database-of.ts';
import { dialectOf } from './entities/dialect-of.ts';
import { DatabaseFault } from './entities/database-fault.ts';
import { appendCheckpoint, checkpointFileOf, readCheckpoints } from './entities/checkpoint-file.ts';
import { migrate, migrationStatus } from './entities/migrate.ts';
import { openDatabase } from './entities/open-database.ts';
import { knownSecretKeyOf, secretKeyOf } from './entities/secret-key.ts';
import { auditTrailOn, type AuditTrail } from './gate/audit-trail.ts';
import { acceptSecretKey, checkSecretKey } from './gate/check-secret-key.ts';
import { createSigner } from './gate/checkpoint.ts';
import { isAnyKey, openCredentials } from './gate/credentials.ts';
import { createAuditRecorder } from './gate/audit-recorder.ts';
import { createRefusalWatch } from './gate/refusal-watch.ts';
import { keyringOn, type Keyring } from './gate/keyring.ts';
import type { Events } from './gate/events.ts';
import { openGatehouse, type Gatehouse } from './gate/gatehouse.ts';
import { tellAll } from './gate/instruments.ts';
import { keepRemoving } from './gate/keep-removing.ts';
import { keepCheckpoints, type CheckpointParts, type Checkpoints } from './gate/keep-checkpoints.ts';
import { readServerLabelDefinitions } from './gate/label-definitions.ts';
import { createMasking, type MaskingSettings } from './gate/masking.ts';
import { syncServerPolicies } from './gate/sync-server-policies.ts';
import { createContext } from './graphql/context.ts';
import { schema } from './graphql/schema.ts';
import { authenticateBy } from './http/authenticate.ts';
import type { JsonWebTokens } from './http/json-web-tokens.ts';
import { listen } from './http/listen.ts';
import { createLog } from './http/log.ts';
import { serveHttp } from './http/server.ts';
import { builtins } from './policy/builtins/index.ts';
import type { Handler } from './policy/handler.ts';
import { createRegistry } from './policy/registry.ts';
import { createMetrics } from './telemetry/metrics.ts';
import type { Traces } from './telemetry/traces.ts';

export { migrate, migrationStatus } from './entities/migrate.ts';
export { openDatabase } from './entities/open-database.ts';
export type { AuditTrail } from './gate/audit-trail.ts';
export type { Keyring } from './gate/keyring.ts';
export { parseEvent } from './gate/parse-event.ts';

/** A server that anybody could use. The message is one line and says what to do. */
class AccessFault extends Error {
  override readonly name = 'AccessFault';
}

/** The database as it may be shown, and whether it would only be made by opening it. */
export async function lookAtDatabase(database: string): Promise<{ readonly shown: string; readonly isMissing: boolean }> {
  const backend = await backendOf(database);
  const file = backend.fileOf(database);
  return { shown: backend.shown(database), isMissing: file !== null && !existsSync(file) };
}

/** Makes the secret key that is configured, or in its file, that of the database. Needs a database that is up to date. Rejects with a `DatabaseFault`. */
export async function adoptSecretKey(orm: Orm, { database, secretKey }: Pick<Config, 'database' | 'secretKey'>): Promise<void> {
  await acceptSecretKey(orm.em.fork(), await secretKeyOf({ database, secretKey }));
}

/** The keys of a database, whether or not a server runs on it. Brings the database up to date. Rejects with a `DatabaseFault`. */
export async function openKeyring({ database, maskArguments }: { readonly database: string; readonly maskArguments: MaskingSettings }): Promise<Keyring & { close(): Promise<void> }> {
  const orm = await openDatabase(database);
  await migrate(orm);
  return { ...keyringOn(orm.em, { now: () => new Date(), masking: createMasking(maskArguments) }), close: () => orm.close() };
}

/** The audit log of a database, whether or not a server runs on it. Changes nothing. Rejects with a `DatabaseFault`. */
export async function openAuditTrail({ database, secretKey, auditCheckpoints }: Pick<Config, 'database' | 'secretKey' | 'auditCheckpoints'>): Promise<AuditTrail & { close(): Promise<void> }> {
  const { shown, isMissing } = await lookAtDatabase(database);
  if (isMissing) throw new DatabaseFault(`There is no ${shown}: give another file with --database sqlite:<file>`);
  const secret = await knownSecretKeyOf({ database, secretKey });
  if (secret === null) throw new DatabaseFault(`${shown} has no key file beside it, so no checkpoint can be checked: restore it, or give the secretKey of the server`);
  const checkpointFile = await checkpointFileOf(database, auditCheckpoints);
  const checkpoints = checkpointFile === null ? [] : await readCheckpoints(checkpointFile);
  const orm = await openDatabase(database);
  const pending = (await migrationStatus(orm)).find(({ executedAt }) => executedAt === null);
  if (pending) {
    await orm.close();
    throw new DatabaseFault(`${shown} is not up to date (it lacks ${pending.name}): run \`countersign migrate\` first`);
  }
  return { ...auditTrailOn(orm.em, { secret, checkpoints }), close: () => orm.close() };
}

export interface RunningServer {
  /** Where it answers, without a trailing slash; GraphQL is at `/graphql` below. */
  readonly url: string;
  /** What the server works with, for whoever runs it within his own program. */
  readonly gatehouse: Gatehouse;
  /** Answers every waiting call, closes every connection, then the database. None sees a reset, unless it takes longer than `shutdownSeconds`. */
  readonly close: () => Promise<void>;
}

/**
 * Composes all rooms and serves. The address is bound first, so that a second server by mistake touches no database; what comes in
 * before all is ready waits. Rejects with a `ListenFault` or a `DatabaseFault`.
 */
export async function startServer(config: Config): Promise<RunningServer> {
  const { llm, secretKey: givenKey, maskArguments, ...settings } = config;
  const masking = createMasking(maskArguments);
  const log = await createLog(config.logLevel, (line) => masking.text(line));
  const { host, port, limits } = settings;
  const registry = createRegistry([...builtins, ...(await handlersOf(settings.policyModules))]);
  const { enabled, file } = settings.trustedDocuments;
  const trusted = enabled ? await (await import('./http/read-trusted-documents.ts')).readTrustedDocuments(file) : null;
  const labelDefinitions = readServerLabelDefinitions(settings.labelDefinitions);
  const listener = await listen({ host, port, connectionsMax: limits.connections });
  const { url } = listener;
  const publicUrl = config.publicUrl ?? url;
  let claim: Claim | null = null;
  let pool: Pool | null = null;
  let events: Events | null = null;
  let tokens: JsonWebTokens | null = null;
  let traces: Traces | null = null;
  try {
    const backend = await backendOf(config.database);
    const shown = backend.shown(config.database);
    claim = await backend.claim(config.database);
    const orm = await openDatabase(config.database, { warn: (line) => log.warn({}, line), poolMax: config.databasePoolMax, poolMade: (made) => (pool = made) });
    const applied = await migrate(orm);
    const secretKey = await secretKeyOf({ database: config.database, secretKey: givenKey });
    if (!(await checkSecretKey(orm.em.fork(), secretKey))) throw new DatabaseFault(`${shown} was served with another secretKey: give that one to all of its servers; where it is lost, \`countersign migrate --accept-secret-key\` takes the new one`);
    if (!isLoopback(host) && !settings.oidc && !(await isAnyKey(orm.em.fork()))) {
      throw new AccessFault(`Others reach ${host}, and there are no keys, so whoever comes could approve: first create one with \`countersign keys create --role admin --name <name> --database ${shown}\`, or listen on 127.0.0.1`);
    }
    const now = () => new Date();
    const recorder = createAuditRecorder({ em: orm.em, log });
    const { onLimitHit: noteLimitHit, onSignInFailed } = createRefusalWatch({ log, now, record: recorder.record });
    const metrics = createMetrics();
    const onLimitHit: typeof noteLimitHit = (hit) => {
      metrics.limitHit(hit.limit);
      noteLimitHit(hit);
    };
    traces = config.tracesUrl === null ? null : (await import('./telemetry/traces.ts')).openTraces(config.tracesUrl);
    await syncServerPolicies({ em: orm.em.fork(), now, registry, log }, settings.serverPolicies);
    const connected = await openEvents(config, { log, onLag: (seconds) => metrics.eventLag(seconds) });
    events = connected;
    const gatehouse = await openGatehouse({
      em: orm.em,
      events: connected,
      now,
      registry,
      model: llm && (await import('./model/create-model.ts')).createModel({ settings: llm, log }),
      masking,
      secretKey,
      settings: { ...settings, publicUrl, labelDefinitions },
      instruments: tellAll([metrics.instruments, ...(traces ? [traces.instruments] : [])]),
      log,
      onLimitHit,
    });
    metrics.watch(() => ({ ...gatehouse.load, areEventsUp: connected.isConnected(), connections: pool && { used: pool.totalCount - pool.idleCount, waiting: pool.waitingCount } }));
    const credentials = openCredentials({ em: orm.em, now, allowSelfApproval: settings.allowSelfApproval, log });
    tokens = settings.oidc && (await import('./http/json-web-tokens.ts')).openJsonWebTokens({ settings: settings.oidc, now, allowSelfApproval: settings.allowSelfApproval, reservedUserIds, log });
    const retention = config.retentionDays === null ? null : keepRemoving({ em: orm.em, dialect: dialectOf(orm.em), days: config.retentionDays, now, log });
    const checkpoints = await checkpointsOf(config, secretKey, { em: orm.em, now, log });
    const http = serveHttp(listener, {
      schema,
      contextOf: (caller) => createContext({ ...caller, gatehouse, log }),
      authenticate: authenticateBy(credentials, tokens),
      health: {
        isDatabaseUp: async () => (await backend.ping(orm), true),
        areEventsUp: () => connected.isConnected(),
        isSweeping: () => gatehouse.isSweeping,
        schema: backend.migrations.at(-1)?.name ?? '',
      },
      metrics,
      log,
      onLimitHit,
      onSignInFailed,
      trusted,
      settings: { ...settings, publicUrl },
    });
    log.info({ url, database: shown, migrations: applied }, 'serving');
    let closed: Promise<void> | null = null;
    const close = async () => {
      log.info({}, 'shutting down');
      http.drain();
      await gatehouse.close();
      await http.close();
      await credentials.close();
      tokens?.close();
      await recorder.close();
      await retention?.close();
      await checkpoints?.close();
      await traces?.close().catch((error: unknown) => log.warn({ err: error }, 'the last traces could not be sent'));
      await connected.close();
      await orm.close();
      await claim?.release();
      log.info({}, 'shut down');
    };
    return { url, gatehouse, close: () => (closed ??= close()) };
  } catch (error) {
    listener.server.close();
    listener.server.closeAllConnections();
    await events?.close();
    await claim?.release();
    throw error;
  }
}

/** Null: nobody has said where, and the database has no file beside which they would be; of one in memory they would mean nothing. */
async function checkpointsOf({ database, auditCheckpoints }: Config, secretKey: string, parts: Omit<CheckpointParts, 'signer' | 'append'>): Promise<Checkpoints | null> {
  const file = await checkpointFileOf(database, auditCheckpoints);
  if (file === null) {
    if (isShared(database)) parts.log.warn({}, 'no checkpoints of the audit log are kept: give auditCheckpoints a file, so that it can be proven that nobody cut off or rewrote the log');
    return null;
  }
  return keepCheckpoints({ ...parts, signer: createSigner(secretKey), append: (line) => appendCheckpoint(file, line) });
}

/** What not every server uses is loaded by those only that do: each module that is not loaded makes the start faster. */
async function handlersOf(policyModules: readonly string[]): Promise<Handler[]> {
  if (policyModules.length === 0) return [];
  const { loadPolicyModules } = await import('./modules/load-policy-modules.ts');
  return loadPolicyModules(policyModules);
}
