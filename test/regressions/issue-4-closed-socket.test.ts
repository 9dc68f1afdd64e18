import { once } from 'node:events';
import { afterEach, expect, it } from 'vitest';
import WebSocket from 'ws';
import { EvaluationSchema } from '../../src/entities/evaluation.entity.ts';
import { eventually, startAskingSession } from '../support/journey.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';

let server: TestServer;
afterEach(() => server.remove());

const query = 'mutation ($input: EvaluatePolicyInput!) { evaluatePolicy(input: $input) { __typename } }';

it('leaves nothing held by a caller whose socket closed while its calls waited for their turn', async () => {
  server = await startTestServer({ graceSeconds: 0 });
  const session = await startAskingSession(server.openGate());
  const socket = new WebSocket(server.wsUrl, 'graphql-transport-ws');
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'connection_init' }));
  await once(socket, 'message');
  for (let id = 0; id < 300; id += 1) {
    socket.send(JSON.stringify({ id: `${id}`, type: 'subscribe', payload: { query, variables: { input: { sessionId: session.id, event: { toolCall: { name: 'Bash', arguments: { command: `ls ${id}` } } } } } } }));
  }
  socket.close();
  await once(socket, 'close');
  const count = (status?: 'AWAITING_APPROVAL') => server.openGate().em.count(EvaluationSchema, { session: session.id, ...(status ? { status } : {}) });
  await eventually(async () => (await count()) > 0 && (await count('AWAITING_APPROVAL')) === 0);
  await new Promise((resolve) => setTimeout(resolve, 1500)); // none that begins later
  expect(await count('AWAITING_APPROVAL')).toBe(0);
});
