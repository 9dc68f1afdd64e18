import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PolicyEvent } from '../../../../src/policy/event.ts';
import type { JsonObject } from '../../../../src/policy/json.ts';
import { celPolicy } from '../../../../src/policy/builtins/cel/cel-policy.ts';
import { askModel, facts, request, toolCall } from '../../support/pass.ts';

function judge(expression: string, event: PolicyEvent = toolCall('Bash', { command: 'ls' }), { params = {}, known = {} }: { params?: JsonObject; known?: Parameters<typeof facts>[0] } = {}) {
  const built = celPolicy.build({ expression, ...params });
  if (built.kind !== 'built') throw new Error(JSON.stringify(built.issues));
  return built.judge({ event, facts: facts(known), askModel });
}

function refusal(expression: string): string {
  const built = celPolicy.build({ expression });
  return built.kind === 'built' ? 'built' : built.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join();
}

describe('an expression that can never run is refused, with its place', () => {
  it.each([
    ['event.type == ', 'expression: Line 1, column 15: the expression ends where something must follow "==".'],
    ['event.type = "a"', 'expression: Line 1, column 12: write "==" to compare.'],
    ['event.type == "a" ? {"result": "DENY"', 'expression: Line 1, column 21: "{" is never closed.'],
    ['event.type in ["a", "b")', 'expression: Line 1, column 24: expected "]", which closes "[", got ")".'],
    ['event.type)', 'expression: Line 1, column 11: nothing is open that ")" could close.'],
    ['event.type event.target', 'expression: Line 1, column 12: cannot be read from "e" on.'],
    ['event.type == "a" &&\n  foo(event)', 'expression: Line 2, column 3: there is no function "foo".'],
    ['event.type == "a" || evnt.target == "b"', 'expression: Line 1, column 22: there is no variable "evnt": what is judged is "event".'],
    ['[1, 2].all(x)', 'there is no function "all", but a macro that wants other arguments.'],
    ['[1].exists(x, y == 1)', 'there is no variable "y"'],
    ['event.target.matches("a(")', 'expression: Line 1, column 22: no regular expression of RE2: missing closing )'],
    ['event.target.matches("(?=a)")', 'expression: Line 1, column 22: no regular expression of RE2: '],
    [`event.target.matches("${'a'.repeat(1001)}")`, 'a regular expression has at most 1,000 characters.'],
    ['google.protobuf.Duration{seconds: 1}', 'there are no messages such as google.protobuf.Duration here; write a map.'],
    ['9223372036854775808', 'the number is too large for an int.'],
    ['// nothing', 'expression: Line 1, column 1: the expression is empty.'],
    ['', 'Must not be empty.'],
    ['('.repeat(4000), 'expression: Line 1, column 51: brackets are nested deeper than 50 levels.'],
    [`1${' + 1'.repeat(2000)}`, 'nests deeper than 200 levels.'],
    [`[${'1,'.repeat(2500)}1]`, 'must have at most 2,000 parts.'],
    ['"x"'.padEnd(10_001), 'expression: '],
    ['"open', 'expression: Line 1, column 1: the text that begins with " is never closed.'],
    ["'''open'", "the text that begins with ''' is never closed."],
  ] as const)('%#: %.60j', (expression, message) => {
    expect(refusal(expression)).toContain(message);
  });
});

