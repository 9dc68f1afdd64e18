import path from 'node:path';
import { openClient } from './client.ts';
import { median, type Row } from './figures.ts';
import { startCountersign } from './server-process.ts';

const starts = 5;

/** From the process's start on a fresh database to the first answer of the API. */
export async function coldStart(directory: string): Promise<Row> {
  const figures: number[] = [];
  for (let index = 0; index < starts; index += 1) {
    const startedAt = performance.now();
    const server = await startCountersign(path.join(directory, `cold-${index}.db`));
    const client = openClient(server.url, 1);
    await client.call('{ viewer { id } }', {});
    figures.push(performance.now() - startedAt);
    await client.close();
    await server.stop();
  }
  const milliseconds = median(figures);
  return { what: 'cold start to first answer, fresh SQLite file', figure: `${milliseconds.toFixed(0)} ms`, bar: '≤ 1000 ms', held: milliseconds <= 1000 };
}
