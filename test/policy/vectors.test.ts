import { describe, expect, it } from 'vitest';
import { builtinRegistry } from '../../src/policy/index.ts';
import { applyVector } from '../../src/policy/vectors/apply-vector.ts';
import { readExceptions, readVectors, vectorFiles } from './support/vectors.ts';

const registry = builtinRegistry();
const exceptions = new Map(readExceptions().map((exception) => [exception.id, exception]));

describe.for(vectorFiles())('the policies of the reference system, %s', (file) => {
  it.for(readVectors(file).map(({ title, vector }) => [title, vector] as const))('%s', ([, vector]) => {
    const { passed, wanted, got } = applyVector(vector, registry);
    const exception = exceptions.get(vector.id);
    if (!exception) return expect({ passed, got }).toEqual({ passed: true, got: passed ? got : wanted });
    expect(passed, 'It needs no exception any more.').toBe(false);
    expect(verdictIn(got)).toBe(exception.verdict);
  });
});

describe('inputs that fool the reference system', () => {
  it.for(readVectors('bypasses.jsonl').map(({ title, vector }) => [title, vector] as const))('%s', ([, vector]) => {
    const { passed, wanted, got } = applyVector(vector, registry);
    expect({ passed, got }).toEqual({ passed: true, got: passed ? got : wanted });
  });
});

describe('exceptions', () => {
  const vectors = vectorFiles().flatMap((file) => readVectors(file));

  it('name vectors that are there, each once and with a reason', () => {
    const ids = new Set(vectors.map(({ vector }) => vector.id));
    for (const { id, reason } of exceptions.values()) expect({ id, known: ids.has(id), reason }).toEqual({ id, known: true, reason: expect.stringMatching(/\w{2,} .*\.$/) });
    expect(readExceptions()).toHaveLength(exceptions.size);
  });

  it('are few: at most two in a hundred', () => {
    expect(exceptions.size).toBeLessThanOrEqual(vectors.length * 0.02);
  });
});

/** Of a sequence: the verdict of its last step. */
function verdictIn(got: Readonly<Record<string, unknown>>): unknown {
  if (got['build_error'] === true) return 'BUILD_ERROR';
  if (Array.isArray(got['steps'])) return verdictIn(got['steps'].findLast((step) => step !== null));
  return got['result'];
}
