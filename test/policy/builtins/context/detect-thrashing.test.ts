import { describe, expect, it } from 'vitest';
import type { Json, JsonObject, PolicyEvent } from '../../../../src/policy/index.ts';
import { detectThrashing } from '../../../../src/policy/builtins/context/detect-thrashing.ts';
import { request } from '../../support/pass.ts';
import { opinionOf } from '../../support/verdict-of.ts';

function result(value: Json): PolicyEvent {
  return { type: 'tool_result', target: 'Bash', data: { result: value } };
}

/** Whether this result alone counts as a failure. */
function judge(value: Json): string {
  return opinionOf(detectThrashing, { consecutive_threshold: 1 }, { event: result(value) }).kind;
}

describe('a result that tells of a failure', () => {
  it.for<Json>([
    ...['\u001b[31mError: x\u001b[0m', 'Exception in thread "main" x', 'Build failed', 'HTTP/1.1 502 Bad Gateway', '404 Not Found', 'connect ECONNREFUSED 127.0.0.1:80', '{"status":500}'],
    ...['Error: boom', 'error - x', '\n  FATAL: x', 'Traceback (most recent call last):\n  File', 'ENOENT: x', 'Permission denied', 'Failed to fetch', 'error: 0 matches failed'],
    ...['bash: foo: command not found', 'bash: line 1: foo: command not found', 'sh: 1: foo: not found', 'zsh: command not found: foo', 'foo: not found', "'foo' is not recognized as an internal or external command,"],
    ...["ls: cannot access 'x': No such file or directory", 'cat: x: Permission denied', 'cat: x: Is a directory\n', 'grep: unrecognized option: z', "make: *** [all] Error 2"],
    ...['npm ERR! code ENOENT', 'npm error code E404', 'TypeError: x is not a function', 'java.lang.NullPointerException: y', 'requests.exceptions.ConnectionError: z', 'Uncaught SyntaxError: x', 'panic: runtime error', 'Segmentation fault (core dumped)'],
    ...['error[E0308]: mismatched types', 'a.c:1:2: error: x', 'src/a.ts(1,2): error TS2304: x', 'FAIL test/a.test.ts', '[ERROR] x', 'ERROR Something', 'E: Unable to locate package x', 'Error response from daemon: x', 'Error reading file x'],
    ...['Exit code: 1\nsome output', 'Process exited with code 127', "Command '['x']' returned non-zero exit status 2.", 'output\nmore\nexit status 1', '<tool_use_error>x</tool_use_error>'],
    ...['{"error":"x","code":5}', '{\n "error" : {"m":1}}', '{"ok":true,"error":"x"}', '{"a":{},"error":"x"}', '{"error":{"code":404},"data":nul', '{"success":false}', '{"ok":false,"message":"x"}', '{"is_error":true}', '{"exit_code":2,"stdout":""}', '{"exitCode":"1"}', '{"statusCode":500}', '{"status":"error"}', '{"errors":[{"message":"x"}],"data":null}'],
    { error: 'x' },
    { isError: true, content: [{ type: 'text', text: 'x' }] },
    { content: [{ type: 'text', text: 'Error: boom' }] },
    { content: [{ type: 'text', text: '{"error":"x"}' }] },
    [{ type: 'text', text: 'Error: boom' }],
    { result: { error: 'x' } },
  ])('is one: %j', (value) => {
    expect(judge(value)).toBe('ask');
  });
});

describe('a result that only looks like a failure', () => {
  it.for<Json>([
    ...['{"items":[{"error":"x"}]}', '{"status":200}', '500 files changed', 'HTTP 200', '\u001b[32mok\u001b[0m'],
    ...['', 'done in 3s', '0 failed, 12 passed', 'Errors: 0', 'failed: 0, passed: 12', 'Failed: none', 'error: null', 'Error: 0', 'erroneous: x', 'warning: x', 'no error', 'Error handling in Rust', 'errors.md', 'Errors and how to read them'],
    ...['Exit code: 0\nok', 'Process exited with code 0', 'README: this page was not found by many', 'export class TypeError {}', 'The file says: error: x', 'src/error.ts:1: export const x', 'Errorless: yes', 'failedTests = []'],
    ...['{}', '{"result":"error"}', '{"errors":[]}', '{"error":null,"ok":true}', '{"error": ""}', '{"error":false}', '{"error": {}}', '{"error":[] ,"x":1}', '["error"]', '{"data":{"x":1},"ok":true}', '{"message":"no \\"error\\": here"}', '{"exit_code":0,"stdout":"error: x"}', '{"is_error":false,"text":"error: x"}', '{"status":200}', '{"statusCode":204}', '{"errorCount":0}'],
    ...[null, 5, true, [], {}, { ok: true }, { error: null }],
    { isError: false, content: [{ type: 'text', text: 'fine' }] },
    `${'x'.repeat(600)} error: late`,
  ])('is none: %j', (value) => {
    expect(judge(value)).toBe('allow');
  });
});

describe('the history', () => {
  const failing = result('error: x');

  function played(params: JsonObject, stored: Json): JsonObject {
    return { ...opinionOf(detectThrashing, params, { event: failing, known: { state: { _thrashing_results: stored } } }) };
  }

  it('is written with each opinion, also with an objection', () => {
    const stateUpdates = [{ key: '_thrashing_results', action: 'set', value: [1, 1] }];
    expect(played({ consecutive_threshold: 2 }, [1])).toMatchObject({ kind: 'ask', stateUpdates });
    expect(played({ consecutive_threshold: 2, action: 'deny' }, [1])).toMatchObject({ kind: 'deny', stateUpdates });
    expect(played({ consecutive_threshold: 3 }, [1])).toMatchObject({ kind: 'allow', stateUpdates });
  });

  it('starts anew where the state holds something else', () => {
    for (const stored of ['111', [1, '1'], [1.5], { 0: 1 }, null]) expect(played({ consecutive_threshold: 2 }, stored).kind).toBe('allow');
  });

  it('is as long as the larger of both windows', () => {
    expect(played({ consecutive_threshold: 3, window: 2 }, [0, 0, 0, 0])).toMatchObject({ stateUpdates: [{ value: [0, 0, 1] }] });
  });

  it('counts the rate of the window only', () => {
    expect(played({ consecutive_threshold: 0, window: 2, window_error_rate: 0.5 }, [0, 0, 0]).kind).toBe('ask');
    expect(played({ consecutive_threshold: 4, window: 2, window_error_rate: 0.6 }, [1, 0, 0]).kind).toBe('allow');
  });
});

it('has no opinion of other phases', () => {
  expect(opinionOf(detectThrashing, { consecutive_threshold: 1 }, { event: request('error: x') }).kind).toBe('abstain');
});

it.for<Json>(['{"a":'.repeat(200_000), `{${'"error"'.repeat(150_000)}`, 'exit code '.repeat(100_000), `E${'r'.repeat(1_000_000)}`, ' '.repeat(1_000_000), 'a.'.repeat(500_000), { content: Array.from({ length: 100_000 }, () => ({ type: 'text', text: 'x' })) }])('judges a large result soon (%#)', (value) => {
  const startedAt = performance.now();
  judge(value);
  expect(performance.now() - startedAt).toBeLessThan(1500);
});

it.for([{ consecutive_threshold: 1.5 }, { window: '10' }, { window_error_rate: 1.1 }, { window_error_rate: -0.1 }, { threshold: 1 }])('refuses the params %j', (params) => {
  expect(detectThrashing.build(params).kind).toBe('invalidParams');
});
