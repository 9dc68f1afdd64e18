import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { configOf } from '../../src/config.ts';
import { startTestServer } from '../support/start-server.ts';
import { configTable } from './config-table.ts';
import { root } from './fences.ts';

const run = promisify(execFile);
const read = (name: string): Promise<string> => readFile(path.join(root, 'examples/deploy', name), 'utf8');
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

it('the unit gives the server the time and the files that the configuration wants by default', async () => {
  const unit = await read('countersign.service');
  const { shutdownSeconds, limits } = configOf({});
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(shutdownSeconds + 5);
  expect(Number(/^LimitNOFILE=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(limits.connections);
});

it.skipIf(!hasSystemd)('the unit is one that systemd takes without a word', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'countersign-unit-'));
  try {
    const file = path.join(folder, 'countersign.service');
    await writeFile(file, (await read('countersign.service')).replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true')); // the program need not be there
    const { stdout, stderr } = await run('systemd-analyze', ['verify', file]);
    expect(`${stdout}${stderr}`).toBe('');
  } finally {
    await rm(folder, { recursive: true });
  }
});

it('the image asks a server whether it lives, and sets variables that there are', async () => {
  const file = await read('Containerfile');
  const check = JSON.parse(/^HEALTHCHECK .* CMD (\[.*\])$/m.exec(file)?.[1] ?? '') as [string, ...string[]];
  const isAlive = async (port: string) => run(process.execPath, check.slice(1), { env: { COUNTERSIGN_PORT: port } }).then(() => true, () => false);
  const server = await startTestServer();
  const { port } = new URL(server.url);
  expect(await isAlive(port)).toBe(true);
  await server.remove();
  expect(await isAlive(port)).toBe(false);
  const variables = new Set(configTable().map(({ variable }) => variable));
  const set = file.match(/\bCOUNTERSIGN_\w+(?==)/g) ?? [];
  expect(set.length).toBeGreaterThan(0);
  expect(set.filter((variable) => !variables.has(variable))).toEqual([]);
});

it('the image is made of what the package has, and nothing of it can be changed by who runs it', async () => {
  const file = await read('Containerfile');
  expect(file).toMatch(/^USER node$/m);
  expect(file.match(/^COPY .*$/gm)?.at(-1)).toBe('COPY --from=build /opt/countersign /opt/countersign');
  const { bin } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as { bin: { countersign: string } };
  expect(file).toContain(`/opt/countersign/node_modules/countersign/${bin.countersign}`);
  expect(await read('countersign.service')).toContain(`/opt/countersign/node_modules/countersign/${bin.countersign}`);
});
