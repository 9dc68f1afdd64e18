import { UniqueConstraintViolationException } from '@mikro-orm/core';
import { z } from 'zod';
import { newPolicyId } from '../entities/id.ts';
import { PolicySchema, type Policy } from '../entities/policy.entity.ts';
import { inTransaction } from '../entities/in-transaction.ts';
import { insertRows } from '../entities/rows.ts';
import { appendAudit } from './append-audit.ts';
import { auditView } from './audit-notes.ts';
import { find } from './find.ts';
import type { Gate } from './gate.ts';
import { parse } from './input.ts';
import { conflict, invalidInput, notFound, type Conflict, type InvalidInput, type NotFound } from './outcome.ts';
import { nextEpoch } from './policy-epoch.ts';
import { checkHandler, policyFields } from './policy-input.ts';
import { visibleName } from './visible-text.ts';

const fields = z.object({ ...policyFields, enabled: z.boolean().nullish() });

export interface PolicyTargetInput {
  readonly sessionId?: string | null | undefined;
  readonly agentId?: string | null | undefined;
  readonly server?: boolean | null | undefined;
}

export type CreatePolicyInput = z.input<typeof fields> & { readonly target: PolicyTargetInput };

export async function createPolicy(gate: Gate, input: CreatePolicyInput): Promise<{ kind: 'created'; policy: Policy } | InvalidInput | NotFound | Conflict> {
  const parsed = parse(fields, input);
  if (parsed.kind === 'invalidInput') return parsed;
  const target = await targetOf(gate, input.target);
  if (target.kind !== 'target') return target;
  const checked = checkHandler(gate.registry, parsed.value.handler, parsed.value.params ?? null);
  if (checked.kind === 'invalidInput') return checked;
  const now = gate.now();
  const name = gate.masking.text(parsed.value.name);
  const { params, on, condition, writableLabels, askTimeoutSeconds, enabled } = parsed.value;
  const policy: Policy = {
    id: newPolicyId(),
    ...target.row,
    name,
    handler: checked.handler,
    params: params ?? null,
    on: on ?? null,
    condition: condition ?? null,
    writableLabels: writableLabels ?? null,
    askTimeoutSeconds: askTimeoutSeconds ?? null,
    enabled: enabled ?? true,
    createdBy: gate.principal,
    createdAt: now,
    updatedAt: now,
  };
  try {
    await inTransaction(gate.em, async (tx) => {
      await nextEpoch(tx);
      await insertRows({ em: tx }, PolicySchema, [policy]);
      await appendAudit({ em: tx }, [{ at: now, actor: gate.principal, session: policy.session ?? null, action: 'POLICY_CREATED', subject: policy.id, after: auditView.policy(policy) }]);
    });
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException) return policyNameTaken(name);
    throw error;
  }
  forgetJudgedBy(gate, policy);
  return { kind: 'created', policy };
}

export function policyNameTaken(taken: string): Conflict {
  return conflict(`There is a policy named "${visibleName(taken)}" on this target already: names are unique there.`);
}

/** Drops the views of every session that the policy may judge. */
export function forgetJudgedBy(gate: Gate, { session, agent }: Pick<Policy, 'session' | 'agent'>): void {
  gate.views.drop(session ? { session } : agent ? { agent } : 'server');
}

type Target = { readonly kind: 'target'; readonly row: Pick<Policy, 'level' | 'target' | 'session' | 'agent'> };

async function targetOf(gate: Gate, { sessionId, agentId, server }: PolicyTargetInput): Promise<Target | InvalidInput | NotFound | Conflict> {
  if (sessionId != null) {
    const session = await find.session(gate, sessionId);
    if (!session) return notFound('session', sessionId);
    if (session.endedAt) return conflict(`The session ${session.id} has ended: it takes no more policies.`);
    return { kind: 'target', row: { level: 'SESSION', target: session.id, session: session.id, agent: null } };
  }
  if (agentId != null) {
    const agent = await find.agent(gate, agentId);
    if (!agent) return notFound('agent', agentId);
    return { kind: 'target', row: { level: 'AGENT', target: agent.id, session: null, agent: agent.id } };
  }
  if (server === true) return { kind: 'target', row: { level: 'SERVER', target: 'server', session: null, agent: null } };
  return invalidInput([{ path: ['target'], message: 'must be one of { sessionId }, { agentId } and { server: true }' }]);
}
