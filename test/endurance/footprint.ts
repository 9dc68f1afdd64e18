import { readdir, readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import type { Program } from '../crash/program.ts';

/** How many files and sockets its process has open; 0 while none runs. */
export async function openHandles(program: Program): Promise<number> {
  const pid = program.pid();
  return pid === null ? 0 : (await readdir(`/proc/${pid}/fd`)).length;
}

/** Resident memory after a collection of garbage, in megabytes. */
export async function residentMegabytes(program: Program): Promise<number> {
  program.signal('SIGUSR2');
  await setTimeout(1000);
  const status = await readFile(`/proc/${String(program.pid())}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}
