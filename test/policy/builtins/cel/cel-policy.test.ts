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
    ['event.type ==', 'expression: Line 1, column 12: '],
    ['event.type == "a" &&\n  foo(event)', 'expression: Line 2, column 3: there is no function "foo".'],
    ['event.type == "a" || evnt.target == "b"', 'expression: Line 1, column 22: there is no variable "evnt": what is judged is "event".'],
    ['[1, 2].all(x)', 'there is no function "all"'],
    ['[1].exists(x, y == 1)', 'there is no variable "y"'],
    ['', 'Must not be empty.'],
    ['('.repeat(4000), 'Nests too deep to be read.'],
    [`[${'1,'.repeat(2500)}1]`, 'Must have at most 2,000 parts.'],
    ['"x"'.padEnd(10_001), 'expression: '],
    ['"open', 'expression: Line 1, column 1: '],
  ])('%j', (expression, message) => {
    expect(refusal(expression)).toContain(message);
  });
});

describe('an expression', () => {
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
    expect(needs('event.context.user_daily_cost.cost_usd > 1.0 ? {"result": "ASK"} : {}')).toContain('userDailyCost');
  });
});

describe('an expression that fails on an event', () => {
  const failing = [
    'event.data.nothing == 1 ? {} : {}',
    '1 / 0 == 1 ? {} : {}',
    'event.data + 1 == 2 ? {} : {}',
    'event.data.arguments.command.matches("(") ? {} : {}',
    '[1][5] == 1 ? {} : {}',
    '{"a": 1, "a": 2}',
  ];

  it.each(failing)('asks by default, and says why: %s', (expression) => {
    expect(judge(expression)).toMatchObject({ kind: 'ask', reason: expect.stringMatching(/^The expression of this policy fails on this event: .+\.$/) });
    expect(judge(expression, undefined, { params: { on_error: 'deny' } })).toMatchObject({ kind: 'deny' });
    expect(judge(expression, undefined, { params: { on_error: 'abstain' } })).toMatchObject({ kind: 'abstain' });
  });
});

describe('an expression that takes too long fails, soon', () => {
  const items = Array.from({ length: 5000 }, (_, index) => index);
  const text = 'a'.repeat(1_000_000);
  const endless: [string, JsonObject][] = [
    ['event.data.arguments.items.all(x, event.data.arguments.items.all(y, x + y >= 0)) ? {"result": "ALLOW"} : {}', { items }],
    ['event.data.arguments.items.map(x, event.data.arguments.items.map(y, x * y)).size() > 0 ? {"result": "ALLOW"} : {}', { items }],
    ['event.data.arguments.items.exists(x, event.data.arguments.text.matches("(a+)+b")) ? {} : {"result": "ALLOW"}', { items, text }],
    ['event.data.arguments.text.matches("(a|aa)+$b") ? {} : {"result": "ALLOW"}', { text }],
    [`(${Array.from({ length: 200 }, () => 'event.data.arguments.text').join(' + ')}).size() > 0 ? {"result": "ALLOW"} : {}`, { text }],
  ];

  it.each(endless)('%s', (expression, args) => {
    const since = performance.now();
    expect(judge(expression, toolCall('Bash', args))).toMatchObject({ kind: 'ask', reason: expect.stringContaining('takes more than 20,000 steps') });
    expect(performance.now() - since).toBeLessThan(2000);
  });

  it('reads a hundred kilobytes by a regular expression, and a thousand items', () => {
    expect(judge('event.data.arguments.text.matches("(?i)(rm|sudo).*b$") ? {"result": "DENY"} : {"result": "ALLOW"}', toolCall('Bash', { text: 'a'.repeat(100_000) }))).toMatchObject({ kind: 'allow' });
    expect(judge('event.data.arguments.items.exists(x, x == 999 && x > 3) ? {"result": "DENY"} : {}', toolCall('Bash', { items: items.slice(0, 1000) }))).toMatchObject({ kind: 'deny' });
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
