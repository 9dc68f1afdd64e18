import { normalText } from '../../normal-text.ts';
import { toolKey } from '../../tool-name.ts';

/** A Google service, as its tools are named. */
export interface Service {
  /** With what the names of its tools begin: `drive_`. */
  readonly prefixes: readonly string[];
  /** And what follows there in Google's own words, so that they are known behind a server of any name: `file`, `permission`. */
  readonly nouns: readonly string[];
  /** Its known tools, by their exact names. */
  readonly tools: ReadonlyMap<string, unknown>;
  /** The same names as `toolKey`s. */
  readonly toolKeys: ReadonlySet<string>;
}

export type GoogleTool =
  | { readonly kind: 'known'; readonly name: string }
  /** A tool of the service that is not known: another one, or one in another spelling. */
  | { readonly kind: 'unknown' };

/**
 * Which tool of a service a name means; null: none of its. Without `serverPrefixes` a tool may stand behind any server's name, cut
 * off as `findTool` does. A server that is called after Google has tools of the service only; behind another one it takes Google's own nouns,
 * and a server of another suite (`outlook`) has none. Names of tools are exact: a capital makes an unknown one.
 */
export function readGoogleTool(name: string, service: Service, serverPrefixes: readonly string[] | null): GoogleTool | null {
  const normal = normalText(name, 'NFKC').trim();
  if (normal.length > nameCharsMax) return claims(normal.slice(0, nameCharsMax), service) ? unknown : null;
  const readings = serverPrefixes === null ? behindAnyServer(normal) : [{ tool: withoutPrefix(normal, serverPrefixes) ?? normal, server: null }];
  const found = readings.find(({ tool, server }) => service.tools.has(tool) && !isOtherSuite(server));
  if (found) return { kind: 'known', name: found.tool };
  return readings.some((reading) => isUnknownOf(service, reading)) ? unknown : null;
}

const unknown = { kind: 'unknown' } as const;

/** No tool's name is longer; cutting takes time that grows with the square of it. */
const nameCharsMax = 300;

interface Reading {
  readonly tool: string;
  /** What stands before the tool's name; null: nothing, or a prefix that is known to be Google's. */
  readonly server: string | null;
}

function behindAnyServer(name: string): readonly Reading[] {
  const google = withoutPrefix(name, usualPrefixes);
  if (google !== null) return [{ tool: google, server: null }, ...cuts(google)];
  return [{ tool: name, server: null }, ...cuts(name)];
}

const usualPrefixes = ['mcp__google__', 'google__'];

function withoutPrefix(name: string, prefixes: readonly string[]): string | null {
  const lower = name.toLowerCase();
  const prefix = prefixes.find((known) => known !== '' && lower.startsWith(known.toLowerCase()));
  return prefix === undefined ? null : name.slice(prefix.length);
}

/** Every way to cut a server's name off: `server__tool`, `server.tool`, `server/tool`, `server:tool`, `mcp_server_tool`. */
function cuts(name: string): readonly Reading[] {
  const singleUnderscore = /^mcp_(?!_)/i.test(name);
  const readings: Reading[] = [];
  for (let start = 1; start < name.length; start += 1) {
    const before = name.charAt(start - 1);
    const isStart = before === '_' ? singleUnderscore || name.charAt(start - 2) === '_' : /[./:]/.test(before);
    if (isStart) readings.push({ tool: name.slice(start), server: name.slice(0, start) });
  }
  return readings;
}

function isUnknownOf(service: Service, { tool, server }: Reading): boolean {
  if (isOtherSuite(server) || !claims(tool, service)) return false;
  if (server === null || googleServer.test(server)) return true;
  return isKnownInOtherSpelling(tool, service) || startsWithNoun(tool, service);
}

/** Whether the name is one of the service's, in whatever spelling. */
function claims(tool: string, service: Service): boolean {
  const words = inSnakeCase(tool);
  return service.prefixes.some((prefix) => words.startsWith(prefix)) || isKnownInOtherSpelling(tool, service);
}

function isKnownInOtherSpelling(tool: string, service: Service): boolean {
  return service.toolKeys.has(toolKey(tool));
}

function startsWithNoun(tool: string, { prefixes, nouns }: Service): boolean {
  const words = inSnakeCase(tool);
  return prefixes.some((prefix) => words.startsWith(prefix) && nouns.some((noun) => words.startsWith(noun, prefix.length)));
}

/** `driveFileDelete`, `Drive-File-Delete` and `drive_file_delete` are one. */
function inSnakeCase(tool: string): string {
  return tool.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_').replaceAll(/[-. ]/g, '_').toLowerCase();
}

const googleServer = /google|g_?suite|workspace|gdrive|gdocs|gsheets|gslides|gmail|gcal/i;

const otherSuite = /outlook|microsoft|office|ms_?365|onedrive|sharepoint|exchange|icloud|apple|nextcloud|zoho|proton|dropbox|yahoo/i;

function isOtherSuite(server: string | null): boolean {
  return server !== null && otherSuite.test(server) && !googleServer.test(server);
}
