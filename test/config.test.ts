import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigFault, configOf, loadConfig, shownConfig, type ConfigSources } from '../src/config.ts';
import { secretShapes } from '../src/gate/secret-shapes.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'countersign-config-'));
});
afterEach(() => rm(directory, { recursive: true }));

function load(sources: ConfigSources = {}) {
  return loadConfig({ env: {}, directory, ...sources });
}

async function file(name: string, text: string): Promise<void> {
  await writeFile(path.join(directory, name), text);
}

describe('the configuration', () => {
  it('has defaults for everything', async () => {
    expect(await load()).toEqual({
      host: '127.0.0.1',
      port: 4000,
      database: 'sqlite:countersign.db',
      databasePoolMax: 10,
      redisUrl: null,
      publicUrl: null,
      logLevel: 'info',
      graphiql: true,
      introspection: true,
      allowedOrigins: [],
      graceSeconds: 60,
      leaseSeconds: 15,
      allowSelfApproval: false,
      rereadSeconds: 30,
      waitingMax: 20_000,
      retentionDays: null,
      shutdownSeconds: 10,
      policyModules: [],
      serverPolicies: [],
      labelDefinitions: [],
      secretKey: null,
      auditCheckpoints: null,
      maskArguments: { enabled: true, keys: [], exceptKeys: [], shapes: [...secretShapes] },
      oidc: null,
      llm: null,
      tracesUrl: null,
      keepAlive: { headersAfterSeconds: 10, blankEverySeconds: 15, pingEverySeconds: 12 },
      trustedDocuments: { enabled: false, file: null },
      limits: {
        bodyBytes: 10_485_760,
        documentDepth: 16,
        documentTokens: 4000,
        documentAliases: 100,
        documentComplexity: 50_000,
        callsPerMinute: 600_000,
        decisionsPerMinute: 60_000,
        failedLoginsPerAddress: 100,
        failedLoginsWindowSeconds: 300,
        subscriptionsPerConnection: 100,
        subscriptionsPerCredential: 5000,
        callsPerConnection: 10_000,
        pendingPerPrincipal: 10_000,
        pendingTotal: 50_000,
        connections: 25_000,
      },
    });
    expect(configOf()).toEqual(await load());
  });

  it.each([
    ['countersign.config.json', '{ "port": 1, "keepAlive": { "pingEverySeconds": 0.5 } }'],
    ['countersign.config.js', 'export default { port: 1, keepAlive: { pingEverySeconds: 0.5 } };'],
    ['countersign.config.ts', 'const port: number = 1;\nexport default { port, keepAlive: { pingEverySeconds: 0.5 } };'],
  ])('is read from %s, one key at a time', async (name, text) => {
    await file(name, text);
    const config = await load();
    expect(config.port).toBe(1);
    expect(config.keepAlive).toEqual({ headersAfterSeconds: 10, blankEverySeconds: 15, pingEverySeconds: 0.5 });
  });

  it('is read from the file that is named instead', async () => {
    await file('countersign.config.json', '{ "port": 1 }');
    await file('other.json', '{ "port": 2 }');
    expect((await load({ file: 'other.json' })).port).toBe(2);
    expect((await load({ file: path.join(directory, 'other.json') })).port).toBe(2);
  });

  it('lets variables win over the file, and flags over variables', async () => {
    await file('countersign.config.json', '{ "port": 1, "database": "sqlite:file.db", "graceSeconds": 1 }');
    const config = await load({ env: { COUNTERSIGN_PORT: '2', COUNTERSIGN_DATABASE: 'sqlite:variable.db' }, flags: { port: '3' } });
    expect(config).toMatchObject({ port: 3, database: 'sqlite:variable.db', graceSeconds: 1 });
  });

  it('reads every kind of variable', async () => {
    const env = {
      COUNTERSIGN_GRAPHIQL: 'false',
      COUNTERSIGN_LOG_LEVEL: 'debug',
      COUNTERSIGN_ALLOWED_ORIGINS: 'https://a.example, http://b.example:81',
      COUNTERSIGN_KEEP_ALIVE_HEADERS_AFTER_SECONDS: '0.25',
      COUNTERSIGN_LIMITS_BODY_BYTES: '1000',
      COUNTERSIGN_PUBLIC_URL: 'https://gate.example/base//',
      COUNTERSIGN_HOST: '',
    };
    expect(await load({ env })).toMatchObject({
      graphiql: false,
      logLevel: 'debug',
      allowedOrigins: ['https://a.example', 'http://b.example:81'],
      keepAlive: { headersAfterSeconds: 0.25 },
      limits: { bodyBytes: 1000 },
      publicUrl: 'https://gate.example/base',
      host: '127.0.0.1',
    });
  });

  it('says where its policy modules are: seen from the file that names them, or from the working directory', async () => {
    await mkdir(path.join(directory, 'settings/node_modules/rules'), { recursive: true });
    await file('settings/node_modules/rules/index.js', '');
    await file('settings/here.ts', '');
    await file('settings/all.json', '{ "policyModules": ["here.ts", "./gone.ts", "../up.ts", "rules", "no-such-package"] }');
    const at = (name: string) => path.join(directory, name);
    const found = [at('settings/here.ts'), at('settings/gone.ts'), at('up.ts'), at('settings/node_modules/rules/index.js'), 'no-such-package'];
    expect((await load({ file: 'settings/all.json' })).policyModules).toEqual(found);
    expect((await load({ file: 'settings/all.json', env: { COUNTERSIGN_POLICY_MODULES: './a.ts, settings/here.ts' } })).policyModules).toEqual([at('a.ts'), at('settings/here.ts')]);
    expect(configOf({ policyModules: ['./a.ts'] }).policyModules).toEqual([path.resolve('a.ts')]);
  });

  it('has a model where one is named, with a key from a variable', async () => {
    await file('countersign.config.json', '{ "llm": { "baseUrl": "http://127.0.0.1:11434/v1/", "model": "qwen3", "fallbacks": ["other", { "model": "far", "baseUrl": "https://far.example/v1" }] } }');
    expect((await load({ env: { COUNTERSIGN_LLM_API_KEY: 'sk-1', COUNTERSIGN_LLM_TIMEOUT_SECONDS: '3' } })).llm).toEqual({
      baseUrl: 'http://127.0.0.1:11434/v1',
      model: 'qwen3',
      apiKey: 'sk-1',
      timeoutSeconds: 3,
      fallbacks: ['other', { model: 'far', baseUrl: 'https://far.example/v1', apiKey: null }],
    });
    expect((await load({ env: { COUNTERSIGN_LLM_FALLBACKS: 'a, b' } })).llm?.fallbacks).toEqual(['a', 'b']);
  });

  it('is shown without its secrets', () => {
    const llm = { baseUrl: 'http://127.0.0.1:1/v1', model: 'm', apiKey: 'sk-1', fallbacks: [{ model: 'n', apiKey: 'sk-2' }, { model: 'o' }] };
    const shown = shownConfig(configOf({ llm }));
    expect(shown).toMatchObject({ port: 4000, llm: { model: 'm', apiKey: '********', fallbacks: [{ apiKey: '********' }, { apiKey: null }] } });
    expect(JSON.stringify(shown)).not.toContain('sk-');
    expect(configOf({ llm }).llm?.apiKey).toBe('sk-1');
  });

  it('leaves variables of clients and of others alone', async () => {
    expect(await load({ env: { COUNTERSIGN_URL: 'http://localhost:4000/graphql', COUNTERSIGN_TOKEN: 'x', PATH: '/bin' } })).toEqual(configOf());
  });

  it('shows where Redis is without the password', () => {
    expect(shownConfig(configOf({ redisUrl: 'redis://:s%40cret@cache.example:6380/2' }))).toMatchObject({ redisUrl: 'redis://:********@cache.example:6380/2' });
  });

  it('shows the database without its password', () => {
    const shown = (database: string) => (shownConfig(configOf({ database })) as { database: string }).database;
    expect(shown('postgres://ann:p%40ss@db.example:6432/c?sslmode=require')).toBe('postgres://ann:********@db.example:6432/c?sslmode=require');
    expect(shown('postgres://ann@db.example/c')).toBe('postgres://ann@db.example/c');
    expect(shown('sqlite:a:b@c.db')).toBe('sqlite:a:b@c.db');
  });

  it.each(['127.0.0.1', '127.0.0.2', 'localhost', '::1'])('listens on %s', async (host) => {
    expect((await load({ flags: { host } })).host).toBe(host);
  });
});

