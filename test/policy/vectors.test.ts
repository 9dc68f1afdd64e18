import { describe, expect, it } from 'vitest';
import type { JsonObject, Judge } from '../../src/policy/index.ts';
import { answer, expectedAnswer, handlerOf, readVectors, stateAfter, type Vector } from './support/vectors.ts';

describe('the builtins of the reference system', () => {
  it.for(readVectors('safety.jsonl').map((vector) => [title(vector), vector] as const))('%s', ([, vector]) => {
    if (vector.expect.build_error) {
      expect(handlerOf(vector).build(vector.params).kind).toBe('invalidParams');
    } else if (vector.steps) {
      expect(playSteps(vector)).toEqual(vector.expect.steps?.map(expectedAnswer));
    } else if (vector.event) {
      expect(answer(judgeOf(vector), vector.event, vector.session_state ?? {})).toEqual(expectedAnswer(vector.expect));
    } else {
      expect.unreachable();
    }
  });
});

describe('inputs that fool the reference system', () => {
  it.for(readVectors('bypasses.jsonl').map((vector) => [title(vector), vector] as const))('%s', ([, vector]) => {
    if (!vector.event) expect.unreachable();
    const { verdict } = answer(judgeOf(vector), vector.event, vector.session_state ?? {});
    expect(vector.expect.accept).toContain(verdict);
  });
});

function title({ id, policy, why, tags }: Vector): string {
  return `${id}: ${policy}, ${why ?? tags?.join(' ') ?? ''}`;
}

function judgeOf(vector: Vector): Judge {
  const built = handlerOf(vector).build(vector.params);
  if (built.kind !== 'built') throw new Error(JSON.stringify(built.issues));
  return built.judge;
}

function playSteps(vector: Vector): unknown[] {
  const judge = judgeOf(vector);
  let state: JsonObject = vector.session_state ?? {};
  return (vector.steps ?? []).map((step) => {
    const given = answer(judge, step.event, state);
    state = stateAfter(state, given, step.approve);
    return given;
  });
}
