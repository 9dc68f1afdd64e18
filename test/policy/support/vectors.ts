import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readVector } from '../../../src/policy/vectors/read-vector.ts';
import type { Vector } from '../../../src/policy/vectors/vector.ts';
import type { Verdict } from '../../../src/policy/index.ts';

const folder = new URL('../../vectors/', import.meta.url);

/** A vector and what its file says it is about. */
export interface TitledVector {
  readonly title: string;
  readonly vector: Vector;
}

/** The families' files: what the reference system's policies answered. */
export function vectorFiles(): readonly string[] {
  return readdirSync(folder).filter((file) => file.endsWith('.jsonl') && file !== 'bypasses.jsonl' && file !== 'exceptions.jsonl');
}

export function readVectors(fileName: string): readonly TitledVector[] {
  return linesOf(fileName).map((line) => {
    const vector = readVector(line, { fileName });
    if (vector.kind === 'problem') throw new Error(`${fileName}: ${vector.id ?? line}: ${vector.message}`);
    const { policy, why, tags } = JSON.parse(line) as { policy: string; why?: string; tags?: readonly string[] };
    return { title: `${vector.id}: ${policy}, ${why ?? tags?.join(' ') ?? ''}`, vector };
  });
}

/** Where we answer otherwise than the reference, and why. */
export interface Exception {
  readonly id: string;
  readonly verdict: Verdict | 'BUILD_ERROR';
  readonly reason: string;
}

export function readExceptions(): readonly Exception[] {
  return linesOf('exceptions.jsonl').map((line) => JSON.parse(line) as Exception);
}

function linesOf(fileName: string): readonly string[] {
  const file = new URL(fileName, folder);
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8').split('\n').filter((line) => line.trim() !== '');
}
