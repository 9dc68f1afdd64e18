import { z } from 'zod';
import type { PolicyEvent } from '../event.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import type { ModelAnswer } from '../model-question.ts';
import { verdicts } from '../verdict.ts';
import type { Step, Trial, Vector, VectorEvent, VectorProblem, Wanted } from './vector.ts';

/**
 * Reads one line of a vector file, in any of its forms: a single event, `build_error`, `steps`, the model's answers, `accept`
 * lists. Members that it does not know (`tags`, `why`) are left alone. Never throws.
 */
export function readVector(line: string, { fileName }: { fileName: string }): Vector | VectorProblem {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { kind: 'problem', id: null, message: 'The line is not JSON.' };
  }
  const parsed = vectorLine.safeParse(value);
  if (!parsed.success) return { kind: 'problem', id: idOf(value), message: firstIssue(parsed.error) };
  const { id, params, session_state: state } = parsed.data;
  const trial = trialOf(parsed.data);
  if (typeof trial === 'string') return { kind: 'problem', id, message: trial };
  return { kind: 'vector', id, handlers: handlerNames(parsed.data, fileName), params: params ?? {}, state: state ?? {}, trial };
}

const jsonObject = z.custom<JsonObject>((value) => isJsonObject(value as Json), 'Expected an object.');

const types = ['request', 'response', 'tool_call', 'tool_result', 'llm_request', 'llm_response'];

/** Events without a type, or with one that is none of ours, are tried on purpose; one of ours in another spelling is a slip. */
const event = jsonObject.refine(({ type }) => !isMisspelt(type), `The type of an event is one of ${types.join(', ')}.`);

function isMisspelt(type: Json | undefined): boolean {
  return typeof type === 'string' && !types.includes(type) && types.includes(type.toLowerCase().replace(/^phase_/, '').replaceAll('-', '_'));
}

/** Null is abstain, which to a caller is ALLOW. */
const verdict = z.enum(verdicts).nullable().transform((known) => known ?? 'ALLOW');

const expected = z.looseObject({
  result: verdict.optional(),
  state_updates: z.array(jsonObject).nullish(),
  data: z.custom<Json>().nullish(),
  llm_called: z.boolean().nullish(),
  error: z.boolean().nullish(),
  accept: z.array(verdict).min(1).nullish(),
});

const modelFields = { llm_answer: z.string().nullish(), llm_error: z.boolean().nullish() };

const vectorLine = z.looseObject({
  id: z.string(),
  family: z.string().nullish(),
  policy: z.string(),
  params: jsonObject.nullish(),
  event: event.nullish(),
  session_state: jsonObject.nullish(),
  ...modelFields,
  steps: z.array(z.looseObject({ event: event.nullish(), reset_turn: z.boolean().nullish(), approve: z.boolean().nullish(), ...modelFields })).nullish(),
  expect: expected.extend({ build_error: z.boolean().nullish(), steps: z.array(expected.nullable()).nullish() }),
});

type VectorLine = z.output<typeof vectorLine>;

/** A text says what is wrong with the line. */
function trialOf(line: VectorLine): Trial | string {
  if (line.expect.build_error) return { kind: 'build' };
  if (line.steps) {
    const wanted = line.expect.steps ?? [];
    if (wanted.length !== line.steps.length) return 'expect.steps needs one entry for each step.';
    const steps = line.steps.map((step, index) => stepOf(step, wanted[index] ?? null));
    return steps.every((step) => step !== null) ? { kind: 'steps', steps } : 'A step has an event and what to expect of it, or reset_turn.';
  }
  if (!line.event) return 'A vector has an event, steps, or expects a build_error.';
  return { kind: 'event', event: eventOf(line.event), model: modelOf(line), wanted: wantedOf(line.expect) };
}

function stepOf(step: NonNullable<VectorLine['steps']>[number], wanted: z.output<typeof expected> | null): Step | null {
  if (step.reset_turn) return { kind: 'resetTurn' };
  if (!step.event || !wanted) return null;
  return { kind: 'event', event: eventOf(step.event), model: modelOf(step), approve: step.approve ?? false, wanted: wantedOf(wanted) };
}

function eventOf({ context = null, ...rest }: JsonObject): VectorEvent {
  return { event: rest as unknown as PolicyEvent, context };
}

function modelOf({ llm_answer: text, llm_error: failed }: { llm_answer?: string | null | undefined; llm_error?: boolean | null | undefined }): ModelAnswer {
  if (failed) return { kind: 'failed' };
  return text === undefined || text === null ? { kind: 'notConfigured' } : { kind: 'answered', text };
}

function wantedOf({ accept, result = 'ALLOW', state_updates: stateUpdates, data, llm_called: modelAsked, error }: z.output<typeof expected>): Wanted {
  if (accept) return { kind: 'accept', verdicts: accept };
  return { kind: 'answer', verdict: error ? 'DENY' : result, stateUpdates: error ? null : (stateUpdates ?? []), data: data ?? null, modelAsked: modelAsked ?? null };
}

/** The family is `family`, else the file's name, else part of the handler's own spelling, else what the id begins with. */
function handlerNames({ family, policy, id }: VectorLine, fileName: string): readonly string[] {
  const file = fileName.replace(/^.*[/\\]/, '').replace(/\.[^.]*$/, '');
  const words = file.match(/[a-z_]+/g) ?? [];
  const families = [family, file, ...words, /^[a-z_]+/.exec(id)?.[0]].filter((known) => known !== undefined && known !== null && known !== '');
  const [first, ...others] = families.map((known) => `${known ?? ''}.${policy}`);
  const names = policy.includes('.') ? [policy, first ?? policy, ...others] : [first ?? policy, policy, ...others];
  return [...new Set(names)];
}

function idOf(value: unknown): string | null {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : null;
  return typeof id === 'string' ? id : null;
}

function firstIssue({ issues: [issue] }: z.ZodError): string {
  const path = issue?.path.map(String).join('.') ?? '';
  return path === '' ? (issue?.message ?? '') : `${path}: ${issue?.message ?? ''}`;
}
