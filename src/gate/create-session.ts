import { z } from 'zod';
import type { LabelDefinition } from '../entities/agent.entity.ts';
import { newSessionId } from '../entities/id.ts';
import { lineageOf, newVersion, SessionSchema, type Session } from '../entities/session.entity.ts';
import { inTransaction } from '../entities/in-transaction.ts';
import { insertRows } from '../entities/insert-rows.ts';
import { find } from './find.ts';
import type { Gate } from './gate.ts';
import { labels, parse, shortText } from './input.ts';
import { combineLabelDefinitions } from './label-definitions.ts';
import { conflict, invalidInput, notFound, type Conflict, type InvalidInput, type NotFound } from './outcome.ts';
import { lockSession } from './session-row.ts';

const depthMax = 32;

const fields = z.object({ title: shortText.nullish(), labels: labels.nullish(), model: shortText.nullish(), harness: shortText.nullish() });

export type CreateSessionInput = z.input<typeof fields> & { readonly agentId: string; readonly parentId?: string | null | undefined };

type CreateSessionOutcome = { readonly kind: 'created'; readonly session: Session } | InvalidInput | NotFound | Conflict;

export async function createSession(gate: Gate, input: CreateSessionInput): Promise<CreateSessionOutcome> {
  const parsed = parse(fields, input);
  if (parsed.kind === 'invalidInput') return parsed;
  const { labels: given, ...texts } = parsed.value;
  const { title, model, harness } = gate.masking.json(texts).value;
  const agent = await find.agent(gate, input.agentId);
  if (!agent) return notFound('agent', input.agentId);
  const { parentId = null } = input;
  const seenParent = parentId === null ? null : await find.session(gate, parentId);
  if (parentId !== null && !seenParent) return notFound('session', parentId);
  return inTransaction(gate.em, async (tx): Promise<CreateSessionOutcome> => {
    const parent = seenParent && (await lockSession(seenParent.id, tx)); // whoever ends it either sees this one, or is seen
    if (parent?.endedAt) return conflict(`The session ${parent.id} has ended: it takes no more sub-agents.`);
    if (parent && lineageOf(parent).length >= depthMax) return invalidInput([{ path: ['parentId'], message: `must not be nested deeper than ${depthMax} sessions` }]);
    const id = newSessionId();
    const session: Session = {
      id,
      agent: agent.id,
      parent: parent?.id ?? null,
      path: `${parent?.path ?? ''}${id}/`,
      title: title ?? null,
      owner: gate.access.owner,
      labels: { ...initialLabels(combineLabelDefinitions(gate.settings.labelDefinitions, agent.labelDefinitions)), ...gate.masking.labels(given ?? {}) },
      state: {},
      model: model ?? null,
      harness: harness ?? null,
      evaluators: [],
      version: newVersion(),
      createdAt: gate.now(),
      endedAt: null,
    };
    await insertRows({ em: tx }, SessionSchema, [session]);
    return { kind: 'created', session };
  });
}

function initialLabels(definitions: readonly LabelDefinition[]): Record<string, string> {
  return Object.fromEntries(definitions.flatMap(({ key, initial }) => (initial === null ? [] : [[key, initial]])));
}
