import { json, titled, type Case, type Expectation } from './case.ts';
import type { World } from './world.ts';

/** What a field takes beyond its type. */
export type Rule = (world: World) => Case[];

const fiveMegabytes = 5_000_000;
const invalid: Expectation = { kind: 'invalid' };
const tooLargeEvent: Expectation = { kind: 'invalid', at: ['event'] };

/** Texts that look dangerous and are not. */
const strangeTexts = [
  "'; drop table session; --",
  '" or 1=1 /* ? ?? $1 :a @b */ % _ \\ \\\' \\"',
  '<script>alert(1)</script>&amp;<!-- ]]>',
  '${7*7} {{7*7}} #{7*7} %s %n $(id) `id`',
  '{"$gt":""}',
  '$where',
  'constructor',
  'prototype',
  'a __proto__',
  'null',
  '../../etc/passwd',
  'a\r\nb\tc',
  'a\u0001\u001b[31mb\u007f\u0085c',
  '\u202eevil\u2066\u200b\u00ad\u2028x',
  'e\u0301 is not \u00e9',
  '\ud83d\ude00\ud83c\udff4\u{e0067}\u{e007f}',
  '\uffff\ufffd\ufdd0x',
];

const surrogates = ['a\ud800b', '\udc00\ud83d', '\udfff'];
const longText = 'x'.repeat(fiveMegabytes);

function refused(values: readonly unknown[], expects: Expectation = invalid): Case[] {
  return values.map((value) => ({ title: titled(value), json: json(value), expects }));
}

function taken(values: readonly unknown[], asStored: (value: string) => unknown = (value) => value): Case[] {
  return values.map((value) => ({ title: titled(value), json: json(value), expects: { kind: 'taken', value: typeof value === 'string' ? asStored(value) : value } }));
}

/** A field that may be left empty. */
function optional(rule: Rule, whenNull: Expectation = { kind: 'taken', value: null }): Rule {
  return (world) => [...rule(world), { title: 'null', json: 'null', expects: whenNull }];
}

/** One that an update may leave out, but not empty. */
function omissible(rule: Rule): Rule {
  return optional(rule, invalid);
}

const blanks = ['', ' ', ' \t\r\n', '\u3000\u2003\ufeff'];

/** Unique names: each of them in a world of its own is free. */
const name: Rule = () => [
  ...refused([...blanks, 'a\0b', '\0', ...surrogates, 'x'.repeat(257), longText, '__proto__', '__x', '  __x']),
  ...taken(['x'.repeat(256), `  ${'y'.repeat(256)}  `, ' trimmed\n', ...strangeTexts], (value) => value.trim()),
];

/** One line: 1 to 256 characters once trimmed. */
const shortText: Rule = () => [
  ...refused([...blanks, 'a\0b', '\0', ...surrogates, 'x'.repeat(257), longText]),
  ...taken(['x'.repeat(256), ' trimmed\n', '__proto__', ...strangeTexts], (value) => value.trim()),
];

/** A user's id; those of Countersign's own are nobody's. */
const owner: Rule = (world) => [...shortText(world), ...refused(['local', 'system', 'configuration', ' local '])];

const patterns: Rule = () => [
  ...refused([[], [''], [' '], ['a\0'], ...surrogates.map((text) => [text]), ['x'.repeat(257)], Array.from({ length: 101 }, () => 'x'), [longText]]),
  ...taken([['*'], ['a', 'a'], ['__proto__', 'constructor'], strangeTexts.map((text) => text.trim())]),
];

const future: Rule = () => [...refused(['2020-01-01T00:00:00.000Z', '0001-01-01T00:00:00.000Z']), ...taken(['2999-12-31T23:59:59.999Z'])];

const prose: Rule = () => [
  ...refused(['a\0b', '\0', ...surrogates, 'x'.repeat(4097), longText]),
  ...taken(['', ' ', ' not trimmed ', 'x'.repeat(4096), '__proto__', ...strangeTexts]),
];

/** Trimmed; a blank one is none. */
const comment: Rule = () => [
  ...refused(['a\0b', '\0', ...surrogates, 'x'.repeat(4097), longText]),
  ...taken(['', ' ', ' trimmed ', '__proto__', ...strangeTexts], (value) => value.trim() || null),
];

