import { readFile } from 'node:fs/promises';
import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { distance } from 'fastest-levenshtein';
import { z } from 'zod';
import { schema } from './config-schema.ts';

/** The effective configuration. */
export type Config = z.infer<typeof schema>;

/** The configuration as it may be shown: secrets are masked. */
export function shownConfig(config: Config): object {
  return JSON.parse(JSON.stringify(config, shownValue)) as object;
}

function shownValue(key: string, value: unknown): unknown {
  if (secretKeys.has(key) && value !== null) return mask;
  if (!urlKeys.has(key) || typeof value !== 'string' || value.startsWith('sqlite:')) return value;
  const url = new URL(value);
  if (url.password !== '') url.password = mask;
  return url.href;
}

const mask = '********';

/** Of URLs only the password is secret. */
const urlKeys: ReadonlySet<string> = new Set(['database', 'redisUrl']);

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

const secretKeys: ReadonlySet<string> = new Set(['apiKey', 'secretKey']);

/** Defaults, then the configuration file, then `COUNTERSIGN_*` variables, then flags. Rejects with a `ConfigFault`. */
export async function loadConfig({ flags = {}, file, env = process.env, directory = process.cwd() }: ConfigSources = {}): Promise<Config> {
  const layers = [...(await fileLayers(directory, file)), ...variableLayers(env, directory), ...flagLayers(flags)];
  return read(layers.reduce<unknown>((merged, { value }) => merge(merged, value), {}), layers);
}

/** The configuration of a server of one's own, e.g. in a test: what is left out has its default. Throws a `ConfigFault`. */
export function configOf(given: z.input<typeof schema> = {}): Config {
  return read(withFilesFrom(process.cwd(), given), []);
}

function read(value: unknown, layers: readonly Layer[]): Config {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new ConfigFault(result.error.issues.flatMap((issue) => describeIssue(issue, layers)).join('; '));
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

/** Variables that clients read: where the server is, who they are, and whose sessions are theirs. */
const clientVariables = new Set(['COUNTERSIGN_URL', 'COUNTERSIGN_TOKEN', 'COUNTERSIGN_AGENT']);

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
  if (isRecord(value)) return [{ source, value: withFilesFrom(path.dirname(location), value) }];
  throw new ConfigFault(`${source} must ${location.endsWith('.json') ? 'hold' : 'export by default'} an object, e.g. { port: 4000 }`);
}

/** What a layer names is relative to its directory. */
function withFilesFrom(directory: string, value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { policyModules, trustedDocuments } = value;
  const file = isRecord(trustedDocuments) ? trustedDocuments['file'] : null;
  return {
    ...value,
    ...(Array.isArray(policyModules) ? { policyModules: policyModules.map((source: unknown) => (typeof source === 'string' ? locateModule(source, directory) : source)) } : {}),
    ...(isRecord(trustedDocuments) && typeof file === 'string' && file !== '' ? { trustedDocuments: { ...trustedDocuments, file: path.resolve(directory, file) } } : {}),
  };
}

/** The file of a policy module: as a path, else as a package, seen from the directory. What is not found stays as it is: whoever loads it says so. */
export function locateModule(source: string, directory: string): string {
  const file = path.resolve(directory, source);
  if (statSync(file, { throwIfNoEntry: false })?.isFile() || /^\.{0,2}[/\\]|^[a-z]:[/\\]/i.test(source)) return file;
  try {
    return createRequire(path.join(directory, 'countersign.config')).resolve(source);
  } catch {
    return source;
  }
}

function variableLayers(env: NodeJS.ProcessEnv, directory: string): Layer[] {
  const byName = new Map(keys.map((key) => [variableOf(key), key]));
  return Object.entries(env).flatMap(([source, text]) => {
    if (!source.startsWith('COUNTERSIGN_') || clientVariables.has(source) || !text) return [];
    const key = byName.get(source);
    if (!key) throw new ConfigFault(`There is no variable ${source}${suggest(source, [...byName.keys()])}`);
    return [{ source, value: withFilesFrom(directory, nest(key.path, readText(text, key.kind))) }];
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
  if (kind === 'record') return jsonIn(text);
  if (kind === 'array') return text.trimStart().startsWith('[') ? jsonIn(text) : text.split(',').map((item) => item.trim());
  return text;
}

/** What is no text and no list of texts, such as policies, is written as JSON. */
function jsonIn(text: string): unknown {
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
    .map((name) => ({ name, far: Math.min(distanceOf(wrong, name), distanceOf(lastPart(wrong), lastPart(name))) }))
    .sort((a, b) => a.far - b.far)
    .slice(0, suggestionsMax);
  return `. Nearest: ${near.map(({ name }) => name).join(', ')}`;
}

function lastPart(name: string): string {
  return name.split('.').at(-1) ?? name;
}

/** How many letters to change, add or drop. */
function distanceOf(a: string, b: string): number {
  return distance(a.toLowerCase(), b.toLowerCase());
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

function nest(parts: readonly string[], value: unknown): Record<string, unknown> {
  return parts.reduceRight<unknown>((inner, part) => ({ [part]: inner }), value) as Record<string, unknown>;
}

function merge(under: unknown, over: unknown): unknown {
  if (!isRecord(under) || !isRecord(over)) return over;
  return { ...under, ...Object.fromEntries(Object.entries(over).map(([key, value]) => [key, merge(under[key], value)])) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Only this machine reaches it. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}
