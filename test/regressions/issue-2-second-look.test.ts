import { createClient } from 'graphql-ws';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import WebSocket from 'ws';
import { EvaluationSchema } from '../../src/entities/evaluation.entity.ts';
import { createPolicy } from '../../src/gate/create-policy.ts';
import { createSession } from '../../src/gate/create-session.ts';
import { endSession } from '../../src/gate/end-session.ts';
import { evaluatePolicy } from '../../src/gate/evaluate-policy.ts';
import { resolveElicitation } from '../../src/gate/resolve-elicitation.ts';
import { resolveElicitations } from '../../src/gate/resolve-elicitations.ts';
import { attachPolicy, bash, eventually, expectKind, hold, startAskingSession, startSession } from '../support/journey.ts';
import { openTestGate, type TestGate } from '../support/open-gate.ts';
import { post } from '../support/post.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';

type Wire = ReturnType<JSON['parse']>;

describe('at the gate', () => {
  let test: TestGate;
  beforeEach(async () => {
    test = await openTestGate();
  });
  afterEach(() => test.close());

  it('a condition counts for the label that it names, with blanks around it or without', async () => {
    const session = await startSession(test.open(), { labels: { env: 'x' } });
    await attachPolicy(test.open(), session, { condition: { ' env ': 'x' } });
    expect(await evaluatePolicy(test.open(), bash(session, 'ls', { waitSeconds: 0 }))).toMatchObject({ evaluation: { verdict: 'ASK' } });
    expect(await createPolicy(test.open(), { target: { sessionId: session.id }, name: 'x', handler: 'safety.ask_on_os_tools', condition: { env: 'x', ' env': 'y' } })).toMatchObject({
      kind: 'invalidInput',
      issues: [{ path: ['condition', ' env'], message: 'is given twice' }],
    });
  });

  it('an edit is refused that another policy asks about, though one of its name has asked', async () => {
    const session = await startSession(test.open());
    await attachPolicy(test.open(), session, { name: 'guard' });
    expectKind(await createPolicy(test.open(), { target: { agentId: session.agent }, name: 'guard', handler: 'orchestration.blast_radius' }), 'created');
    const { elicitation } = await hold(test.open(), session);
    expect(await resolveElicitation(test.open(), { elicitationId: elicitation.id, action: 'ACCEPT', editedArguments: { command: 'rm -rf ./build' } })).toMatchObject({ kind: 'editRefused', policy: 'guard' });
    expect(await resolveElicitation(test.open(), { elicitationId: elicitation.id, action: 'ACCEPT' })).toMatchObject({ kind: 'resolved' });
  });

  it('the same answer to the same many, sent again, is no error', async () => {
    const session = await startAskingSession(test.open());
    const held = [await hold(test.open(), session), await hold(test.open(), session, bash(session, 'pwd'))];
    const ids = held.map(({ elicitation }) => elicitation.id);
    const first = expectKind(await resolveElicitations(test.open(), { ids, action: 'ACCEPT' }), 'resolved');
    expect(await resolveElicitations(test.open(), { ids, action: 'ACCEPT' })).toEqual(first);
    expect(await resolveElicitations(test.open(), { ids, action: 'DECLINE' })).toMatchObject({ kind: 'alreadyResolved' });
  });

  it('an ask whose call fails after the commit has the grace time, and no more', async () => {
    const session = await startAskingSession(test.open());
    const gate = test.open();
    const { enter } = gate.waiting;
    vi.spyOn(gate.waiting, 'enter').mockImplementationOnce((id) => ({ ...enter(id), wait: () => Promise.reject(new Error('the timer is broken')) }));
    await expect(evaluatePolicy(gate, bash(session))).rejects.toThrow();
    const [evaluation] = await test.open().em.find(EvaluationSchema, {});
    expect(evaluation).toMatchObject({ status: 'AWAITING_APPROVAL', abandonAt: expect.any(Date) });
    await test.pass(61);
    expect(await test.open().em.findOneOrFail(EvaluationSchema, { id: evaluation?.id ?? ('' as never) })).toMatchObject({ status: 'ABANDONED' });
  });

  it('a session that ends takes with it what begins below it meanwhile', async () => {
    const parent = await startSession(test.open());
    const begin = () => createSession(test.open(), { agentId: parent.agent, parentId: parent.id });
    const [, ...begun] = await Promise.all([endSession(test.open(), { sessionId: parent.id }), ...Array.from({ length: 30 }, begin)]);
    const rows = await test.orm.em.getConnection().execute<{ open: number }[]>('select cast(count(*) as int) as open from session where ended_at is null');
    expect(begun.every(({ kind }) => kind === 'created' || kind === 'conflict')).toBe(true);
    expect(rows).toEqual([{ open: 0 }]);
  });
});