/** What is judged: any text is, as it is. */
const eventText: Rule = () => [
  ...refused(surrogates),
  ...refused([longText], tooLargeEvent),
  ...taken(['', ' ', ' not trimmed ', 'x'.repeat(5000), '\0', 'a\0b', '__proto__', ...strangeTexts]),
];

/** Up to what one event may have, counted in bytes. */
const longestText: Rule = (world) => [...eventText(world), ...refused(['ä'.repeat(600_000)], tooLargeEvent), ...taken(['x'.repeat(1_000_000)])];

const toolName: Rule = () => [
  ...refused([...blanks, 'x'.repeat(257), 'x'.repeat(1_000_000), ...surrogates]),
  ...taken(['x'.repeat(256), ' not trimmed ', 'a\0b', '__proto__', ...strangeTexts]),
];

const modelInEvent: Rule = () => [
  ...refused([...blanks, 'a\0b', ...surrogates, 'x'.repeat(257), 'x'.repeat(1_000_000)]),
  ...taken(['x'.repeat(256), ' trimmed ', '__proto__', ...strangeTexts], (value) => value.trim()),
];

function whole(min: number, max: number): Rule {
  return () => [...refused([min - 1, -1, -2_147_483_648, max + 1, 2_147_483_647].filter((value) => (value < min || value > max) && value <= 2_147_483_647)), ...taken([min, max, min + 1])];
}

const boolean: Rule = () => taken([true, false]);

function oneOf(...values: readonly string[]): Rule {
  return () => taken(values);
}

/** An id of one type: whatever else is given leads nowhere, and is given back as it was. */
function id(type: keyof World['ids']): Rule {
  return ({ ids }) => {
    const own = ids[type];
    const others = Object.entries(ids).flatMap(([other, value]) => (other === type ? [] : [value]));
    const unknown = `${own.slice(0, 4)}01m8qznttfe8k879ppbm3vgnzf`;
    const wrong = [...blanks, 'x', unknown, ...others, own.toUpperCase(), ` ${own}`, `${own}\n`, `${own}\0`, `\0${own}`, own.slice(0, -1), `${own}0`, own.slice(4), ...surrogates, `${own}\ud800`, "' or 1=1 --", '__proto__', 'constructor', longText];
    const numbers = ['0', '1', '-1', '9007199254740992'];
    return [
      ...wrong.map((value): Case => ({ title: titled(value), json: json(value), expects: { kind: 'notFound', id: value } })),
      ...numbers.map((text): Case => ({ title: text, json: text, expects: { kind: 'notFound', id: String(Number(text)) } })),
    ];
  };
}

/** Keys and values that look dangerous and are not. */
const strangeObject = {
  '': 'empty',
  constructor: { prototype: { polluted: true } },
  prototype: { polluted: true },
  toString: 'x',
  hasOwnProperty: 1,
  then: 'x',
  toJSON: 'x',
  $gt: '',
  $where: { $ne: null },
  'a.b[0]': "'; drop table session; --",
  "'\"`\\?": '? ?? $1 :a @b',
  'nul\0key': 'nul\0value',
  '\u202ekey': '<script>alert(1)</script>',
  'e\u0301': '\u00e9',
  '\ud83d\ude00': ['\ud83d\ude00', [], {}, null, true, false],
  beyond: [9_007_199_254_740_994, -9_007_199_254_740_994, 1e21, 1e100, Number.MAX_VALUE, 5e-324, 0.1, -1, 0],
  long: Array.from({ length: 10_000 }, (_, index) => index),
};

function nested(depth: number): string {
  return `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`;
}

const wideObject = json(Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`key ${index}`, 'x'.repeat(1050)])));
const hugeObject = json({ a: Array.from({ length: 5000 }, () => 'x'.repeat(1000)) });

