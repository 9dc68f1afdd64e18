import { z } from 'zod';
import type { PolicyEvent } from '../../event.ts';
import { defineHandler } from '../../handler.ts';
import { isJsonList, isJsonObject, type Json } from '../../json.ts';
import { object, objections } from '../../objection.ts';
import { InvalidParams } from '../../params-issues.ts';
import { requestText } from '../../request-text.ts';
import { toolKey } from '../../tool-name.ts';
import { abstain } from '../../verdict.ts';
import { holdsCreditCard } from './pii/credit-card.ts';
import { decodedTexts } from './pii/decoded-texts.ts';
import { holdsEmailAddress } from './pii/email-address.ts';
import { holdsPhoneNumber } from './pii/phone-number.ts';
import { piiText, type PiiText } from './pii/pii-text.ts';
import { plainText, separatedText } from './pii/plain-text.ts';
import { TooMuchToSearch } from './pii/too-much-to-search.ts';
import { holdsSocialSecurityNumber } from './pii/social-security-number.ts';

export const denyPiiInLlmRequest = defineHandler({
  name: 'safety.deny_pii_in_llm_request',
  title: 'Keep personal data from the model',
  description:
    'Denies what a person writes, with its attachments, and what goes to the model, where it holds social security numbers, payment cards, ' +
    'email addresses or phone numbers: in the digits of any script, with any marks between them, and behind common encodings.',
  phases: ['REQUEST', 'LLM_REQUEST'],
  params: z.object({
    pii_types: z.array(z.string()).nullable().default(null).meta({
      title: 'Kinds of data',
      description: 'What to look for: ssn, credit_card, email, phone. Not given or empty: all four. At least one must be among them; other kinds are not looked for.',
    }),
    // The reference takes any other word for DENY, and so do configurations that were made for it.
    action: z
      .preprocess((value) => (value === 'ASK' ? 'ASK' : 'DENY'), z.enum(objections))
      .default('DENY')
      .meta({ title: 'Objection', description: 'What to do where it is found.' }),
  }),
  create({ pii_types: given, action }) {
    const wanted = new Set((given ?? []).map(toolKey));
    const selected = wanted.size === 0 ? kinds : kinds.filter(({ name }) => wanted.has(toolKey(name)));
    if (selected.length === 0) throw new InvalidParams([{ path: ['pii_types'], message: `None of these is known. Known: ${kinds.map(({ name }) => name).join(', ')}.` }]);
    return ({ event }) => {
      const holds = searchOf(event);
      const found = selected.filter(holds);
      if (found.some((kind) => holds(kind) === 'unknown')) return object(action, 'This is more than can be searched for personal data.');
      return found.length > 0 ? object(action, `This holds personal data: ${found.map(({ words }) => words).join(', ')}.`) : abstain();
    };
  },
});

interface Kind {
  readonly name: string;
  readonly words: string;
  readonly isIn: (text: PiiText) => boolean;
}

const kinds: readonly Kind[] = [
  { name: 'ssn', words: 'a social security number', isIn: holdsSocialSecurityNumber },
  { name: 'credit_card', words: 'the number of a payment card', isIn: holdsCreditCard },
  { name: 'email', words: 'an email address', isIn: holdsEmailAddress },
  { name: 'phone', words: 'a phone number', isIn: holdsPhoneNumber },
];

/** Whether an event holds data of a kind; unknown where there is too much to search. */
type Search = (kind: Kind) => boolean | 'unknown';

/** Many policies judge one event, so it is searched once. Only where it cannot change: events are frozen while they are judged. */
function searchOf(event: PolicyEvent): Search {
  const known = searches.get(event);
  if (known) return known;
  const search = searchIn(textsOf(event));
  if (Object.isFrozen(event)) searches.set(event, search);
  return search;
}

const searches = new WeakMap<PolicyEvent, Search>();

function searchIn(texts: readonly string[]): Search {
  const answers = new Map<Kind, boolean | 'unknown'>();
  let read: readonly PiiText[] | null = null;
  const search = ({ isIn }: Kind): boolean | 'unknown' => {
    try {
      read ??= texts.filter((text) => text !== '').flatMap(readings);
      return read.some(isIn);
    } catch (thrown) {
      if (thrown instanceof TooMuchToSearch) return 'unknown';
      throw thrown;
    }
  };
  return (kind) => {
    const answer = answers.get(kind) ?? search(kind);
    answers.set(kind, answer);
    return answer;
  };
}

/** Every text as a person, or a model, could read it. */
function readings(text: string): readonly PiiText[] {
  const plain = plainText(text);
  // First, since it ends the search where there is too much.
  const first = piiText(plain);
  const separated = separatedText(text);
  const others = new Set([...(separated === null ? [] : [separated]), ...decodedTexts(plain).map(plainText)]);
  others.delete(plain);
  return [first, ...Array.from(others, piiText)];
}

function textsOf(event: PolicyEvent): readonly string[] {
  const data = event.data as unknown as Json;
  if (event.type === 'request') return [requestText(event) ?? '', ...blockTexts(isJsonObject(data) ? (data['user_content'] ?? null) : data), ...attachedTexts(data)];
  if (event.type !== 'llm_request' || !isJsonObject(data)) return [];
  return [data['system_prompt_preview'] ?? null, data['last_user_message'] ?? null].flatMap((text) => (typeof text === 'string' ? [text] : blockTexts(text)));
}

/** The texts of a list of blocks of content, as lines and in one: a value may be split over two blocks. */
function blockTexts(blocks: Json): readonly string[] {
  if (!isJsonList(blocks)) return [];
  const texts = blocks.map((block) => (isJsonObject(block) ? block['text'] : block)).filter((text) => typeof text === 'string');
  return [texts.join('\n'), texts.join('')];
}

/** Names and texts of attachments, and of those attached to them. */
function attachedTexts(data: Json): readonly string[] {
  const texts: string[] = [];
  const pending: Json[] = isJsonObject(data) ? [data['attachments'] ?? null] : [];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (isJsonList(next)) for (const item of next) pending.push(item);
    if (!isJsonObject(next)) continue;
    for (const key of ['text', 'filename'] as const) {
      const text = next[key] ?? null;
      texts.push(...(typeof text === 'string' ? [text] : blockTexts(text)));
    }
    pending.push(next['attachments'] ?? null);
  }
  return texts;
}
