import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ElicitationSchema } from '../../src/entities/elicitation.entity.ts';
import type { Session } from '../../src/entities/session.entity.ts';
import { eventually, pending, startAskingSession } from '../support/journey.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';
import { openBareSocket, type BareSocket } from './bare-socket.ts';

/** What a client reads off the wire: judged by assertions, not by a type. */
type Wire = ReturnType<JSON['parse']>;

let server: TestServer;
const sockets: BareSocket[] = [];

beforeAll(async () => {
  server = await startTestServer({ shutdownSeconds: 1, limits: { bodyBytes: 100_000 } });
});
afterEach(async () => {
  expect(await ask(await acknowledged(), '{ viewer { id } }')).toEqual({ data: { viewer: { id: 'local' } } }); // whatever came before, the next client is served
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(() => server.remove());

async function open(handshake?: Parameters<typeof openBareSocket>[1]): Promise<BareSocket> {
  const socket = await openBareSocket(server.wsUrl, handshake);
  sockets.push(socket);
  return socket;
}

async function acknowledged(): Promise<BareSocket> {
  const socket = await open();
  socket.frame(1, '{"type":"connection_init"}');
  await eventually(() => socket.texts.length === 1);
  expect(socket.texts).toEqual(['{"type":"connection_ack"}']);
  return socket;
}

function subscribe(id: string, query: string, variables: object = {}): string {
  return JSON.stringify({ id, type: 'subscribe', payload: { query, variables } });
}

/** The messages about one operation. */
function about(socket: BareSocket, id: string): { type: string; payload?: Wire }[] {
  return socket.texts.map((text) => JSON.parse(text)).filter((message) => message.id === id);
}

async function ask(socket: BareSocket, query: string, id = 'ask'): Promise<unknown> {
  socket.frame(1, subscribe(id, query));
  return (await eventually(() => about(socket, id)[0])).payload;
}

const evaluate = /* GraphQL */ `
  mutation ($sessionId: ID!, $tool: String!) {
    evaluatePolicy(input: { sessionId: $sessionId, event: { toolCall: { name: $tool, arguments: { command: "ls" } } } }) {
      __typename
      ... on Evaluation {
        verdict
        event
      }
    }
  }
`;

describe('a message that the protocol does not know', () => {
  it.each([
    ['garbage', 'hello'],
    ['nothing', ''],
    ['JSON that is null', 'null'],
    ['JSON that is a number', '1'],
    ['JSON that is a list', '[{"type":"connection_init"}]'],
    ['an unknown type', '{"type":"hello"}'],
    ['a type that every object has', '{"type":"constructor"}'],
    ['no type', '{}'],
    ['a subscribe without an id', '{"type":"subscribe","payload":{"query":"{ viewer { id } }"}}'],
    ['a subscribe with an empty id', '{"type":"subscribe","id":"","payload":{"query":"{ viewer { id } }"}}'],
    ['a subscribe with an id that is a number', '{"type":"subscribe","id":1,"payload":{"query":"{ viewer { id } }"}}'],
    ['a subscribe without a query', '{"type":"subscribe","id":"1","payload":{}}'],
    ['a subscribe whose query is a list', '{"type":"subscribe","id":"1","payload":{"query":["{ viewer { id } }"]}}'],
    ['a subscribe whose variables are a text', '{"type":"subscribe","id":"1","payload":{"query":"{ viewer { id } }","variables":"x"}}'],
    ['a subscribe whose variables are a list', '{"type":"subscribe","id":"1","payload":{"query":"{ viewer { id } }","variables":[1]}}'],
    ['a subscribe whose operation name is a number', '{"type":"subscribe","id":"1","payload":{"query":"{ viewer { id } }","operationName":1}}'],
    ['a subscribe whose extensions are a text', '{"type":"subscribe","id":"1","payload":{"query":"{ viewer { id } }","extensions":"x"}}'],
    ['a complete without an id', '{"type":"complete"}'],
    ['a ping with a text', '{"type":"ping","payload":"x"}'],
  ])('such as %s closes the connection with 4400', async (_, text) => {
    const socket = await acknowledged();
    socket.frame(1, text);
    expect(await socket.closed).toBe(4400);
  });

  it.each([
    ['an acknowledgement', '{"type":"connection_ack"}'],
    ['a result', '{"type":"next","id":"1","payload":{"data":{}}}'],
    ['an error', '{"type":"error","id":"1","payload":[{"message":"x"}]}'],
  ])('or only from a server, such as %s, closes the connection', async (_, text) => {
    const socket = await acknowledged();
    socket.frame(1, text);
    expect(await socket.closed).toBe(4500);
  });

  it('in a binary frame closes the connection with 4400', async () => {
    const socket = await acknowledged();
    socket.frame(2, Buffer.from([0, 255, 1, 254]));
    expect(await socket.closed).toBe(4400);
  });

  it.each([
    ['a ping', `{"type":"ping","payload":{"a":${'['.repeat(40_000)}${']'.repeat(40_000)}}}`],
    ['variables', `{"type":"subscribe","id":"1","payload":{"query":"query ($a: Int) { agents(first: $a) { edges { cursor } } }","variables":{"a":${'['.repeat(40_000)}${']'.repeat(40_000)}}}}`],
  ])('that nests %s 40,000 deep harms nobody', async (_, text) => {
    const socket = await acknowledged();
    socket.frame(1, text);
    expect(await Promise.race([socket.closed, eventually(() => socket.texts[1])])).toSatisfy((end) => end === 4500 || (typeof end === 'string' && end.includes('BAD_USER_INPUT')));
  });
});

describe('frames that are none', () => {
  it.each([
    ['text that is no UTF-8', (socket: BareSocket) => socket.frame(1, Buffer.from([0x7b, 0xff, 0x7d])), 1007],
    ['a frame without a mask', (socket: BareSocket) => socket.frame(1, '{"type":"ping"}', { isMasked: false }), 1002],
    ['a frame of an unknown kind', (socket: BareSocket) => socket.frame(3, 'x'), 1002],
    ['a control frame in parts', (socket: BareSocket) => socket.frame(9, 'x', { isFinal: false }), 1002],
    ['a control frame that is too long', (socket: BareSocket) => socket.frame(9, 'x'.repeat(126)), 1002],
    ['a close frame with half a code', (socket: BareSocket) => socket.frame(8, Buffer.from([3])), 1002],
    ['a close frame with a code that is none', (socket: BareSocket) => socket.frame(8, Buffer.from([0, 1])), 1002],
    ['a continuation of nothing', (socket: BareSocket) => socket.frame(0, 'x'), 1002],
    ['a frame larger than the limit', (socket: BareSocket) => socket.frame(1, 'x'.repeat(100_001)), 1009],
    ['a frame that says it has exabytes', (socket: BareSocket) => socket.write(Buffer.from([0x81, 0xff, 0, 255, 255, 255, 255, 255, 255, 255])), 1009],
    ['parts that together are larger than the limit', (socket: BareSocket) => [1, 0, 0].forEach((opcode) => socket.frame(opcode, 'x'.repeat(40_000), { isFinal: false })), 1009],
  ])('such as %s close the connection', async (_, send, code) => {
    const socket = await acknowledged();
    send(socket);
    expect(await socket.closed).toBe(code);
  });
});

describe('a handshake', () => {
  it.each(['graphql-ws', 'mqtt', ''])('with the subprotocol "%s" is closed with 4406', async (protocol) => {
    const socket = await open({ protocol });
    expect(socket.answer).toMatch(/^HTTP\/1\.1 101 /);
    expect(await socket.closed).toBe(4406);
  });

  it.each([
    ['by POST', { method: 'POST' }, 405],
    ['of another protocol than WebSocket', { headers: { upgrade: 'h2c' } }, 400],
    ['without a key', { headers: { 'sec-websocket-key': '' } }, 400],
    ['with a key that is none', { headers: { 'sec-websocket-key': 'x' } }, 400],
    ['of another version', { headers: { 'sec-websocket-version': '1' } }, 400],
    ['with a subprotocol that is no name', { protocol: 'a,,b' }, 400],
  ])('%s is refused', async (_, handshake, status) => {
    const socket = await open(handshake);
    expect(socket.answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  it('that is never followed by an init is closed with 4408', async () => {
    const socket = await open();
    expect(await socket.closed).toBe(4408);
  });
});

describe('a client that does not keep to the order', () => {
  it('and subscribes first is closed with 4401, and nothing runs', async () => {
    const socket = await open();
    const session = await startAskingSession(server.openGate());
    socket.frame(1, subscribe('1', evaluate, { sessionId: session.id, tool: 'Bash' }));
    expect(await socket.closed).toBe(4401);
    expect(await pending(server.openGate(), session)).toEqual([]);
  });

  it('and subscribes before the acknowledgement, in one breath with the init, is served or closed with 4401', async () => {
    const socket = await open();
    socket.frame(1, '{"type":"connection_init"}');
    socket.frame(1, subscribe('1', '{ viewer { id } }'));
    expect(await Promise.race([socket.closed, eventually(() => about(socket, '1')[0]?.type)])).toSatisfy((end) => end === 4401 || end === 'next');
  });

  it('and initialises twice is closed with 4429', async () => {
    const socket = await acknowledged();
    socket.frame(1, '{"type":"connection_init"}');
    expect(await socket.closed).toBe(4429);
  });

  it('and uses the id of a running operation is closed with 4409, and the held call of it is left', async () => {
    const socket = await acknowledged();
    const session = await startAskingSession(server.openGate());
    socket.frame(1, subscribe('1', evaluate, { sessionId: session.id, tool: 'Bash' }));
    await eventually(async () => (await pending(server.openGate(), session))[0]);
    socket.frame(1, subscribe('1', evaluate, { sessionId: session.id, tool: 'Bash' }));
    expect(await socket.closed).toBe(4409);
    expect(await pending(server.openGate(), session)).toHaveLength(1);
  });

  it.each(['__proto__', 'constructor', 'toString', '\u0000', '\ud83d\ude00', 'x'.repeat(10_000)])('and takes the id %j is answered under it', async (id) => {
    expect(await ask(await acknowledged(), '{ viewer { id } }', id)).toEqual({ data: { viewer: { id: 'local' } } });
  });

  it('and completes what it never began is left alone', async () => {
    const socket = await acknowledged();
    socket.frame(1, '{"type":"complete","id":"never"}');
    expect(await ask(socket, '{ viewer { id } }')).toEqual({ data: { viewer: { id: 'local' } } });
  });
});

describe('an id that is used again after its operation was completed', () => {
  it('never gets the verdict of the first call', async () => {
    const session = await startAskingSession(server.openGate());
    const socket = await acknowledged();
    const call = (tool: string) => subscribe('1', evaluate, { sessionId: session.id, tool });
    socket.frame(1, call('Bash'));
    await eventually(async () => (await pending(server.openGate(), session))[0]);
    socket.frame(1, '{"type":"complete","id":"1"}');
    socket.frame(1, call('Harmless'));
    await eventually(() => about(socket, '1').some(({ type }) => type === 'complete'));
    expect(about(socket, '1')).toEqual([
      { id: '1', type: 'next', payload: { data: { evaluatePolicy: { __typename: 'Evaluation', verdict: 'ALLOW', event: expect.objectContaining({ target: 'Harmless' }) } } } },
      { id: '1', type: 'complete' },
    ]);
  });

  it('belongs to the second subscription, which goes on', async () => {
    const session = await startAskingSession(server.openGate());
    const socket = await acknowledged();
    socket.frame(1, subscribe('1', 'subscription { elicitationResolved { id } }'));
    expect(await ask(socket, '{ viewer { id } }')).toBeDefined();
    socket.frame(1, '{"type":"complete","id":"1"}');
    socket.frame(1, subscribe('1', 'subscription ($id: ID!) { elicitationRequested(sessionId: $id) { status } }', { id: session.id }));
    socket.frame(1, subscribe('2', evaluate, { sessionId: session.id, tool: 'Bash' }));
    await eventually(() => about(socket, '1').length > 0);
    expect(about(socket, '1')).toEqual([{ id: '1', type: 'next', payload: { data: { elicitationRequested: { status: 'PENDING' } } } }]);
  });

  it('is the same as any other when its first operation was refused', async () => {
    const socket = await acknowledged();
    socket.write(Buffer.concat([frames(subscribe('1', '{ nothing }')), frames('{"type":"complete","id":"1"}'), frames(subscribe('1', '{ viewer { id } }'))]));
    await eventually(() => about(socket, '1').some(({ type }) => type === 'complete'));
    expect(about(socket, '1').at(-2)).toEqual({ id: '1', type: 'next', payload: { data: { viewer: { id: 'local' } } } });
  });
});

describe('an operation', () => {
  it.each([
    ['with a document that is none', 'hello {', 'Syntax Error: Unexpected Name "hello".'],
    ['with nothing to run', 'fragment A on Query { viewer { id } }', 'Fragment "A" is never used.'],
    ['with fragments that contain themselves', '{ ...A } fragment A on Query { ...A }', 'Cannot spread fragment "A" within itself.'],
    ['that nests too deep', `{ session(id: "x") { ${'parent { '.repeat(20)} id ${'} '.repeat(20)} } }`, 'The document nests 22 fields; the limit is 16.'],
  ])('%s gets its error, and the connection goes on', async (_, query, message) => {
    const socket = await acknowledged();
    socket.frame(1, subscribe('1', query));
    await eventually(() => about(socket, '1')[0]);
    expect(about(socket, '1')).toMatchObject([{ type: 'error', payload: [{ message }] }]);
    expect(await ask(socket, '{ viewer { id } }')).toEqual({ data: { viewer: { id: 'local' } } });
  });

  it('that nobody names is an error of its own, and the connection goes on', async () => {
    const socket = await acknowledged();
    socket.frame(1, '{"type":"subscribe","id":"1","payload":{"query":"query A { viewer { id } }","operationName":"B"}}');
    await eventually(() => about(socket, '1')[0]);
    expect(about(socket, '1')).toEqual([{ id: '1', type: 'error', payload: [{ message: 'Unable to identify operation', extensions: { code: 'OPERATION_RESOLUTION_FAILURE' } }] }]);
  });

  it('with a variable of the wrong type gets an error that names the place', async () => {
    const socket = await acknowledged();
    socket.frame(1, subscribe('1', evaluate, { sessionId: { id: 1 }, tool: 1 }));
    await eventually(() => about(socket, '1')[0]);
    expect(about(socket, '1')[0]?.payload.errors.map(({ message }: { message: string }) => message)).toEqual([
      'Variable "$sessionId" got invalid value { id: 1 }; ID cannot represent value: { id: 1 }',
      'Variable "$tool" got invalid value 1; String cannot represent a non string value: 1',
    ]);
  });
});

describe('a client that goes away in the middle', () => {
  it('of a thousand calls leaves nothing behind', async () => {
    const socket = await acknowledged();
    for (let index = 0; index < 1000; index += 1) socket.frame(1, subscribe(String(index), '{ viewer { id } }'));
    await eventually(() => socket.texts.length > 1);
    socket.destroy();
  });

  it('of a held call leaves the ask pending', async () => {
    const session: Session = await startAskingSession(server.openGate());
    const socket = await acknowledged();
    socket.frame(1, subscribe('1', evaluate, { sessionId: session.id, tool: 'Bash' }));
    const elicitation = await eventually(async () => (await pending(server.openGate(), session))[0]);
    socket.destroy();
    expect(await server.openGate().em.count(ElicitationSchema, { id: elicitation.id, settledAt: null })).toBe(1);
  });

  it.each([
    ['refused for its operation name', '{"type":"subscribe","id":"1","payload":{"query":"query A { viewer { id } }","operationName":"B"}}'],
    ['refused by validation', subscribe('1', '{ nothing }')],
    ['answered', subscribe('1', '{ viewer { id } }')],
  ])('of a call that is %s does not keep the server from shutting down', async (_, message) => {
    const own = await startTestServer({ shutdownSeconds: 0.2 });
    const socket = await openBareSocket(own.wsUrl);
    socket.frame(1, '{"type":"connection_init"}');
    await eventually(() => socket.texts[0]);
    socket.write(Buffer.concat([frames(message), frames('{"type":"complete","id":"1"}'), frames('{"type":"ping"}')]));
    await eventually(() => socket.texts.includes('{"type":"pong"}'));
    await expect(Promise.race([own.remove().then(() => 'down'), new Promise((resolve) => setTimeout(resolve, 10_000, 'hangs'))])).resolves.toBe('down');
    socket.destroy();
  });
});

/** A small text frame whose mask is zero. */
function frames(text: string): Buffer {
  const payload = Buffer.from(text);
  const length = payload.length < 126 ? [0x80 | payload.length] : [0x80 | 126, payload.length >> 8, payload.length & 0xff];
  return Buffer.concat([Buffer.from([0x81, ...length, 0, 0, 0, 0]), payload]);
}