/** Refused wherever a JSON value is taken, with the way to what is wrong. */
function refusedJson(depthMax: number, tooLarge: Expectation = invalid): Case[] {
  return [
    { title: 'the key __proto__', json: '{"__proto__":{"polluted":true}}', expects: invalid },
    { title: 'the key __proto__ inside', json: '{"a":[{"b":{"__proto__":1}}]}', expects: invalid },
    { title: 'the key __proto__, escaped', json: '{"\\u005f_proto__":1}', expects: invalid },
    { title: 'an unpaired surrogate', json: json({ a: 'a\ud800b' }), expects: invalid },
    { title: 'a key with an unpaired surrogate', json: json({ a: { 'b\udc00': 1 } }), expects: invalid },
    { title: 'a number that is none', json: '{"a":[1e400]}', expects: invalid },
    { title: 'a number that is less than all', json: '{"a":-1e400}', expects: invalid },
    { title: `${depthMax + 1} deep`, json: nested(depthMax + 1), expects: invalid },
    { title: '30 deep', json: nested(30), expects: invalid },
    { title: '30 deep in lists', json: `{"a":${'['.repeat(29)}${']'.repeat(29)}}`, expects: invalid },
    { title: '100,000 deep', json: nested(100_000), expects: invalid },
    { title: '5 MB', json: hugeObject, expects: tooLarge },
    { title: '1 MB of many keys', json: wideObject, expects: tooLarge },
  ];
}

/** An object that is stored as it is. `depthMax`: how deep it may nest at its place. */
function jsonObject(depthMax: number, tooLarge?: Expectation): Rule {
  return () => [
    ...refusedJson(depthMax, tooLarge),
    ...taken([{}, strangeObject, JSON.parse(nested(depthMax))]),
    { title: 'a key twice', json: '{"a":1,"a":2}', expects: { kind: 'taken', value: { a: 2 } } },
    { title: 'many digits', json: '{"a":0.1000000000000000055511151231257827}', expects: { kind: 'taken', value: { a: 0.1 } } },
  ];
}

/** Any JSON, which policies see as text. */
const result: Rule = () => [
  ...refusedJson(22, tooLargeEvent),
  ...refused(surrogates),
  { title: 'a number that is none', json: '1e400', expects: invalid },
  { title: '5 MB of text', json: json(longText), expects: tooLargeEvent },
  ...[null, ...strangeTexts].map((value): Case => ({ title: titled(value), json: json(value), expects: { kind: 'taken', value: value ?? '' } })),
  ...[strangeObject, [], [[1], null], 0, -1.5, 1e21, true, false].map((value): Case => ({ title: titled(value), json: json(value), expects: { kind: 'taken', value: json(value) } })),
];

const labels: Rule = () => [
  ...refusedJson(24),
  ...refused([
    { a: 1 },
    { a: true },
    { a: null },
    { a: {} },
    { a: { $gt: '' } },
    { a: ['b'] },
    { '': 'b' },
    { ' ': 'b' },
    { a: 'x'.repeat(257) },
    { ['x'.repeat(129)]: 'b' },
    { a: 'b\0' },
    { 'a\0': 'b' },
    { __x: 'b' },
    { 'countersign.x': 'b' },
    { a: 'b', c: 'd', ' a': 'b' },
    Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`${'x'.repeat(100)} ${index}`, 'y'])),
  ]),
  { title: 'a key with blanks around it', json: '{" a\\n":" b "}', expects: { kind: 'taken', value: { a: ' b ' } } },
  ...taken([{}, { a: '' }, { constructor: 'a', prototype: 'b', toString: 'c', $gt: 'd' }, Object.fromEntries(strangeTexts.map((text) => [text.trim(), text])), { ['x'.repeat(128)]: 'x'.repeat(256) }]),
];

/** Labels as a simulation takes them: of any key, reserved or not. */
const simulatedLabels: Rule = () => [
  ...refusedJson(24),
  ...refused([{ a: 1 }, { a: true }, { a: null }, { a: {} }, { a: { $gt: '' } }, { a: ['b'] }]),
  ...taken([{}, { a: '' }, { 'countersign.x': 'b' }, { constructor: 'a', prototype: 'b', toString: 'c', $gt: 'd' }]),
];

