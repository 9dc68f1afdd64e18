import { embeddedJson } from '../../embedded-json.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { toolKey, toolKeys } from '../../tool-name.ts';
import type { Branches } from './gates.ts';
import { readRemoteAddress, readRepository, unknownRepository, type Mention } from './repository.ts';
import { branchName } from './rules.ts';

/** What the arguments of a GitHub tool name. */
export interface McpArguments {
  readonly mentions: readonly Mention[];
  /** Whether an owner or a repository is named at all, readable or not. */
  readonly namesOwner: boolean;
  readonly branches: Branches;
  /** Whether a ref among them is a tag. */
  readonly tags: boolean;
  readonly forces: boolean;
  /** The method of the request or of the tool that has several, in lower case. */
  readonly methods: readonly string[];
  /** Paths of the REST interface. */
  readonly paths: readonly string[];
  /** A GraphQL document. */
  readonly documents: readonly string[];
}

/** Reads the arguments at every level at which servers take them. Keys are compared as `toolKey` compares names. */
export function readMcpArguments(args: JsonObject): McpArguments {
  const found = new Found();
  found.read(args, { owners: [], depth: 0 });
  return found;
}

interface Level {
  /** Owners that the levels above name, for a repository that is named without one. */
  readonly owners: readonly string[];
  readonly depth: number;
}

class Found implements McpArguments {
  readonly mentions: Mention[] = [];
  readonly methods: string[] = [];
  readonly paths: string[] = [];
  readonly documents: string[] = [];
  readonly #branches: string[] = [];
  namesOwner = false;
  tags = false;
  forces = false;
  #isDeep = false;

  get branches(): Branches {
    return { names: this.#branches, unknown: this.#isDeep };
  }

  read(level: JsonObject, { owners, depth }: Level): void {
    if (depth > depthMax) {
      this.mentions.push(unknownRepository);
      this.#isDeep = true;
      return;
    }
    const members = Object.entries(level).map(([key, value]): readonly [string, Json] => [toolKey(key), value]);
    const ownersHere = members.flatMap(([key, value]) => (ownerKeys.has(key) ? texts(value) : []));
    if (ownersHere.length > ownersMax) this.mentions.push(unknownRepository);
    const known = ownersHere.length > 0 ? ownersHere.slice(0, ownersMax) : owners;
    if (ownersHere.length > 0) this.namesOwner = true;
    for (const [key, value] of members) {
      if (repositoryKeys.has(key)) this.#readRepository(value, known);
      else if (!proseKeys.has(key)) this.#readAddresses(value);
      if (branchKeys.has(key)) this.#readBranches(value);
      if (methodKeys.has(key)) this.methods.push(...texts(value).map((text) => text.toLowerCase()));
      if (pathKeys.has(key)) this.paths.push(...texts(value));
      if (documentKeys.has(key)) this.documents.push(...texts(value));
      if (key === 'force' && value !== false && value !== null && value !== 'false') this.forces = true;
      if (containerKeys.has(key)) for (const inner of containers(value)) this.read(inner, { owners: known, depth: depth + 1 });
    }
  }

  #readRepository(value: Json, owners: readonly string[]): void {
    for (const repository of isJsonList(value) ? value : [value]) {
      if (repository === null || repository === '') continue;
      this.namesOwner = true;
      if (typeof repository === 'string') this.#readName(repository.trim(), owners);
      else if (isJsonObject(repository)) this.#readRecord(repository, owners);
      else this.mentions.push(unknownRepository);
    }
  }

  /** A name, or a full name; with an owner beside a full name, the two must agree. */
  #readName(name: string, owners: readonly string[]): void {
    if (!name.includes('/')) {
      for (const owner of owners) this.mentions.push(readRepository(`${owner}/${name}`));
      return;
    }
    const mention = readRepository(name);
    this.mentions.push(mention);
    const named = mention.kind === 'repository' ? mention.name.slice(0, mention.name.indexOf('/')) : '';
    if (owners.some((owner) => owner.toLowerCase() !== named)) this.mentions.push(unknownRepository);
  }

  /** A repository as the REST interface describes one. */
  #readRecord(record: JsonObject, owners: readonly string[]): void {
    const owner = isJsonObject(record['owner']) ? record['owner']['login'] : record['owner'];
    const full = texts(record['full_name'] ?? record['nameWithOwner'] ?? null);
    const names = texts(record['name'] ?? record['repo'] ?? null);
    const nearest = texts(owner ?? null);
    for (const name of full) this.mentions.push(readRepository(name));
    for (const name of names) for (const by of nearest.length > 0 ? nearest : owners) this.mentions.push(readRepository(`${by}/${name}`));
    if (full.length + names.length === 0) this.mentions.push(unknownRepository);
  }

  /** A text that is an address names a repository; one that only speaks of an address does not. */
  #readAddresses(value: Json): void {
    for (const text of texts(value)) {
      const mention = text.includes(':') ? readRemoteAddress(text) : unknownRepository;
      if (mention.kind === 'repository') this.mentions.push(mention);
    }
  }

  #readBranches(value: Json): void {
    for (const text of texts(value)) {
      const ref = text.replace(/^[^:]*:/, '');
      if (ref.startsWith('refs/tags/') || ref.startsWith('tags/')) this.tags = true;
      this.#branches.push(branchName(ref));
    }
  }
}

const depthMax = 8;

/** Every owner is combined with every repository beside it. */
const ownersMax = 16;

/** Longer texts than any JSON that is meant as arguments are not parsed. */
const jsonCharsMax = 100_000;

function texts(value: Json): readonly string[] {
  const values = isJsonList(value) ? value : [value];
  return values.flatMap((text) => (typeof text === 'string' && text.trim() !== '' ? [text.trim()] : []));
}

function containers(value: Json): readonly JsonObject[] {
  const values = isJsonList(value) ? value : [value];
  return values.map((inner) => (typeof inner === 'string' ? parsed(inner) : inner)).filter((inner) => isJsonObject(inner));
}

function parsed(text: string): Json {
  return text.length <= jsonCharsMax && text.trimStart().startsWith('{') ? (embeddedJson(text) ?? null) : null;
}

const ownerKeys = toolKeys(['owner', 'org', 'organization', 'organisation', 'owner_name', 'org_name', 'repo_owner', 'repository_owner']);

const repositoryKeys = toolKeys([
  ...['repo', 'repository', 'full_name', 'name_with_owner', 'repo_name', 'repository_name', 'repo_full_name', 'repository_full_name'],
  ...['repo_url', 'repository_url', 'repos', 'repositories'],
]);

const branchKeys = toolKeys(['branch', 'ref', 'base', 'branch_name', 'base_branch', 'target_branch', 'base_ref_name', 'base_ref', 'ref_name']);

const methodKeys = toolKeys(['method', 'http_method', 'verb']);

const pathKeys = toolKeys(['path', 'endpoint', 'url', 'uri', 'route']);

const documentKeys = toolKeys(['query', 'mutation', 'graphql', 'document']);

const containerKeys = toolKeys(['params', 'parameters', 'arguments', 'args', 'body', 'payload', 'input', 'data', 'variables', 'request', 'options']);

/** What people write and read: an address in it is a link, not a target. */
const proseKeys = toolKeys([
  ...['body', 'title', 'description', 'message', 'commit_message', 'commit_title', 'content', 'comment', 'text', 'subject'],
  ...['head', 'homepage', 'query', 'q', 'notes', 'release_notes', 'inputs', 'files', 'avatar_url', 'target_url', 'details_url'],
]);
