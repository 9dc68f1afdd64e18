import { createHash } from 'node:crypto';
import { UniqueConstraintViolationException } from '@mikro-orm/core';
import { z } from 'zod';
import type { Agent, LabelDefinition } from '../entities/agent.entity.ts';
import { newSessionId } from '../entities/id.ts';
import { lineageOf, newVersion, SessionSchema, type Session } from '../entities/session.entity.ts';
import { inTransaction } from '../entities/in-transaction.ts';
import { insertRows } from '../entities/rows.ts';
import { find } from './find.ts';
import type { Gate } from './gate.ts';
import { labels, parse, shortText } from './input.ts';
import { combineLabelDefinitions } from './label-definitions.ts';
import { conflict, invalidInput, notFound, type Conflict, type InvalidInput, type NotFound } from './outcome.ts';
import { lockSession } from './session-row.ts';
import { storedKey } from './stored-key.ts';

const depthMax = 32;

const fields = z.object({ title: shortText.nullish(), labels: labels.nullish(), model: shortText.nullish(), harness: shortText.nullish(), idempotencyKey: shortText.nullish() });

export type CreateSessionInput = z.input<typeof fields> & { readonly agentId: string; readonly parentId?: string | null | undefined };

type CreateSessionOutcome = { readonly kind: 'created'; readonly session: Session } | InvalidInput | NotFound | Conflict;

/** With an idempotency key it is created once: whoever comes later, or at the same time, gets the session of whoever was first. */
export async function createSession(gate: Gate, input: CreateSessionInput): Promise<CreateSessionOutcome> {
  const parsed = parse(fields, input);
  if (parsed.kind === 'invalidInput') return parsed;
  const agent = await find.agent(gate, input.agentId);
  if (!agent) return notFound('agent', input.agentId);
  const creationKey = creationKeyOf(gate, agent, parsed.value.idempotencyKey ?? null);
  const known = await createdWith(gate, creationKey);
  if (known) return known;
  try {
    return await insert(gate, { ...parsed.value, agent, parentId: input.parentId ?? null, creationKey });
  } catch (error) {
    const first = error instanceof UniqueConstraintViolationException ? await createdWith(gate, creationKey) : null;
    if (!first) throw error;
    return first;
  }
}

function creationKeyOf(gate: Gate, agent: Agent, idempotencyKey: string | null): string | null {
  if (idempotencyKey === null) return null;
  const { kind, id } = gate.access.owner;
  return createHash('sha256').update(JSON.stringify([agent.id, kind, id, storedKey(gate, idempotencyKey)])).digest('hex');
}

async function createdWith(gate: Gate, creationKey: string | null): Promise<CreateSessionOutcome | null> {
  const session = creationKey === null ? null : await gate.em.findOne(SessionSchema, { creationKey });
  return session && { kind: 'created', session };
}

interface NewSession extends z.output<typeof fields> {
  readonly agent: Agent;
  readonly parentId: string | null;
  readonly creationKey: string | null;
}

async function insert(gate: Gate, { agent, parentId, creationKey, labels: given, ...texts }: NewSession): Promise<CreateSessionOutcome> {
  const { title, model, harness } = gate.masking.json({ title: texts.title ?? null, model: texts.model ?? null, harness: texts.harness ?? null }).value;
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
      title,
      owner: gate.access.owner,
      labels: { ...initialLabels(combineLabelDefinitions(gate.settings.labelDefinitions, agent.labelDefinitions)), ...gate.masking.labels(given ?? {}) },
      state: {},
      model,
      harness,
      evaluators: [],
      version: newVersion(),
      creationKey,
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
