import type { PolicyEvent } from '../policy/event.ts';
import { maskJsonText } from './mask-json-text.ts';
import { createSecretKeys } from './secret-keys.ts';
import { secretShapes, shapeRules, type SecretPattern, type SecretShape } from './secret-shapes.ts';

/** What stands in the place of a secret, whatever its length. */
export const maskMark = '********';

export interface MaskingSettings {
  readonly enabled: boolean;
  /** Beside the built-in ones. */
  readonly keys: readonly string[];
  readonly exceptKeys: readonly string[];
  readonly shapes: readonly SecretShape[];
}

/** On, with every key and shape that is built in. */
export const usualMasking: MaskingSettings = { enabled: true, keys: [], exceptKeys: [], shapes: secretShapes };

export interface Masked<T> {
  /** The very value that was given, where nothing is masked. */
  readonly value: T;
  /** JSON Pointers (RFC 6901) to the texts that were masked, or have a masked part, as they are called in the masked value. */
  readonly paths: readonly string[];
  /** What was masked. Never to be stored. */
  readonly secrets: readonly string[];
}

/**
 * Hides secrets before anything is stored, logged, published or shown; policies judge what is unmasked. Masking twice masks nothing more.
 * `known`: secrets of the event that a text is about, which it may quote without the name that tells they are some.
 */
export interface Masking {
  text(text: string, known?: readonly string[]): string;
  /** Of any JSON value, recursively, keys and JSON in texts included. Numbers under a secret key become a text. */
  json<T>(value: T, known?: readonly string[]): Masked<T>;
  event(event: PolicyEvent): Masked<PolicyEvent>;
  /** Policies judge by them, and by their keys nothing of a label is a secret: `contains_secrets: yes`. */
  labels(labels: Readonly<Record<string, string>>): Record<string, string>;
}

export function createMasking({ enabled, keys, exceptKeys, shapes }: MaskingSettings): Masking {
  if (!enabled) return unmasking;
  const secretKeys = createSecretKeys({ keys, exceptKeys });
  const rules = secretShapes.flatMap((shape) => (shape !== 'password_assignment' && shapes.includes(shape) ? [shapeRules[shape]] : []));
  const patterns = rules.flatMap((rule) => rule.patterns);
  const hint = new RegExp(rules.map((rule) => rule.hint).join('|') || '(?!)', 'i');
  const assignments = shapes.includes('password_assignment') ? secretKeys.patterns : [];
  const apply = (text: string, pattern: SecretPattern, secrets: Set<string>) =>
    text.replace(pattern, (_whole, before: string, secret: string) => {
      if (!secret.includes(maskMark)) secrets.add(secret);
      return `${before}${maskMark}`;
    });

  /** Short texts without a secret: keys and names come again and again. */
  const clean = new Set<string>();
  const maskText = (text: string, secrets: Set<string>): string => {
    if (text.length < shortestSecret || clean.has(text)) return text;
    const masked = maskLongText(text, secrets);
    if (masked === text && text.length <= cleanCharsMax) {
      if (clean.size >= cleanMax) clean.clear();
      clean.add(text);
    }
    return masked;
  };

  const maskLongText = (text: string, secrets: Set<string>): string => {
    const json = maskJsonText(text, {
      isSecretKey: (key) => secretKeys.includes(key),
      text: (part) => maskText(part, secrets),
      secret: (part) => maskSecret(part, secrets),
    });
    if (json !== null) return json;
    let masked = text;
    if (hint.test(text)) for (const pattern of patterns) masked = apply(masked, pattern, secrets);
    if (assignments.length > 0 && secretKeys.isNamedIn(masked)) for (const pattern of assignments) masked = apply(masked, pattern, secrets);
    return masked;
  };

  const json = <T>(value: T, known: readonly string[] = []): Masked<T> => {
    const secrets = new Set<string>();
    const walk = new Walk({ secretKeys, text: (text) => withoutKnown(maskText(text, secrets), known), secret: (text) => maskSecret(text, secrets) });
    return { value: walk.visit(value, false) as T, paths: walk.paths, secrets: [...secrets] }; // the same value, but for texts
  };

  return {
    text: (text, known = []) => withoutKnown(maskText(text, new Set()), known),
    json,
    event(event) {
      const { type, ...rest } = event;
      const { value, paths, secrets } = json(rest);
      return { value: value === rest ? event : ({ type, ...value } as PolicyEvent), paths, secrets };
    },
    labels: (labels) => Object.fromEntries(Object.entries(labels).map(([key, value]) => [key, maskText(value, new Set())])),
  };
}

