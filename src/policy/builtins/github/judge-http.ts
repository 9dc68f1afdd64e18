import type { Word } from '../../shell/command-line.ts';
import { isJsonObject, type Json } from '../../json.ts';
import { doubt, strictest, type Finding } from './finding.ts';
import { noBranches, readGate, writeGate } from './gates.ts';
import { judgeRestEffects } from './gh-api.ts';
import type { HttpRequests } from './http-request.ts';
import { cleanPath, foldHost, readRemoteAddress, repositoryOfPath, unknownRepository } from './repository.ts';
import { isApiHost, knownTarget, readRestRequest } from './rest-request.ts';
import type { Rules } from './rules.ts';

/** Judges what curl and its like send to GitHub. Requests to other hosts are none of this policy's business. */
export function judgeHttp({ urls, method, body, detours }: HttpRequests, rules: Rules): Finding | null {
  const writes = method === null || !['GET', 'HEAD', 'OPTIONS'].includes(method);
  const isDetoured = writes && detours.some(({ text }) => text.toLowerCase().includes('github.com'));
  return strictest([
    ...urls.map((url) => judgeUrl(url, { method, body, rules, writes })),
    isDetoured ? doubt('A request would reach GitHub under another name.') : null,
  ]);
}

interface Sent {
  readonly method: string | null;
  readonly body: Word | null;
  readonly rules: Rules;
  readonly writes: boolean;
}

function judgeUrl(url: Word, sent: Sent): Finding | null {
  const { rules, writes } = sent;
  const text = knownTarget(url);
  if (text === '') {
    // Where GitHub's name is known, the rest may be anything; where nothing is, most requests go elsewhere.
    const isGithub = /github\.com|\/repos\//i.test(url.text) || /gh_|github/i.test(url.text);
    if (!isGithub) return null;
    if (writes) return doubt('Which repository a request to GitHub writes cannot be known from its text.');
    return readGate(rules, { what: 'A request to GitHub', mentions: [unknownRepository] });
  }
  const [, scheme = '', login = '', host = '', path = ''] = /^([a-z][a-z0-9+.-]*:\/{1,3})?([^/?#]*@)?([^/?#:@]*)(?::\d*)?(.*)$/is.exec(text) ?? [];
  const api = isApiHost(host);
  if (api.is) {
    const { fields, isComplete } = bodyFields(sent.body);
    const plain = `${scheme || 'https://'}${login}${host}${path}`.replace(/^([a-z]+:)\/*/i, '$1//');
    const effects = readRestRequest({ target: plain, method: sent.method, fields, isComplete });
    return judgeRestEffects(effects, { what: 'A request to GitHub', rules, mentions: [effects.mention] });
  }
  if (!isWebHost(host)) return null;
  const mention = foldHost(host) === 'github.com' ? readRemoteAddress(`https://${host}${path}`) : repositoryOfPath(path, host === foldHost(host));
  const { segments } = cleanPath(path);
  if (writes) {
    const pushes = segments.some((segment) => segment === 'git-receive-pack' || segment === 'lfs');
    return pushes ? writeGate(rules, { what: 'A push over HTTP', mentions: [mention], branches: noBranches, content: true }) : null;
  }
  return segments.length < 2 || mention.kind === 'unknown' ? null : readGate(rules, { what: 'A request to GitHub', mentions: [mention] });
}

/** Hosts that serve the content of repositories under `owner/repo`. */
function isWebHost(host: string): boolean {
  return ['github.com', 'www.github.com', 'raw.githubusercontent.com', 'codeload.github.com'].includes(foldHost(host));
}

/** The text members of a JSON body that stands on the command line. */
function bodyFields(body: Word | null): { fields: ReadonlyMap<string, string>; isComplete: boolean } {
  const none = { fields: new Map<string, string>(), isComplete: false };
  if (!body?.certain || body.text.length > bodyCharsMax || !body.text.trimStart().startsWith('{')) return none;
  try {
    const parsed = JSON.parse(body.text) as Json;
    if (!isJsonObject(parsed)) return none;
    const members = Object.entries(parsed).map(([key, value]): [string, string] => [key, typeof value === 'string' ? value : JSON.stringify(value)]);
    return { fields: new Map(members), isComplete: true };
  } catch {
    return none;
  }
}

const bodyCharsMax = 100_000;
