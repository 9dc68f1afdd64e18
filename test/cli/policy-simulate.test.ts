import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCli } from '../support/run-cli.ts';
import { inProcess } from './in-process.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'countersign-policy-simulate-'));
});
afterAll(() => rm(folder, { recursive: true }));

const simulate = (handler: string, event: unknown, ...options: string[]) =>
  inProcess('policy', 'simulate', '--handler', handler, '--event', typeof event === 'string' ? event : JSON.stringify(event), ...options);

async function answerOf(handler: string, event: unknown, ...options: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await simulate(handler, event, ...options, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

const bash = { toolCall: { name: 'Bash', arguments: { command: 'ls' } } };
const limit = ['--params', '{"limit": 1}'];
const counter = 'safety.max_tool_calls_per_session';

describe('a simulation', () => {
  it('says what a policy would answer and how it comes about', async () => {
    expect(await simulate('safety.ask_on_os_tools', bash)).toEqual({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^verdict {3}ASK\nreason {4}safety\.ask_on_os_tools: .+\nwrites {4}none\nstep {6}safety\.ask_on_os_tools ASKED \(\d+ µs\): .+\n$/),
    });
  });

  it('shows what would be written', async () => {
    expect((await simulate(counter, bash, ...limit)).stdout).toMatch(/^verdict {3}ALLOW\nwrites {4}state _policy_tool_call_count: increment 1\nstep /);
  });

  it('ends well for a denial, too', async () => {
    expect(await simulate(counter, bash, '--params', '{"limit": 0}')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^verdict {3}DENY\nreason /) });
  });

  it('is one JSON object for programs, with the fields of the API', async () => {
    expect(await answerOf(counter, bash, ...limit)).toEqual({
      verdict: 'ALLOW',
      reason: null,
      decidingPolicies: [],
      data: null,
      stateUpdates: [{ key: '_policy_tool_call_count', action: 'increment', value: 1 }],
      labelWrites: {},
      steps: [{ policy: counter, handler: counter, level: 'SESSION', outcome: 'ALLOWED', reason: null, durationMicroseconds: expect.any(Number) }],
      llmAsked: false,
      failure: null,
    });
  });

  it('of a phase that the handler does not judge is skipped', async () => {
    expect(await answerOf('safety.ask_on_os_tools', { response: { content: 'hello' } })).toMatchObject({ verdict: 'ALLOW', steps: [{ outcome: 'SKIPPED' }] });
  });

  it('starts from the given state', async () => {
    expect(await answerOf(counter, bash, ...limit, '--state', '{"_policy_tool_call_count": 1}')).toMatchObject({ verdict: 'DENY', decidingPolicies: [counter] });
  });

  it('counts the given usage, in either spelling', async () => {
    const budget = ['--params', '{"max_cost_usd": 5, "ask_thresholds_usd": [2]}', '--usage'];
    expect(await answerOf('cost.cost_budget', bash, ...budget, '{"totalCostUsd": 1}')).toMatchObject({ verdict: 'ALLOW' });
    expect(await answerOf('cost.cost_budget', bash, ...budget, '{"total_cost_usd": 3}')).toMatchObject({ verdict: 'ASK' });
    expect(await answerOf('cost.cost_budget', bash, ...budget, '{"totalCostUsd": 6}')).toMatchObject({ verdict: 'DENY' });
  });

  it('has the model answer what it is told', async () => {
    const rude = ['--params', '{"prompt": "Is it rude?"}', '--llm-answer', '{"action": "DENY", "reason": "rude"}'];
    expect(await answerOf('prompt.prompt_policy', bash, ...rude)).toMatchObject({ verdict: 'DENY', reason: 'rude', llmAsked: true });
    expect((await simulate('prompt.prompt_policy', bash, ...rude)).stdout).toContain('\nmodel     asked\n');
  });

  it('shows what a handler threw, which only its author is to see', async () => {
    const { stdout } = await simulate(counter, bash, ...limit, '--state', '{"_policy_tool_call_count": "many"}');
    expect(stdout).toMatch(/^verdict {3}DENY\nreason {4}Policy "safety\.max_tool_calls_per_session" failed to judge this event\.\nfailure {3}\S/);
  });

  it('cannot steer the terminal', async () => {
    const { stdout } = await simulate('safety.ask_on_os_tools', { toolCall: { name: 'Bash\u001b[2J\u202e' } });
    expect(stdout).not.toMatch(/[\u001b\u202e]/);
  });
});