const simulatedUsage: Rule = () => [
  ...refusedJson(24),
  ...refused([
    { nothing: 1 },
    { constructor: 1 },
    { inputTokens: -1 },
    { inputTokens: 1.5 },
    { inputTokens: '1' },
    { total_cost_usd: -0.01 },
    { totalCostUsd: '1' },
    { totalCostUsd: { $gt: 0 } },
    { subtreeUsage: [] },
    { subtreeUsage: { nothing: 1 } },
    { userDailyCost: { costUsd: -1 } },
    { userDailyCost: { day: '2026-02-30' } },
  ]),
  ...taken([{}, { inputTokens: 0 }, { totalCostUsd: 1.5 }, { total_cost_usd: null }, { subtreeUsage: { totalCostUsd: 1 }, userDailyCost: { costUsd: 2, day: '2026-02-28' } }]),
];

/** What may be added to an amount, whose size is that of the whole numbers that JSON keeps exact. */
const amount: Rule = () => [
  ...refused([-1, -0.5, -5e-324, 9_007_199_254_740_994, 1e21, 1e100, Number.MAX_VALUE]),
  ...taken([0, 1, 3_000_000_000]),
  { title: 'less than nothing, by none', json: '-0', expects: { kind: 'taken', value: 0 } },
];

const tokens: Rule = (world) => [...amount(world), ...refused([1.5, 5e-324]), ...taken([Number.MAX_SAFE_INTEGER])];

const usd: Rule = (world) => [...amount(world), ...taken([0.1, 1.5])];

const condition: Rule = () => [
  ...refusedJson(24),
  ...refused([{ a: 1 }, { a: true }, { a: null }, { a: {} }, { a: { $gt: '' } }, { a: [] }, { a: ['b', 1] }, { a: ['b', null] }, { a: [['b']] }, { a: 'x'.repeat(257) }, { a: ['b\0'] }, { '': 'b' }, { ['x'.repeat(129)]: 'b' }, { a: Array.from({ length: 10_000 }, () => 'b') }]),
  ...taken([{}, { a: '' }, { a: ['b', 'b'] }, { constructor: 'a', prototype: ['b'], toString: 'c', $in: ['d'] }, Object.fromEntries(strangeTexts.map((text) => [text, [text]]))]),
];

/** The params of `safety.max_tool_calls_per_session`. */
const params: Rule = () => [
  ...refusedJson(24),
  ...refused([{ limit: '1' }, { limit: 1.5 }, { limit: null }, { limit: true }, { limit: [1] }, { limit: { $gt: 1 } }, { limit: 9_007_199_254_740_994 }, { limit: 1e100 }, { constructor: 1 }, { prototype: 1 }, { nothing: 1 }, { Limit: 1 }, { 'limit\0': 1 }]),
  ...taken([{}, { limit: -1 }, { limit: 0 }, { limit: 9_007_199_254_740_991 }]),
];

const handler: Rule = () => [
  ...refused([...blanks, 'a\0b', ...surrogates, 'nothing', 'safety', 'safety.', '.ask_on_os_tools', 'safety.ask_on_os_tools\0', 'SAFETY.ASK_ON_OS_TOOLS', 'omnigent.policies.builtins.nothing', '__proto__', 'constructor', 'safety.constructor', longText, ...strangeTexts]),
  ...taken(['safety.max_tool_calls_per_session', ' safety.max_tool_calls_per_session '], (value) => value.trim()),
  { title: 'the longer spelling', json: json('omnigent.policies.builtins.safety.max_tool_calls_per_session'), expects: { kind: 'taken', value: 'safety.max_tool_calls_per_session' } },
];

const digest: Rule = () => refused(['', ' ', 'x', 'a\0b', ...surrogates, '0'.repeat(64), "' or 1=1 --", '__proto__', longText], { kind: 'error', type: 'StaleElicitationError' });

/** Many of an object that has its own fields. Its items are the fields' business. */
function many(item: (index: number) => object, max: number, bounds: { readonly min?: number; readonly asStored?: (items: readonly object[]) => unknown } = {}): Rule {
  const { min = 0, asStored = (items) => items } = bounds;
  const items = (length: number) => Array.from({ length }, (_, index) => item(index));
  const fits = (length: number): Case => ({ title: `${length} items`, json: json(items(length)), expects: { kind: 'taken', value: asStored(items(length)) } });
  return () => [
    ...[max + 1, 10_000].map((length): Case => ({ title: `${length} items`, json: json(items(length)), expects: invalid })),
    ...(min > 0 ? [{ title: 'no item', json: '[]', expects: invalid }] : [fits(0)]),
    fits(max),
    { title: 'an item that is no list', json: json(item(0)), expects: { kind: 'taken', value: asStored([item(0)]) } },
  ];
}

