import type { Token } from './tokens.ts';
import { argumentsAt, type Value, type Values } from './values.ts';

/** A request over HTTP that a program sends; its method in upper case. */
export interface HttpEffect {
  readonly kind: 'request';
  readonly method: string;
  readonly url: string;
}

/** The requests to addresses that stand in the program. What decides the method is looked for in all of it. */
export function httpEffects(code: string, values: Values): readonly HttpEffect[] {
  if (!/https?:/.test(code)) return [];
  return values.tokens.flatMap((token, index) => requestOf(token, { index, code, values }));
}

interface Place {
  readonly index: number;
  readonly code: string;
  readonly values: Values;
}

function requestOf(token: Token, { index, code, values }: Place): readonly HttpEffect[] {
  const next = values.tokens[index + 1];
  if (token.kind !== 'name' || next?.kind !== 'sign' || next.value !== '(') return [];
  const isVerb = verbs.has(token.value);
  if (!isVerb && !clients.has(token.value)) return [];
  const given = argumentsAt(index + 1, values, false);
  const at = given.findIndex(isUrl);
  const url = given[at];
  if (typeof url !== 'string') return [];
  if (isVerb) return [{ kind: 'request', method: token.value.toUpperCase(), url }];
  const [first] = given;
  return [{ kind: 'request', method: at > 0 && typeof first === 'string' ? first.toUpperCase() : methodIn(code), url }];
}

function isUrl(value: Value): boolean {
  return typeof value === 'string' && /^https?:/i.test(value);
}

function methodIn(code: string): string {
  const [, method] = /\bmethod["']?\s*[:=]\s*["'`](\w+)/.exec(code) ?? [];
  if (method !== undefined) return method.toUpperCase();
  return /\b(?:data|body|json)["']?\s*[:=]/.test(code) ? 'POST' : 'GET';
}

const verbs = new Set(['get', 'head', 'post', 'put', 'patch', 'delete']);

const clients = new Set(['fetch', 'urlopen', 'Request', 'request', 'axios', 'got', 'stream']);
