import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient, type ClientOptions } from '../../src/sdk/index.ts';
import { evaluates, says, startFailingServer, type Answering } from './failing-server.ts';

const whole = { __typename: 'Evaluation', id: 'evl_1', verdict: 'ALLOW', status: 'DECIDED', decidedBy: 'POLICY', reason: null, data: null, elicitation: null };
const without = (field: keyof typeof whole) => Object.fromEntries(Object.entries(whole).filter(([name]) => name !== field));

/** A gated tool of a server that answers so. */
async function gatedBy(answer: Answering, options: Partial<ClientOptions> = {}) {
  const server = await startFailingServer(answer);
  const client = createClient({ url: server.url, patienceSeconds: 1, ...options });
  onTestFinished(async () => {
    client.close();
    await server.close();
  });
  let runs = 0;
  const tool = client.gate(() => (runs += 1), { session: 'ses_1', name: 'tool' });
  return { tool, server, runs: () => runs };
}

describe('a gated tool does not run, and its call is rejected as undecided, when the server answers', () => {
  it.each<[string, Answering, object]>([
    ['an unknown verdict', evaluates({ ...whole, verdict: 'PERHAPS' }), { name: 'MalformedAnswerError' }],
    ['an ALLOW of an unknown status', evaluates({ ...whole, status: 'ALMOST' }), { name: 'MalformedAnswerError' }],
    ['an ALLOW that waits for an approval', evaluates({ ...whole, status: 'AWAITING_APPROVAL' }), { name: 'MalformedAnswerError' }],
    ['an ALLOW without data', evaluates(without('data')), { name: 'MalformedAnswerError' }],
    ['an ALLOW without a status', evaluates(without('status')), { name: 'MalformedAnswerError' }],
    ['an ALLOW without a type', evaluates(without('__typename')), { name: 'MalformedAnswerError' }],
    ['an ALLOW beside errors', says(JSON.stringify({ data: { evaluatePolicy: whole }, errors: [{ message: 'No.', extensions: { code: 'BAD_USER_INPUT' } }] })), { code: 'BAD_USER_INPUT' }],
    ['an ALLOW beside errors that are no list', says(JSON.stringify({ data: { evaluatePolicy: whole }, errors: 'No.' })), { name: 'MalformedAnswerError' }],
    ['an ALLOW with status 500', says(JSON.stringify({ data: { evaluatePolicy: whole } }), { status: 500 }), { code: 'HTTP_500' }],
    ['null', evaluates(null), { name: 'MalformedAnswerError' }],
    ['true', evaluates(true), { name: 'MalformedAnswerError' }],
    ['no data', says('{}'), { name: 'MalformedAnswerError' }],
    ['a list', says(JSON.stringify([{ data: { evaluatePolicy: whole } }])), { name: 'MalformedAnswerError' }],
    ['half an answer', says(JSON.stringify({ data: { evaluatePolicy: whole } }).slice(0, -10)), { name: 'MalformedAnswerError' }],
    ['a page', says('<html>Log in</html>', { contentType: 'text/html' }), { name: 'MalformedAnswerError' }],
    ['nothing', says(''), { name: 'UnreachableError' }],
    ['blanks for ever and then nothing', says(' '.repeat(1000)), { name: 'UnreachableError' }],
    ['status 401', says('{"errors":[{"message":"Who?","extensions":{"code":"UNAUTHENTICATED"}}]}', { status: 401 }), { code: 'UNAUTHENTICATED' }],
    ['status 403 and a page', says('Forbidden', { status: 403, contentType: 'text/plain' }), { code: 'HTTP_403' }],
    ['status 502 and a page', says('<html>Bad gateway</html>', { status: 502, contentType: 'text/html' }), { code: 'HTTP_502' }],
    ['an error type', evaluates({ __typename: 'NotFoundError', message: 'There is no session.', id: 'ses_1' }), { result: { __typename: 'NotFoundError' } }],
    ['an error type of a newer server', evaluates({ __typename: 'MoonPhaseError', message: 'Not today.' }), { name: 'RefusedError', message: 'MoonPhaseError: Not today.' }],
    ['a success type of a newer server', evaluates({ ...whole, __typename: 'PartialEvaluation' }), { name: 'MalformedAnswerError' }],
  ])('%s', async (_, answer, cause) => {
    const { tool, runs } = await gatedBy(answer);
    await expect(tool({})).rejects.toMatchObject({ name: 'UndecidedError', phase: 'TOOL_CALL', decidedBy: null, cause });
    expect(runs()).toBe(0);
  });

  it('an ALLOW with other data than arguments for the tool', async () => {
    for (const data of ['text', { name: 'other', arguments: {} }, { name: 'tool', arguments: [] }, { name: 'tool' }]) {
      const { tool, runs } = await gatedBy(evaluates({ ...whole, data }));
      await expect(tool({})).rejects.toMatchObject({ name: 'UndecidedError', reason: expect.stringContaining('other data than arguments'), evaluationId: 'evl_1' });
      expect(runs()).toBe(0);
    }
  });
});