describe('a configuration that cannot be used is refused with one line that says where and what would be right', () => {
  it.each<[string, ConfigSources, string]>([
    ['an unknown variable', { env: { COUNTERSIGN_PROT: '1' } }, 'There is no variable COUNTERSIGN_PROT. Nearest: COUNTERSIGN_PORT, COUNTERSIGN_HOST, COUNTERSIGN_GRAPHIQL'],
    ['a number that is none', { env: { COUNTERSIGN_PORT: 'x' } }, 'COUNTERSIGN_PORT: port must be a number'],
    ['a port too high', { flags: { port: '70000' } }, '--port: port must be at most 65,535'],
    ['a truth that is none', { env: { COUNTERSIGN_GRAPHIQL: 'yes' } }, 'COUNTERSIGN_GRAPHIQL: graphiql must be true or false'],
    ['another database', { env: { COUNTERSIGN_DATABASE: 'mysql://x' } }, 'COUNTERSIGN_DATABASE: database must be sqlite:<file>, e.g. sqlite:countersign.db, or postgres://<user>:<password>@<host>:<port>/<database>'],
    ['a database whose password breaks the URL', { env: { COUNTERSIGN_DATABASE: 'postgres://u:p/w@db.example/c' } }, 'COUNTERSIGN_DATABASE: database must be a URL: write the special characters of user and password percent-encoded, e.g. %40 for @'],
    ['another kind of Redis', { env: { COUNTERSIGN_REDIS_URL: 'http://cache.example' } }, 'COUNTERSIGN_REDIS_URL: redisUrl must be redis://<user>:<password>@<host>:<port>/<number>, or rediss:// for TLS'],
    ['a password where it would be shown', { env: { COUNTERSIGN_DATABASE: 'postgres://db.example/c?password=p' } }, 'COUNTERSIGN_DATABASE: database must have the password before the @, where it is never shown, or in PGPASSWORD'],
    ['an origin with a path', { env: { COUNTERSIGN_ALLOWED_ORIGINS: 'https://a.example/x' } }, 'COUNTERSIGN_ALLOWED_ORIGINS: allowedOrigins.0 must be an origin, e.g. https://console.example.com'],
    ['a model without an endpoint', { env: { COUNTERSIGN_LLM_MODEL: 'm' } }, 'llm.baseUrl must be an http or https URL'],
    ['an endpoint with its key in the URL', { env: { COUNTERSIGN_LLM_MODEL: 'm', COUNTERSIGN_LLM_BASE_URL: 'https://u:p@a.example' } }, 'COUNTERSIGN_LLM_BASE_URL: llm.baseUrl must have no user, password, query or fragment: give the key as apiKey'],
    ['a key with a line break', { env: { COUNTERSIGN_LLM_MODEL: 'm', COUNTERSIGN_LLM_BASE_URL: 'https://a.example', COUNTERSIGN_LLM_API_KEY: 'sk\n' } }, 'COUNTERSIGN_LLM_API_KEY: llm.apiKey must be letters, digits and signs of ASCII, without blanks'],
    ['a file that is not there', { file: 'nope.json' }, 'There is no configuration file nope.json'],
    ['two faults', { env: { COUNTERSIGN_PORT: '-1', COUNTERSIGN_WAITING_MAX: '0' } }, 'COUNTERSIGN_PORT: port must be at least 0; COUNTERSIGN_WAITING_MAX: waitingMax must be above 0'],
  ])('%s', async (_, sources, message) => {
    await expect(load(sources)).rejects.toThrow(new ConfigFault(message));
  });

  it.each([
    ['an unknown key', 'countersign.config.json', '{ "prot": 1 }', 'countersign.config.json: prot is no key of the configuration. Nearest: port, host, maskArguments.keys'],
    ['an unknown nested key', 'countersign.config.json', '{ "limits": { "bodyByte": 1 } }', 'countersign.config.json: limits.bodyByte is no key of the configuration. Nearest: limits.bodyBytes, host, port'],
    ['no JSON', 'countersign.config.json', '{ port: 1 }', expect.stringMatching(/^countersign\.config\.json cannot be read: Expected property name .*$/)],
    ['no object', 'countersign.config.json', '[]', 'countersign.config.json must hold an object, e.g. { port: 4000 }'],
    ['nothing exported', 'countersign.config.ts', 'export const port = 1;', 'countersign.config.ts must export by default an object, e.g. { port: 4000 }'],
    ['a file that throws', 'countersign.config.js', 'throw new Error("no\\nway");', 'countersign.config.js cannot be read: no'],
  ])('%s', async (...[, name, text, message]) => {
    await file(name, text);
    const fault: unknown = await load().catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(ConfigFault);
    expect(fault).toMatchObject({ message });
  });

  it('two files', async () => {
    await file('countersign.config.ts', 'export default {};');
    await file('countersign.config.json', '{}');
    await expect(load()).rejects.toThrow('There is countersign.config.ts and countersign.config.json: keep one of them');
  });
});