describe('the event', () => {
  const seen = { type: 'tool_call', target: 'Bash', data: { name: 'Bash', arguments: {} } };

  it('may be as policies see it, and bring its state and context along, as in a vector', async () => {
    expect(await answerOf('safety.ask_on_os_tools', { type: 'tool_call', data: { name: 'Bash' } })).toMatchObject({ verdict: 'ASK' });
    expect(await answerOf(counter, { ...seen, session_state: { _policy_tool_call_count: 1 } }, ...limit)).toMatchObject({ verdict: 'DENY' });
    const context = { actor: { run_as: 'me' }, model: 'm', usage: { total_cost_usd: 6 } };
    expect(await answerOf('cost.cost_budget', { ...seen, context }, '--params', '{"max_cost_usd": 5}')).toMatchObject({ verdict: 'DENY' });
  });

  it('yields to options', async () => {
    expect(await answerOf(counter, { ...seen, session_state: { _policy_tool_call_count: 1 } }, ...limit, '--state', '{}')).toMatchObject({ verdict: 'ALLOW' });
  });

  it('may be in a file', async () => {
    const file = path.join(folder, 'event.json');
    await writeFile(file, JSON.stringify(bash));
    expect(await answerOf('safety.ask_on_os_tools', file)).toMatchObject({ verdict: 'ASK' });
  });

  it('may come from stdin', async () => {
    const cli = startCli(['policy', 'simulate', '--handler', 'safety.ask_on_os_tools', '--event', '-'], { cwd: folder });
    cli.process.stdin?.end(JSON.stringify(seen));
    expect(await cli.result).toMatchObject({ code: 0, stdout: expect.stringMatching(/^verdict {3}ASK\n/) });
  });

  it.for([
    { type: 'request', data: { user_content: 'hello' } },
    { type: 'response', target: null, data: 'hello' },
    { type: 'tool_result', target: 'Bash', data: { result: 'ok' }, request_data: { name: 'Bash', arguments: {} } },
    { type: 'llm_request', data: {} },
    { type: 'llm_response', data: {} },
    { request: { content: 'hello' } },
    { toolResult: { name: 'Bash', result: { ok: true } } },
    { llmRequest: { model: 'm' } },
  ])('may be %j', async (event) => {
    expect(await answerOf('safety.ask_on_os_tools', event)).toMatchObject({ verdict: 'ALLOW' });
  });
});

describe('wrong use is told with the option that is wrong:', () => {
  it.for<[string, string[], string]>([
    ['an unknown handler', ['--handler', 'no.such', '--event', '{"type":"response","data":""}'], '--handler: There is no handler "no.such". countersign policy list names them all'],
    ['wrong params', ['--handler', counter, '--event', '{"type":"response","data":""}', '--params', '{"limit":"x","other":1}'], '--params: limit: Expected number, got string. (and 1 more)'],
    ['params that are no JSON', ['--handler', counter, '--event', '{"type":"response","data":""}', '--params', 'limit=1'], '--params: this is not JSON'],
    ['params that are a list', ['--handler', counter, '--event', '{"type":"response","data":""}', '--params', '[]'], '--params: this is no JSON object'],
    ['a label that is a number', ['--handler', counter, '--event', '{"type":"response","data":""}', '--labels', '{"a":1}'], '--labels: a: The value of a label is a text.'],
    ['negative usage', ['--handler', counter, '--event', '{"type":"response","data":""}', '--usage', '{"totalCostUsd":-1}'], '--usage: total_cost_usd: Expected 0 or more.'],
    ['unknown usage', ['--handler', counter, '--event', '{"type":"response","data":""}', '--usage', '{"cost":1}'], '--usage: cost: Unknown parameter. Known here: input_tokens'],
    ['a file that is not there', ['--handler', counter, '--event', 'nope.json'], '--event: nope.json is neither JSON nor a file that can be read'],
    ['a tool without a name', ['--handler', counter, '--event', '{"toolCall":{"name":" "}}'], '--event: toolCall.name: must not be blank'],
    ['no event at all', ['--handler', counter, '--event', '{}'], '--event: must have exactly one of request'],
    ['an unknown type', ['--handler', counter, '--event', '{"type":"TOOL_CALL"}'], '--event: type: The type of an event is request, response, tool_call'],
    ['an event without its data', ['--handler', counter, '--event', '{"type":"tool_call"}'], '--event: data: Missing'],
    ['a result of no tool', ['--handler', counter, '--event', '{"type":"tool_result","data":{"result":"x"}}'], '--event: target: Missing: the name of the tool.'],
    ['no handler', ['--event', '{}'], "required option '--handler <name>' not specified"],
    ['no event', ['--handler', counter], "required option '--event <json>' not specified"],
  ])('%s', async ([, options, message]) => {
    const { code, stdout, stderr } = await inProcess('policy', 'simulate', ...options);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`countersign: ${message}`);
    expect(stderr).toMatch(/^[^\n]+\n$/);
  });
});