describe('an expression', () => {
  it.each([
    'r"\\d(" == "\\\\d("',
    "'''it's \"(\"''' == \"it's \\\"(\\\"\"",
    '"a" == "a" // ( " is a comment\n && true',
    '1 == 1.0 && 1u == 1 && [1, 2.0] == [1.0, 2]',
    '(true ? "a" : 1) == "a"',
    'type(event) == map && type(event.data.arguments.n) == int && type([]) == list && type(null) == null_type',
    'has(event.target) && has(event.data.arguments.nothing) && !has(event.data.arguments.missing) && "nothing" in event.data.arguments',
    '[null][0] == null && {"a": null}["a"] == null && event.data.arguments.nothing == null',
    'event.data.arguments.missing == 1 || true',
    '!(event.data.arguments.missing == 1 && false)',
    '[1, 2, 3].exists(x, x == event.data.arguments.missing || x == 2)',
    '[1, 2, 3].all(x, x > 0) && [1, 2, 2].exists_one(x, x == 1) && {"a": 1, "b": 2}.exists(key, key == "b")',
    '[1, 2, 3].filter(x, x > 1).map(x, x * 2) == [4, 6] && [1, 2, 3].map(x, x > 1, x * 2) == [4, 6]',
    '[1, 2].map(x, [3, 4].map(y, x * y)) == [[3, 4], [6, 8]]',
    '[1] + [2, 3] == [1, 2, 3] && size([1] + [2]) == 2 && 2 in [1, 2] && 2.0 in [1, 2] && !("b" in {"a": 1})',
    '{1: "a"}[1] == "a" && {1: "a"}[1u] == "a" && [7, 8][1] == 8 && {"a": {"b": [1]}}.a.b[0] == 1',
    'size("héllo") == 5 && "a,b,c".split(",") == ["a", "b", "c"] && ["a", "b"].join("-") == "a-b"',
    '"aXbX".replace("X", "--") == "a--b--" && "aXbX".replace("X", "-", 1) == "a-bX" && "%s=%d".format(["a", 1]) == "a=1"',
    '"ABC".lowerAscii() == "abc" && " a ".trim() == "a" && "abc".substring(1, 2) == "b" && "abc".indexOf("c") == 2 && "abc".charAt(0) == "a"',
    '"foobar".matches("o+b") && !"foobar".matches("^o+b") && "a\\nb".matches("(?m)^b$") && "Straße".matches("(?i)STRASSE|straße") && matches("x", ".")',
    'timestamp("2024-02-29T12:00:00Z").getHours("Europe/Berlin") == 13 && duration("90m") > duration("1h")',
    'int("12") + 1 == 13 && string(1.5) == "1.5" && double(2) * 1.5 == 3.0 && bool("true") && 7 / 2 == 3 && -7 % 3 == -1',
    'dyn(1) != "1" && b"abc" == bytes("abc") && string(b"abc") == "abc"',
  ])('means what CEL says: %s', (expression) => {
    const event = toolCall('Bash', { n: 1, nothing: null });
    expect(judge(`(${expression}\n) ? {"result": "DENY"} : {"result": "ALLOW"}`, event)).toMatchObject({ kind: 'deny' });
  });

  it("gives its map's reason, else the policy's, else one of ours", () => {
    expect(judge('{"result": "DENY", "reason": "mine"}', undefined, { params: { reason: 'theirs' } })).toMatchObject({ kind: 'deny', reason: 'mine' });
    expect(judge('{"result": "DENY", "reason": " "}', undefined, { params: { reason: 'theirs' } })).toMatchObject({ kind: 'deny', reason: 'theirs' });
    expect(judge('{"result": "ASK"}')).toMatchObject({ kind: 'ask', reason: 'The expression of this policy says so.' });
  });

  it('writes nothing, whatever its map has', () => {
    expect(judge('{"result": "ALLOW", "state_updates": [{"key": "a", "action": "set", "value": 1}], "set_labels": {"a": "b"}, "data": "x"}')).toEqual(judge('{"result": "ALLOW"}'));
  });

  it("sees a request's text as a string, and all other data as it is", () => {
    expect(judge('event.data == "hello" ? {"result": "DENY"} : {}', request('hello'))).toMatchObject({ kind: 'deny' });
    expect(judge('event.data.name == "Bash" && event.target == "Bash" ? {"result": "DENY"} : {}')).toMatchObject({ kind: 'deny' });
  });

  it('sees whole numbers as integers, others as doubles, and money as doubles', () => {
    const event = toolCall('Pay', { count: 3, share: 0.5, nested: [{ n: 1 }] });
    expect(judge('event.data.arguments.count + 1 == 4 && event.data.arguments.share * 2.0 == 1.0 && event.data.arguments.nested[0].n % 2 == 1 ? {"result": "DENY"} : {}', event)).toMatchObject({ kind: 'deny' });
    const spent = { known: { userDailyCost: { cost_usd: 2, ask_approved_usd: 0, user_id: 'ann', day: '2026-08-14' } } };
    expect(judge('event.context.user_daily_cost.cost_usd * 1.5 == 3.0 ? {"result": "DENY"} : {}', event, spent)).toMatchObject({ kind: 'deny' });
  });

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])('finds no field %s that nobody gave', (name) => {
    expect(judge(`has(event.data.arguments.${name}) || has(event.${name}) ? {"result": "DENY"} : {"result": "ALLOW"}`)).toMatchObject({ kind: 'allow' });
  });

  it('needs what is spent only where it speaks of it', () => {
    const needs = (expression: string) => {
      const built = celPolicy.build({ expression });
      return built.kind === 'built' ? built.needs : [];
    };
    expect(needs('{"result": "ASK"}')).not.toContain('usage');
    expect(needs('event.context.labels["env"] == event . data.name ? {"result": "ASK"} : {}')).not.toContain('userDailyCost');
    expect(needs('event.context.user_daily_cost.cost_usd > 1.0 ? {"result": "ASK"} : {}')).toContain('userDailyCost');
    expect(needs('event.context["user_daily" + "_cost"].cost_usd > 1.0 ? {"result": "ASK"} : {}')).toContain('userDailyCost');
    expect(needs('[event].exists(e, e["con" + "text"]["us\\x61ge"].total_cost_usd > 1.0) ? {"result": "ASK"} : {}')).toContain('usage');
  });
});

