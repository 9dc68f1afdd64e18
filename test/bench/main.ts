import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { allowOverHttp, allowWithKey } from './allow-http.ts';
import { allowOverWebSocket } from './allow-websocket.ts';
import { askJourney } from './ask-journey.ts';
import { coldStart } from './cold-start.ts';
import { consoleSpeed } from './console.ts';
import { engineAlone } from './engine.ts';
import type { Row } from './figures.ts';
import { fanOut } from './fan-out.ts';
import { fleet } from './fleet.ts';
import { hookStart } from './hook-start.ts';
import { underFlood } from './flood.ts';
import { morePolicies, storedRows } from './growth.ts';
import { hundredPolicies, policyTestOn5000, shellLineThroughGithub } from './judging.ts';
import { parkedCalls } from './parked.ts';
import { peers } from './peers.ts';
import { startBareYoga, startCountersign } from './server-process.ts';

/** Every bar against its limit, in one run: `npm run bench`. Exits 1 when a bar is missed. */
const directory = await mkdtemp(path.join(tmpdir(), 'countersign-bench-'));
const countersign = await startCountersign(path.join(directory, 'bench.db'));
const bareYoga = await startBareYoga();
const rows: Row[] = [];
try {
  const [cpu] = cpus();
  print(`${cpu?.model ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.versions.node}`);
  const engine = engineAlone();
  report(engine);
  report(await peers(engine));
  for (const row of shellLineThroughGithub()) report(row);
  for (const row of hundredPolicies()) report(row);
  report(await policyTestOn5000(directory));
  report(await allowOverHttp(countersign, bareYoga));
  report(await allowWithKey(directory));
  report(await allowOverWebSocket(countersign));
  for (const row of await askJourney(countersign, bareYoga)) report(row);
  report(await fanOut(countersign, bareYoga));
} finally {
  await Promise.all([countersign.stop(), bareYoga.stop()]);
}
for (const row of await parkedCalls(directory)) report(row);
report(await morePolicies(directory));
report(await storedRows(directory));
for (const row of await fleet()) report(row);
report(await underFlood(directory));
report(await coldStart(directory));
for (const row of await hookStart(directory)) report(row);
for (const row of await consoleSpeed(directory)) report(row);
await rm(directory, { recursive: true });
process.exitCode = rows.some(({ held }) => held === false) ? 1 : 0;

function report(row: Row): void {
  rows.push(row);
  const mark = row.held === null ? '     ' : row.held ? 'held ' : 'MISS ';
  print(`${mark} ${row.what}: ${row.figure}  [bar: ${row.bar}]`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
