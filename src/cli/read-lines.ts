import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { UsageFault } from './usage-fault.ts';

/** The lines of a file, without the blank ones; `-` is stdin. Throws a `UsageFault` that names the file. */
export async function readLines(file: string): Promise<readonly Line[]> {
  const text = decode(await readBytes(file), file);
  return text.split(/\r?\n/).map((line, index) => ({ number: index + 1, text: line })).filter((line) => line.text.trim() !== '');
}

export interface Line {
  /** Counted from 1. */
  readonly number: number;
  readonly text: string;
}

async function readBytes(file: string): Promise<Uint8Array> {
  if (file === '-') return buffer(process.stdin);
  try {
    return await readFile(file);
  } catch (error) {
    throw new UsageFault(`${file} cannot be read: ${whyNot(error)}`);
  }
}

function whyNot(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const known: Readonly<Record<string, string>> = { ENOENT: 'there is no such file', EISDIR: 'it is a directory, name the files in it', EACCES: 'you may not read it' };
  return known[code] ?? (error instanceof Error ? error.message : String(error));
}

function decode(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UsageFault(`${file} cannot be read: it is not UTF-8 text`);
  }
}