describe('an expression that fails on an event', () => {
  const failing = [
    'event.data.nothing == 1 ? {} : {}',
    '1 / 0 == 1 ? {} : {}',
    'event.data + 1 == 2 ? {} : {}',
    'event.data.arguments.command.matches("(" + event.type) ? {} : {}',
    'int(event.data.arguments.command) == 1 ? {} : {}',
    'has(event.nothing.below) ? {} : {}',
    '{"a": 1}["b"] == 1 ? {} : {}',
    '[1][5] == 1 ? {} : {}',
    '{"a": 1, "a": 2}',
  ];

  it.each(failing)('asks by default, and says why: %s', (expression) => {
    expect(judge(expression)).toMatchObject({ kind: 'ask', reason: expect.stringMatching(/^The expression of this policy fails on this event: .+\.$/) });
    expect(judge(expression, undefined, { params: { on_error: 'deny' } })).toMatchObject({ kind: 'deny' });
    expect(judge(expression, undefined, { params: { on_error: 'abstain' } })).toMatchObject({ kind: 'abstain' });
  });

  it('says where, and nothing of what the event holds', () => {
    expect(judge('event.type == "tool_call" &&\n  event.data.nope == 1')).toMatchObject({ reason: 'The expression of this policy fails on this event: line 2, column 13: field not found: nope.' });
    expect(judge('int(event.data.arguments.command)', toolCall('Bash', { command: 'a secret' }))).toMatchObject({ reason: 'The expression of this policy fails on this event: line 1, column 1: a value does not fit.' });
  });
});

