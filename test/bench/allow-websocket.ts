import { createClient, type Client } from 'graphql-ws';
import { WebSocket } from 'ws';
import { openClient } from './client.ts';
import { evaluate } from './documents.ts';
import type { Row } from './figures.ts';
import type { ServerProcess } from './server-process.ts';
import { allowedCall, setUpSession } from './setup.ts';

const concurrency = 16;
const milliseconds = 3000;

export async function allowOverWebSocket(countersign: ServerProcess): Promise<Row> {
  const http = openClient(countersign.url, concurrency);
  const variables = allowedCall(await setUpSession(http));
  const live = createClient({ url: countersign.url.replace('http', 'ws'), webSocketImpl: WebSocket });
  const overHttp = () => http.call<{ verdict: string }>(evaluate, variables);
  const overWebSocket = () => once<{ verdict: string }>(live, evaluate, variables);
  await rate(overHttp);
  await rate(overWebSocket);
  const [httpRate, webSocketRate] = [await rate(overHttp), await rate(overWebSocket)];
  await Promise.all([http.close(), live.dispose()]);
  const ratio = webSocketRate / httpRate;
  return { what: 'ALLOW over one WebSocket, against HTTP', figure: `${ratio.toFixed(2)} (${webSocketRate.toFixed(0)} of ${httpRate.toFixed(0)} calls/s)`, bar: '≥ 2', held: ratio >= 2 };
}

async function rate(call: () => Promise<{ verdict: string }>): Promise<number> {
  let calls = 0;
  const until = performance.now() + milliseconds;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (performance.now() < until) {
        const { verdict } = await call();
        if (verdict !== 'ALLOW') throw new Error(`The verdict is ${verdict}.`);
        calls += 1;
      }
    }),
  );
  return calls / (milliseconds / 1000);
}

function once<T>(client: Client, query: string, variables: object): Promise<T> {
  return new Promise((resolve, reject) => {
    client.subscribe<Record<string, T>>(
      { query, variables: { ...variables } },
      {
        next: ({ data }) => {
          const [value] = Object.values(data ?? {});
          if (value === undefined) reject(new Error('There is no answer.'));
          else resolve(value);
        },
        error: reject,
        complete: () => undefined,
      },
    );
  });
}