describe('a gated tool does not run, and its call is denied, when the server answers', () => {
  it.each([
    ['DENY with an unknown status and an unknown decider', { ...whole, verdict: 'DENY', status: 'BURIED', decidedBy: 'ORACLE', reason: 'So it is.' }, { reason: 'So it is.', decidedBy: 'ORACLE' }],
    ['DENY without words', { ...whole, verdict: 'DENY' }, { reason: 'Denied.' }],
  ])('%s', async (_, evaluation, denial) => {
    const { tool, runs } = await gatedBy(evaluates(evaluation));
    await expect(tool({})).rejects.toMatchObject({ name: 'DeniedError', ...denial });
    expect(runs()).toBe(0);
  });
});

describe('what goes wrong', () => {
  it('is tried again in growing pauses while it may pass, and not at all while it cannot', async () => {
    const full = await gatedBy(evaluates({ __typename: 'NotFoundError', message: 'No.', id: 'ses_1' }));
    await expect(full.tool({})).rejects.toThrow();
    expect(full.server.requests()).toBe(1);

    const broken = await gatedBy(says('', { status: 503 }));
    await expect(broken.tool({})).rejects.toThrow('HTTP status 503');
    expect(broken.server.requests()).toBeGreaterThanOrEqual(3);
    expect(broken.server.requests()).toBeLessThanOrEqual(12);
  });

  it.each<[string, Answering[]]>([
    ['was refused for want of a place, limited, and let go', [evaluates({ __typename: 'TooManyPendingError', message: 'Full.', limit: 1 }), evaluates({ __typename: 'RateLimitedError', message: 'Slowly.', retryAfterSeconds: 0 }), evaluates({ ...whole, verdict: 'ASK', status: 'AWAITING_APPROVAL' })]],
    ['met a server that starts, a fault and half an answer', [says('', { status: 503 }), says('{"errors":[{"message":"Unexpected error","extensions":{"code":"INTERNAL_SERVER_ERROR"}}]}'), says('{"data":')]],
    ['was cut', [(request) => request.socket.destroy()]],
  ])('is outlived: a call that %s is allowed in the end', async (_, answers) => {
    const { tool, runs } = await gatedBy((request, response) => (answers.shift() ?? evaluates(whole))(request, response), { patienceSeconds: 30 });
    await expect(tool({})).resolves.toBe(1);
    expect(answers).toEqual([]);
    expect(runs()).toBe(1);
  });

  it('in the caller’s own token is the caller’s to see, and nothing is sent', async () => {
    const fault = new Error('The keychain is locked.');
    const { tool, server } = await gatedBy(evaluates(whole), {
      token: () => {
        throw fault;
      },
    });
    await expect(tool({})).rejects.toBe(fault);
    expect(server.requests()).toBe(0);
  });

  it('says nothing of the arguments, which may be secret', async () => {
    const server = await startFailingServer(says('No.', { status: 400, contentType: 'text/plain' }));
    const client = createClient({ url: server.url });
    onTestFinished(() => server.close());
    const error = await client.gate(() => 1, { session: 'ses_1', name: 'login' })({ password: 'hunter2' }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'UndecidedError' });
    const { cause } = error as { cause: Error };
    expect(JSON.stringify([String(error), String(cause), error, cause, cause.cause ?? null])).not.toContain('hunter2');
  });

  it('in the URL is said at once', () => {
    expect(() => createClient({ url: 'localhost' })).toThrow('"localhost" is no URL. Give the server\'s, such as http://127.0.0.1:4000/graphql.');
  });
});