describe('an expression that takes too long fails, soon', () => {
  const items = Array.from({ length: 5000 }, (_, index) => index);
  const members = Object.fromEntries(items.map((item) => [`k${item}`, item]));
  const text = 'a'.repeat(1_000_000);
  const mixed = fc.sample(fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 20_000, maxLength: 20_000 }), { seed: 3, numRuns: 1 })[0] ?? '';
  const halves = `${'a'.repeat(25_000)}b${'a'.repeat(25_000)}`;
  const event = toolCall('Bash', { items, members, text, mixed, halves, hundredKilobytes: text.slice(0, 100_000) });

  it.each([
    ['loops in loops', 'items.all(x, items.all(y, x + y >= 0))'],
    ['loops in loops that make lists', 'items.map(x, items.map(y, x * y)).size() > 0'],
    ['a loop whose errors are absorbed, without a function in it', 'items.exists(x, items.exists(y, y.a || x.b))'],
    ['lists that double with each step', `[1]${'.map(x, [x, x])'.repeat(60)} == [1]`],
    ['texts that double with each step', `["a"]${'.map(x, x + x)'.repeat(60)}[0] == ""`],
    ['a long separator', 'items.map(x, "a").join(hundredKilobytes) == ""'],
    ['lists that are joined to themselves', `[[1]]${'.map(x, x + x)'.repeat(60)}.size() == 1`],
    ['comparisons of much in a loop', 'items.exists(x, members != members)'],
    ['searches of much in a loop', 'items.exists(x, "nothing" in items)'],
    ['lookups that search all keys, in a loop', 'items.exists(x, members[x] == 1)'],
    ['time zones in a loop', 'items.exists(x, timestamp("2024-01-01T00:00:00Z").getHours("Europe/Berlin") == 30)'],
    ['long texts in a loop', 'items.exists(x, size(text) == x)'],
    ['a long text that is searched for a long text', 'hundredKilobytes.contains(halves)'],
    ['the same, from the end', 'hundredKilobytes.lastIndexOf(halves) == 1'],
    ['the same, replacing', 'hundredKilobytes.replace(halves, "") == ""'],
    ['a regular expression in a loop', 'items.exists(x, text.matches("(a+)+b"))'],
    ['a regular expression with a state for each character', 'mixed.matches("(a|b)*a(a|b){50}[cd]")'],
    ['regular expressions that are made in a loop', 'items.exists(x, "b".matches("a" + string(x)))'],
    ['number after number', 'items.exists(x, int("1") == -1 - x)'],
    ['a step that is out of reach of ||', 'items.all(x, items.all(y, true)) || true'],
  ])('%s', (_what, expression) => {
    const within = expression.replaceAll(/\b(items|members|text|mixed|halves|hundredKilobytes)\b/g, 'event.data.arguments.$1');
    const built = celPolicy.build({ expression: `(${within}) ? {"result": "ALLOW"} : {"result": "ALLOW"}` });
    if (built.kind !== 'built') throw new Error(JSON.stringify(built.issues));
    const since = process.cpuUsage();
    const opinion = built.judge({ event, facts: facts(), askModel });
    const { user, system } = process.cpuUsage(since);
    expect(opinion).toMatchObject({ kind: 'ask', reason: expect.stringContaining('takes more than 100,000 steps') });
    expect(user + system).toBeLessThan(1_000_000);
  });

  it('reads a hundred kilobytes by a regular expression, and a thousand items', () => {
    expect(judge('event.data.arguments.text.matches("(?i)(rm|sudo).*b$") ? {"result": "DENY"} : {"result": "ALLOW"}', toolCall('Bash', { text: 'a'.repeat(100_000) }))).toMatchObject({ kind: 'allow' });
    expect(judge('event.data.arguments.items.exists(x, x == 999 && x > 3) ? {"result": "DENY"} : {}', toolCall('Bash', { items: items.slice(0, 1000) }))).toMatchObject({ kind: 'deny' });
    expect(judge('event.data.arguments.items.map(x, x + 1).filter(x, x > 5).exists(x, x == 999) ? {"result": "DENY"} : {}', toolCall('Bash', { items: items.slice(0, 1000) }))).toMatchObject({ kind: 'deny' });
  });

  it('judges the next event afresh', () => {
    const built = celPolicy.build({ expression: 'event.data.arguments.items.all(x, event.data.arguments.items.all(y, true)) ? {"result": "DENY"} : {}' });
    if (built.kind !== 'built') throw new Error(JSON.stringify(built.issues));
    const kinds = [items, [1], items, [1]].map((few) => built.judge({ event: toolCall('Bash', { items: few }), facts: facts(), askModel }).kind);
    expect(kinds).toEqual(['ask', 'deny', 'ask', 'deny']);
  });
});

it('is a pure function of its input, and never allows what it fails on', () => {
  const leaf = fc.constantFrom('event', 'event.data', 'event.target', 'event.data.arguments', 'event.nothing', '1', '0', '"a"', 'true', '[1, 2]', '{"a": 1}', 'event.data.arguments.n', 'event.type');
  const { expression } = fc.letrec<{ expression: string }>((tie) => ({
    expression: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.tuple(tie('expression'), fc.constantFrom('+', '-', '*', '/', '%', '==', '!=', '<', '&&', '||', 'in'), tie('expression')).map(([left, operator, right]) => `(${left} ${operator} ${right})`),
      fc.tuple(tie('expression'), tie('expression'), tie('expression')).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
      fc.tuple(tie('expression'), tie('expression')).map(([list, body]) => `${list}.exists(x, x == ${body})`),
      tie('expression').map((inner) => `size(${inner})`),
      tie('expression').map((inner) => `${inner}.a`),
    ),
  }));
  fc.assert(
    fc.property(expression, fc.integer(), (source, n) => {
      const event = toolCall('Bash', { n });
      const whole = `${source} == 1 ? {"result": "DENY"} : {"result": "ALLOW"}`;
      const built = celPolicy.build({ expression: whole });
      if (built.kind !== 'built') return;
      const input = { event, facts: facts(), askModel };
      const first = built.judge(input);
      expect(built.judge(input)).toEqual(first);
      const errs = built.judge(input).kind === 'ask';
      const strict = celPolicy.build({ expression: whole, on_error: 'deny' });
      if (strict.kind === 'built' && errs) expect(strict.judge(input).kind).toBe('deny');
    }),
    { seed: 5, numRuns: 500 },
  );
});
