import { createClient } from 'graphql-ws';
import { Pool } from 'undici';
import { WebSocket } from 'ws';
import { evaluate, watch } from './documents.ts';
import { askedCall } from './setup.ts';

/** Hostile clients, in a process of their own. Usage: node flooder.ts <url> <session id> <token>… Says `flooding`, then when all is answered what came of the asks, as JSON. */
const [url = '', sessionId = '', ...tokens] = process.argv.slice(2);
const connections = 200;
const subscriptionsEach = 100;
const evaluations = 10_000;
const atOnce = 50;

process.stdout.write('flooding\n');
const clients = Array.from({ length: connections }, (_, index) => {
  const client = createClient({ url: url.replace('http', 'ws'), webSocketImpl: WebSocket, retryAttempts: 0, connectionParams: { authorization: `Bearer ${tokens[index % tokens.length]}` } });
  const ignore = () => undefined;
  for (let count = 0; count < subscriptionsEach; count += 1) client.subscribe({ query: watch }, { next: ignore, error: ignore, complete: ignore });
  return client;
});

const { origin, pathname } = new URL(url);
const pool = new Pool(origin, { connections: atOnce });
const answers: Record<string, number> = {};
let sent = 0;
await Promise.all(
  Array.from({ length: atOnce }, async (_, index) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${tokens[index % tokens.length]}` };
    const variables = { input: { ...askedCall(sessionId).input, waitSeconds: 0 } };
    while (sent < evaluations) {
      sent += 1;
      const { statusCode, body } = await pool.request({ path: pathname, method: 'POST', headers, body: JSON.stringify({ query: evaluate, variables }) });
      const { data } = (await body.json()) as { data?: { evaluatePolicy: { __typename: string } } };
      const what = data?.evaluatePolicy.__typename ?? String(statusCode);
      answers[what] = (answers[what] ?? 0) + 1;
    }
  }),
);
process.stdout.write(`${JSON.stringify(answers)}\n`);
await Promise.all([pool.close(), ...clients.map((client) => client.dispose())]);
