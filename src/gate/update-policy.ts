import { UniqueConstraintViolationException } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { z } from 'zod';
import { inTransaction } from '../entities/in-transaction.ts';
import { PolicySchema, type Policy } from '../entities/policy.entity.ts';
import { thawed } from '../entities/thawed.ts';
import { appendAudit } from './append-audit.ts';
import { auditView } from './audit-notes.ts';
import { forgetJudgedBy, policyNameTaken } from './create-policy.ts';
import { find } from './find.ts';
import type { Gate } from './gate.ts';
import { given, parse } from './input.ts';
import { conflict, invalidInput, notFound, type Conflict, type InvalidInput, type NotFound } from './outcome.ts';
import { nextEpoch } from './policy-epoch.ts';
import { checkHandler, policyFields } from './policy-input.ts';
import { refusalToChange } from './sync-server-policies.ts';

const changes = z.object({ ...policyFields, name: policyFields.name.optional(), handler: policyFields.handler.optional(), enabled: z.boolean().optional() });

/** Omitted: unchanged. Null clears, where a field may be empty. The target, and whether the handler takes params, never change. */
export type UpdatePolicyInput = z.input<typeof changes> & { readonly policyId: string };

export async function updatePolicy(gate: Gate, input: UpdatePolicyInput): Promise<{ kind: 'updated'; policy: Policy } | InvalidInput | NotFound | Conflict> {
  const parsed = parse(changes, input);
  if (parsed.kind === 'invalidInput') return parsed;
  const policy = await find.policy(gate, input.policyId);
  if (!policy) return notFound('policy', input.policyId);
  const refused = refusalToChange(policy);
  if (refused) return refused;
  const { name } = parsed.value;
  const change = { ...given(parsed.value), ...(name === undefined ? {} : { name: gate.masking.text(name) }) };
  const handler = change.handler === undefined && change.params === undefined ? null : checkChange(gate, policy, change);
  if (handler?.kind === 'invalidInput') return handler;
  try {
    const updated = await inTransaction(gate.em, (tx) => write(gate, { tx, policy }, { ...change, ...(handler ? { handler: handler.handler } : {}) }));
    if (!updated) return conflict('The policy was changed or deleted at the same time: read it and try again.');
    forgetJudgedBy(gate, policy);
    return { kind: 'updated', policy: updated };
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException) return policyNameTaken(change.name ?? policy.name);
    throw error;
  }
}

/** Null: it is not any more what was read. */
async function write(gate: Gate, { tx, policy: before }: { readonly tx: SqlEntityManager; readonly policy: Policy }, change: Partial<Policy>): Promise<Policy | null> {
  await nextEpoch(tx);
  const { id } = before;
  const now = gate.now();
  const updatedAt = new Date(Math.max(now.getTime(), before.updatedAt.getTime() + 1));
  const changed = await tx.nativeUpdate(PolicySchema, { id, updatedAt: before.updatedAt }, { ...thawed(change), updatedAt });
  if (changed === 0) return null;
  const policy = await tx.findOneOrFail(PolicySchema, { id }, { refresh: true });
  await appendAudit({ em: tx }, [{ at: now, actor: gate.principal, session: policy.session ?? null, action: 'POLICY_UPDATED', subject: id, before: auditView.policy(before), after: auditView.policy(policy) }]);
  return policy;
}

type Change = Pick<z.output<typeof changes>, 'handler' | 'params'>;

/** Handler and params are checked together, as they will be stored. */
function checkChange(gate: Gate, policy: Policy, { handler = policy.handler, params = policy.params }: Change): ReturnType<typeof checkHandler> {
  const checked = checkHandler(gate.registry, handler, params ?? null);
  const before = gate.registry.find(policy.handler)?.kind;
  if (checked.kind === 'runs' && before !== undefined && checked.handlerKind !== before) {
    return invalidInput([{ path: ['handler'], message: `must be a ${before} like "${policy.handler}": a policy's handler kind never changes; create another policy instead` }]);
  }
  return checked;
}
