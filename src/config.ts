import { readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';

const secondsMax = 2_000_000; // setTimeout's longest delay, rounded down

const origin = z.string().refine((text) => URL.canParse(text) && new URL(text).origin === text, 'must be an origin, e.g. https://console.example.com');

const modelName = z.string().min(1, 'must name a model');

const modelUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .refine((text) => URL.canParse(text) && Object.values(partsBesidePath(new URL(text))).every((part) => part === ''), 'must have no user, password, query or fragment: give the key as apiKey')
  .transform((url) => url.replace(/\/+$/, ''));

const apiKey = z.string().regex(/^[\x21-\x7e]+$/, 'must be letters, digits and signs of ASCII, without blanks');

const fallback = z.strictObject({ model: modelName, baseUrl: modelUrl.nullable().default(null), apiKey: apiKey.nullable().default(null) });

const llm = z.strictObject({
  baseUrl: modelUrl.describe('Where an OpenAI-compatible API is, e.g. https://api.openai.com/v1: `/chat/completions` is below it.'),
  model: modelName.describe('The model, as the endpoint names it.'),
  apiKey: apiKey.nullable().default(null).describe('Sent as the bearer token; never shown and never logged. Null: none is sent.'),
  timeoutSeconds: z.number().positive().max(600).default(15).describe('How long one endpoint may take for one question, its retry included.'),
  fallbacks: z
    .array(z.union([modelName, fallback], { error: 'must be the name of a model, or an object { model, baseUrl, apiKey }' }))
    .default([])
    .describe('Asked in this order when no answer comes: names of other models, or objects `{ model, baseUrl, apiKey }`. A fallback with a `baseUrl` of its own gets its own key or none.'),
});

/** Every key, its default and its bounds. The descriptions are the reference documentation. */
const schema = z.strictObject({
  host: z
    .string()
    .min(1, 'must be an address')
    .default('127.0.0.1')
    .describe('Address to listen on. Any but a loopback address only once there are keys: see `countersign keys create`.'),
  port: z.number().int().min(0).max(65_535).default(4000).describe('Port to listen on; 0: any free one.'),
  database: z
    .string()
    .regex(/^sqlite:.+/, 'must be sqlite:<file>, e.g. sqlite:countersign.db')
    .default('sqlite:countersign.db')
    .describe('Where everything is stored: `sqlite:<file>`, relative to the working directory, or `sqlite::memory:`, which is gone when the server stops.'),
  publicUrl: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .transform((url) => url.replace(/\/+$/, ''))
    .nullable()
    .default(null)
    .describe('Where people reach the server; elicitation pages are below it. Null: host and port.'),
  logLevel: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('The least severe log line that is written. `debug` has a line for each request.'),
  graphiql: z.boolean().default(true).describe('Serve GraphiQL to browsers at /graphql.'),
  introspection: z.boolean().default(true).describe('Answer introspection queries.'),
  allowedOrigins: z.array(origin).default([]).describe('Origins of other web sites whose pages may call the server from a browser.'),
  graceSeconds: z.number().min(0).max(secondsMax).default(60).describe('How long an ask outlives its last holding caller.'),
  allowSelfApproval: z.boolean().default(false).describe('Whether people may accept what they, or agents of theirs, ask for. For installations of one person.'),
  rereadSeconds: z.number().positive().max(secondsMax).default(30).describe('How often a held call reads its row though nothing woke it.'),
  waitingMax: z.number().int().positive().default(20_000).describe('How many calls may be held at once; beyond, an ask is refused.'),
  shutdownSeconds: z.number().min(0).max(secondsMax).default(10).describe('How long a shutdown waits for answers to reach their callers before it cuts them off.'),
  policyModules: z
    .array(z.string().min(1))
    .default([])
    .describe('Modules that export policy handlers: files, relative to the configuration file, or packages. One that cannot be loaded stops the start.'),
  serverPolicies: z
    .array(z.record(z.string(), z.unknown(), 'must be an object, as createPolicy takes it, without target'))
    .default([])
    .describe('Policies on the server, each as `createPolicy` takes it, without `target`. Only here can they be changed; one that cannot run stops the start.'),
  labelDefinitions: z
    .array(z.record(z.string(), z.unknown(), 'must be an object { key, initial, values }'))
    .default([])
    .describe("Labels that every session knows, each `{ key, initial, values }` as `createAgent` takes it. They count before an agent's own of the same key."),
  llm: llm.nullable().default(null).describe('The language model that judging policies ask. Null: none.'),
  keepAlive: z
    .strictObject({
      headersAfterSeconds: z.number().positive().max(secondsMax).default(10).describe('A call that is not answered by then gets status and headers.'),
      blankEverySeconds: z.number().positive().max(secondsMax).default(15).describe('From then on it gets one blank this often, until its answer. Below any idle limit on the way.'),
      pingEverySeconds: z.number().positive().max(secondsMax).default(12).describe('How often a WebSocket is pinged; one that does not answer by the next ping is cut.'),
    })
    .prefault({})
    .describe('How held calls and open connections stay alive.'),
  limits: z
    .strictObject({
      bodyBytes: z.number().int().positive().default(10_485_760).describe('Size of a request body, and of a WebSocket message.'),
      documentDepth: z.number().int().positive().default(16).describe('How deep the fields of a GraphQL document nest.'),
      documentTokens: z.number().int().positive().default(4000).describe('How many words and signs a GraphQL document has.'),
      documentAliases: z.number().int().min(0).default(100).describe('How many aliases an operation has, fragments included.'),
      subscriptionsPerConnection: z.number().int().positive().default(100).describe('How many subscriptions one WebSocket has at once.'),
      callsPerConnection: z.number().int().positive().default(10_000).describe('How many queries and mutations are under way on one WebSocket at once.'),
      connections: z.number().int().positive().default(25_000).describe('How many connections the server has at once; beyond, new ones are closed.'),
    })
    .prefault({})
    .describe('Beyond a limit a call is refused, with an error that names it.'),
});

/** The effective configuration. */
export type Config = z.infer<typeof schema>;

/** The configuration as it may be shown: secrets are masked. */
export function shownConfig(config: Config): object {
  return JSON.parse(JSON.stringify(config, (key, value: unknown) => (key === 'apiKey' && value !== null ? '********' : value))) as object;
}

/** JSON Schema of a configuration file: what docs/operations.md is held to. */
export function configSchema(): object {
  return z.toJSONSchema(schema, { io: 'input' });
}

/** A configuration that cannot be used. The message is one line and says where the value is and what would be right. */
export class ConfigFault extends Error {
  override readonly name = 'ConfigFault';
}

export interface ConfigSources {
  /** Wins over everything. */
  readonly flags?: { readonly host?: string | undefined; readonly port?: string | undefined; readonly database?: string | undefined };
  /** Instead of `countersign.config.ts`, `.js` or `.json` in the directory. */
  readonly file?: string | undefined;
  readonly env?: NodeJS.ProcessEnv;
  readonly directory?: string;
}

/** Defaults, then the configuration file, then `COUNTERSIGN_*` variables, then flags. Rejects with a `ConfigFault`. */
export async function loadConfig({ flags = {}, file, env = process.env, directory = process.cwd() }: ConfigSources = {}): Promise<Config> {
  const layers = [...(await fileLayers(directory, file)), ...variableLayers(env), ...flagLayers(flags)];
  const result = schema.safeParse(layers.reduce<unknown>((merged, { value }) => merge(merged, value), {}));
  if (result.success) return result.data;
  throw new ConfigFault(result.error.issues.flatMap((issue) => describeIssue(issue, layers)).join('; '));
}

/** The configuration of a server of one's own, e.g. in a test: what is left out has its default. Throws a `ConfigFault`. */
export function configOf(given: z.input<typeof schema> = {}): Config {
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  throw new ConfigFault(result.error.issues.flatMap((issue) => describeIssue(issue, [])).join('; '));
}

/** A part of the configuration, and the place that a message about it names. */
interface Layer {
  readonly source: string;
  readonly value: unknown;
}

interface Key {
  readonly path: readonly string[];
  readonly kind: string;
}

const keys = keysOf(schema);

const fileNames = ['countersign.config.ts', 'countersign.config.js', 'countersign.config.json'];

/** Variables that clients read: where the server is, and who they are. */
const clientVariables = new Set(['COUNTERSIGN_URL', 'COUNTERSIGN_TOKEN']);

async function fileLayers(directory: string, given: string | undefined): Promise<Layer[]> {
  const found = given === undefined ? fileNames.filter((name) => existsSync(path.join(directory, name))) : [given];
  const [source, other] = found;
  if (source === undefined) return [];
  if (other !== undefined) throw new ConfigFault(`There is ${source} and ${other}: keep one of them`);
  const location = path.resolve(directory, source);
  if (!existsSync(location)) throw new ConfigFault(`There is no configuration file ${source}`);
  let value: unknown;
  try {
    value = location.endsWith('.json') ? JSON.parse(await readFile(location, 'utf8')) : (await import(pathToFileURL(location).href) as { default?: unknown }).default;
  } catch (error) {
    throw new ConfigFault(`${source} cannot be read: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`);
  }
  if (isRecord(value)) return [{ source, value: withModulesFrom(path.dirname(location), value) }];
  throw new ConfigFault(`${source} must ${location.endsWith('.json') ? 'hold' : 'export by default'} an object, e.g. { port: 4000 }`);
}

/** What the file names is relative to the file. */
function withModulesFrom(directory: string, value: Readonly<Record<string, unknown>>): unknown {
  const { policyModules } = value;
  if (!Array.isArray(policyModules)) return value;
  return { ...value, policyModules: policyModules.map((source: unknown) => (typeof source === 'string' && /^\.{1,2}[/\\]/.test(source) ? path.resolve(directory, source) : source)) };
}

function variableLayers(env: NodeJS.ProcessEnv): Layer[] {
  const byName = new Map(keys.map((key) => [variableOf(key), key]));
  return Object.entries(env).flatMap(([source, text]) => {
    if (!source.startsWith('COUNTERSIGN_') || clientVariables.has(source) || !text) return [];
    const key = byName.get(source);
    if (!key) throw new ConfigFault(`There is no variable ${source}${suggest(source, [...byName.keys()])}`);
    return [{ source, value: nest(key.path, readText(text, key.kind)) }];
  });
}

function flagLayers(flags: NonNullable<ConfigSources['flags']>): Layer[] {
  return keys.flatMap((key) => {
    const text = Object.entries(flags).find(([name]) => name === key.path.join('.'))?.[1];
    return text === undefined ? [] : [{ source: `--${key.path.join('.')}`, value: nest(key.path, readText(text, key.kind)) }];
  });
}

/** `keepAlive.pingEverySeconds` is `COUNTERSIGN_KEEP_ALIVE_PING_EVERY_SECONDS`. */
function variableOf({ path: parts }: Key): string {
  return ['COUNTERSIGN', ...parts.map((part) => part.replace(/[A-Z]/g, '_$&').toUpperCase())].join('_');
}

/** What does not fit the kind stays text, which the schema refuses. */
function readText(text: string, kind: string): unknown {
  if (kind === 'number' && /^-?\d+(\.\d+)?$/.test(text.trim())) return Number(text);
  if (kind === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  if (kind === 'array') return text.trimStart().startsWith('[') ? listIn(text) : text.split(',').map((item) => item.trim());
  return text;
}

/** Of what is no text, such as policies, a list is written as JSON. */
function listIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function describeIssue(issue: z.core.$ZodIssue, layers: readonly Layer[]): string[] {
  if (issue.code !== 'unrecognized_keys') return [`${place(issue.path, layers)} ${inWords(issue)}`];
  return issue.keys.map((key) => {
    const at = [...issue.path, key];
    return `${place(at, layers)} is no key of the configuration${suggest(at.join('.'), [...new Set(keys.flatMap(prefixesOf))])}`;
  });
}

/** What would be right, where it is zod that speaks. */
function inWords(issue: z.core.$ZodIssue): string {
  if (!/^(?:Invalid (?:input|option)|Too (?:small|big))/.test(issue.message)) return issue.message;
  if (issue.code === 'invalid_type') return `must be ${kinds[issue.expected] ?? issue.expected}`;
  if (issue.code === 'too_small') return `must be ${issue.inclusive === false ? 'above' : 'at least'} ${issue.minimum.toLocaleString('en')}`;
  if (issue.code === 'too_big') return `must be at most ${issue.maximum.toLocaleString('en')}`;
  return issue.code === 'invalid_value' ? `must be ${issue.values.map(String).join(' or ')}` : issue.message;
}

const kinds: Readonly<Record<string, string>> = { number: 'a number', int: 'a whole number', boolean: 'true or false', string: 'a text', array: 'a list', object: 'an object', record: 'an object' };

function place(at: readonly PropertyKey[], layers: readonly Layer[]): string {
  const layer = layers.findLast(({ value }) => at.reduce<unknown>((inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined), value) !== undefined);
  return [layer?.source, at.map(String).join('.')].filter(Boolean).join(': ');
}

const suggestionsMax = 3;

/** The nearest known names, to be read after what is wrong. */
function suggest(wrong: string, known: readonly string[]): string {
  const near = known
    .map((name) => ({ name, distance: Math.min(distanceOf(wrong, name), distanceOf(lastPart(wrong), lastPart(name))) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, suggestionsMax);
  return `. Nearest: ${near.map(({ name }) => name).join(', ')}`;
}

function lastPart(name: string): string {
  return name.split('.').at(-1) ?? name;
}

/** How many letters to change, add or drop. */
function distanceOf(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [row, left] of Array.from(a.toLowerCase()).entries()) {
    const current = [row + 1];
    for (const [column, right] of Array.from(b.toLowerCase()).entries()) {
      const change = (previous[column] ?? 0) + (left === right ? 0 : 1);
      current.push(Math.min(change, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    previous = current;
  }
  return previous.at(-1) ?? 0;
}

function keysOf(object: z.ZodObject<Readonly<Record<string, z.core.$ZodType>>>, parents: readonly string[] = []): Key[] {
  return Object.entries(object.shape).flatMap(([name, field]) => {
    const inner = withoutDefault(field);
    const at = [...parents, name];
    return inner instanceof z.ZodObject ? keysOf(inner, at) : [{ path: at, kind: inner._zod.def.type }];
  });
}

function withoutDefault(field: z.core.SomeType): z.core.SomeType {
  const { innerType } = field._zod.def as { innerType?: z.core.SomeType };
  return innerType ? withoutDefault(innerType) : field;
}

function prefixesOf({ path: parts }: Key): string[] {
  return parts.map((_, index) => parts.slice(0, index + 1).join('.'));
}

function nest(parts: readonly string[], value: unknown): unknown {
  return parts.reduceRight<unknown>((inner, part) => ({ [part]: inner }), value);
}

function merge(under: unknown, over: unknown): unknown {
  if (!isRecord(under) || !isRecord(over)) return over;
  return { ...under, ...Object.fromEntries(Object.entries(over).map(([key, value]) => [key, merge(under[key], value)])) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function partsBesidePath({ username, password, search, hash }: URL): Record<string, string> {
  return { username, password, search, hash };
}

/** Only this machine reaches it. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}