const labelValues: Rule = () => [
  ...refused([[], Array.from({ length: 10_000 }, () => 'x'), ['x'.repeat(257)], ['a\0'], ...surrogates.map((text) => [text]), ['a', longText]]),
  ...taken([[''], [' a '], Array.from({ length: 100 }, (_, index) => String(index)), ['a', 'a'], ['__proto__', 'constructor'], strangeTexts]),
];

const labelKeys: Rule = () => [
  ...refused([[''], [' '], ['x'.repeat(129)], ['a\0'], ...surrogates.map((text) => [text]), ['__proto__'], ['countersign.x'], Array.from({ length: 10_000 }, (_, index) => String(index)), [longText]]),
  ...taken([[], ['a', 'a'], ['constructor'], strangeTexts.map((text) => text.trim())]),
];

const labelKey: Rule = () => [
  ...refused([...blanks, 'a\0b', ...surrogates, 'x'.repeat(129), longText, '__proto__', '__x', 'countersign.x', 'cost_control.x']),
  ...taken(['x'.repeat(128), ' trimmed ', ...strangeTexts], (value) => value.trim()),
];

const labelValue: Rule = () => [
  ...refused(['a\0b', ...surrogates, 'x'.repeat(257), longText]),
  ...taken(['', ' ', ' not trimmed ', 'x'.repeat(256), '__proto__', ...strangeTexts]),
];

/** Of an evaluation that is looked for by its key: what no call can have had leads nowhere. */
const knownKey: Rule = () => [...blanks, 'a\0b', ...surrogates, 'x'.repeat(257), '__proto__', longText, ...strangeTexts].map((value): Case => ({ title: titled(value), json: json(value), expects: { kind: 'notFound', id: value } }));

/** Of an evaluation that is looked for by its key, which no other session has. */
const sessionOfKey: Rule = (world) => id('session')(world).map((one): Case => ({ ...one, expects: { kind: 'notFound', id: world.key } }));

const ids: Rule = ({ ids: { elicitation, evaluation, session } }) => [
  ...refused([[], Array.from({ length: 501 }, () => elicitation), Array.from({ length: 10_000 }, (_, index) => String(index))]),
  ...[['x'], [elicitation, 'x'], ['', elicitation], [evaluation], [session], [elicitation, `${elicitation}\0`], ['a\ud800'], ['__proto__'], ["' or 1=1 --"], [longText]].map((value): Case => ({
    title: titled(value),
    json: json(value),
    expects: { kind: 'notFound', id: value.find((one) => one !== elicitation) ?? '' },
  })),
  { title: 'one that is no list', json: '"x"', expects: { kind: 'notFound', id: 'x' } },
  { title: 'a number', json: '[1]', expects: { kind: 'notFound', id: '1' } },
];

/** An object with fields of its own: only its type can be wrong. */
const object: Rule = () => [];

/** The input as a whole. */
const input: Rule = () => [];

/** A policy's server target: only yes means something. */
const server: Rule = () => [...refused([false], { kind: 'invalid', at: ['target'] }), ...taken([true])];

export const rules = {
  boolean,
  comment,
  condition,
  digest,
  eventText,
  future,
  handler,
  id,
  ids,
  input,
  jsonObject,
  knownKey,
  labelKey,
  labelKeys,
  labels,
  labelValue,
  labelValues,
  many,
  longestText,
  modelInEvent,
  name,
  object,
  omissible,
  oneOf,
  optional,
  owner,
  params,
  patterns,
  prose,
  result,
  server,
  sessionOfKey,
  shortText,
  simulatedLabels,
  simulatedUsage,
  tokens,
  tooLargeEvent,
  toolName,
  usd,
  whole,
} as const;