describe('on the wire', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
  });
  afterEach(() => server.remove());

  const send = async (body: string): Promise<Wire> => (await fetch(server.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).json();
  const evaluate = 'mutation ($input: EvaluatePolicyInput!) { evaluatePolicy(input: $input) { __typename ... on InvalidInputError { issues { path message } } } }';

  it('a whole number that would not come back as it went in is refused with its place, as a variable and in a document, over HTTP and WebSockets', async () => {
    const { id } = await startSession(server.openGate());
    const refused = { evaluatePolicy: { __typename: 'InvalidInputError', issues: [{ path: ['event', 'toolCall', 'arguments', 'to'], message: expect.stringContaining('send it as text') }] } };
    const variables = `{"input":{"sessionId":"${id}","waitSeconds":0,"event":{"toolCall":{"name":"Pay","arguments":{"to":9007199254740993}}}}}`;
    expect((await send(`{"query":${JSON.stringify(evaluate)},"variables":${variables}}`)).data).toEqual(refused);
    const literal = `mutation { evaluatePolicy(input: { sessionId: "${id}", waitSeconds: 0, event: { toolCall: { name: "Pay", arguments: { to: 9007199254740993 } } } }) { __typename ... on InvalidInputError { issues { path message } } } }`;
    expect((await send(JSON.stringify({ query: literal }))).data).toEqual(refused);

    const socket = new WebSocket(server.wsUrl, ['graphql-transport-ws']);
    const messages: Wire[] = [];
    socket.on('message', (data: Buffer) => messages.push(JSON.parse(data.toString())));
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send('{"type":"connection_init"}');
    await eventually(() => messages.length > 0);
    socket.send(`{"id":"1","type":"subscribe","payload":{"query":${JSON.stringify(evaluate)},"variables":${variables}}}`);
    const { payload } = await eventually(() => messages.find(({ type }) => type === 'next'));
    expect(payload.data).toEqual(refused);
    socket.terminate();
  });

  it('a document that cannot be parsed gets its code over a WebSocket, and its status over HTTP, whoever sent it first', async () => {
    const client = createClient({ url: server.wsUrl, webSocketImpl: WebSocket, retryAttempts: 0 });
    const failure = await client.iterate({ query: '{' }).next().catch((error: unknown) => error);
    expect(failure).toMatchObject([{ extensions: { code: 'GRAPHQL_PARSE_FAILED' } }]);
    const nobody = await client.iterate({ query: 'query a { viewer { id } }', operationName: 'b' }).next().catch((error: unknown) => error);
    expect(nobody).toMatchObject([{ extensions: { code: 'OPERATION_RESOLUTION_FAILURE' } }]);
    client.terminate();
    const response = await post(server.url, '{', { headers: { accept: 'application/graphql-response+json' } });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'GRAPHQL_PARSE_FAILED' } }] });
  });

  it('a client that reads nothing is read no more: memory stays', { timeout: 60_000 }, async () => {
    const socket = new WebSocket(server.wsUrl, ['graphql-transport-ws']);
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send('{"type":"connection_init"}');
    await new Promise((resolve) => socket.once('message', resolve));
    socket.pause();
    const before = process.memoryUsage().rss;
    const ping = JSON.stringify({ type: 'ping', payload: { x: 'x'.repeat(4_000_000) } });
    for (let count = 0; count < 60; count += 1) await new Promise((resolve) => socket.send(ping, resolve));
    expect(process.memoryUsage().rss - before).toBeLessThan(300_000_000); // 240 MB were sent from this very process
    socket.terminate();
  });
});