const shortestSecret = 4;
const cleanMax = 4096;
const cleanCharsMax = 64;

function maskSecret(value: string, secrets: Set<string>): string {
  if (value === '' || value === maskMark) return value;
  secrets.add(value);
  return maskMark;
}

/** Short ones could be any word. Of one that a quote cuts off, the beginning counts. */
function withoutKnown(text: string, known: readonly string[]): string {
  const secrets = [...new Set(known.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]))].filter(({ length }) => length >= shortestSecret);
  if (secrets.length === 0) return text;
  let masked = text;
  for (const secret of secrets.toSorted((one, other) => other.length - one.length)) masked = masked.replaceAll(secret, maskMark);
  return masked.split(cutOff).map((part, index) => (index % 2 === 0 ? withoutBeginning(part, secrets) : part)).join('');
}

const cutOff = /(…|\.{3})/;

function withoutBeginning(text: string, secrets: readonly string[]): string {
  for (const secret of secrets) {
    for (let length = Math.min(secret.length, cutCharsMax); length >= shortestSecret; length -= 1) {
      if (text.endsWith(secret.slice(0, length))) return `${text.slice(0, -length)}${maskMark}`;
    }
  }
  return text;
}

const cutCharsMax = 1024;

const unmasking: Masking = {
  text: (text) => text,
  json: (value) => ({ value, paths: [], secrets: [] }),
  event: (event) => ({ value: event, paths: [], secrets: [] }),
  labels: (labels) => labels,
};

interface WalkParts {
  readonly secretKeys: { includes(key: string): boolean };
  text(text: string): string;
  secret(text: string): string;
}

class Walk {
  readonly paths: string[] = [];
  readonly #at: string[] = [];
  readonly #parts: WalkParts;

  constructor(parts: WalkParts) {
    this.#parts = parts;
  }

  visit(value: unknown, isSecret: boolean): unknown {
    if (typeof value === 'string') return this.#noted(value, isSecret ? this.#parts.secret(value) : this.#parts.text(value));
    if (typeof value === 'number' && isSecret) return this.#noted(value, this.#parts.secret(String(value)));
    if (typeof value !== 'object' || value === null) return value;
    return Array.isArray(value) ? this.#list(value, isSecret) : this.#object(value, isSecret);
  }

  #noted(value: string | number, masked: string): string | number {
    if (masked === value) return value;
    this.paths.push(this.#at.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''));
    return masked;
  }

  #list(list: readonly unknown[], isSecret: boolean): unknown {
    const masked = list.map((item, index) => this.#below(String(index), item, isSecret));
    return masked.every((item, index) => item === list[index]) ? list : masked;
  }

  #object(object: object, isSecret: boolean): unknown {
    let isChanged = false;
    const members = new Map<string, unknown>();
    for (const [key, member] of Object.entries(object)) {
      const name = this.#nameOf(key, members);
      const masked = this.#below(name, member, isSecret || this.#parts.secretKeys.includes(key));
      if (name !== key) this.paths.push([...this.#at, name].map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''));
      isChanged ||= name !== key || masked !== member;
      members.set(name, masked);
    }
    return isChanged ? Object.fromEntries(members) : object;
  }

  /** Two secrets as keys stay two keys. */
  #nameOf(key: string, taken: ReadonlyMap<string, unknown>): string {
    const masked = this.#parts.text(key);
    if (masked === key) return key;
    let name = masked;
    for (let count = 2; taken.has(name); count += 1) name = `${masked} (${count})`;
    return name;
  }

  #below(key: string, member: unknown, isSecret: boolean): unknown {
    this.#at.push(key);
    const masked = this.visit(member, isSecret);
    this.#at.pop();
    return masked;
  }
}
