import { readdir } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import type { Program } from '../crash/program.ts';

/** How many files and sockets its process has open; 0 while none runs. */
export async function openHandles(program: Program): Promise<number> {
  const pid = program.pid();
  return pid === null ? 0 : (await readdir(`/proc/${pid}/fd`)).length;
}

/**
 * What the process still uses after a collection of garbage, in megabytes: its heap and what buffers hold beside it. Not what is resident, for V8 keeps a hundred
 * megabytes and more for what it will allocate next, or gives them back, as it likes.
 */
export async function usedMegabytes(program: Program, token: string): Promise<number> {
  program.signal('SIGUSR2');
  await setTimeout(1000);
  const text = await metricsOf(program, token);
  const bytesOf = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]);
  return (bytesOf('nodejs_heap_size_used_bytes') + bytesOf('nodejs_external_memory_bytes')) / 1_000_000;
}

/** Asks until it answers: it may be about to start. */
async function metricsOf(program: Program, token: string): Promise<string> {
  for (;;) {
    try {
      const response = await fetch(`${program.origin}/metrics`, { headers: { authorization: `Bearer ${token}` } });
      if (response.ok) return await response.text();
    } catch {
      // Not yet.
    }
    await setTimeout(500);
  }
}
