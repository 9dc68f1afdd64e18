import type { SqlEntityManager } from '@mikro-orm/sql';
import type { PolicyId } from '../entities/id.ts';
import { inTransaction } from '../entities/in-transaction.ts';
import { PolicySchema, type Policy } from '../entities/policy.entity.ts';
import { appendAudit } from './append-audit.ts';
import { auditView } from './audit-notes.ts';
import { forgetJudgedBy } from './create-policy.ts';
import { find } from './find.ts';
import type { Gate } from './gate.ts';
import { notFound, type Conflict, type NotFound } from './outcome.ts';
import { nextEpoch } from './policy-epoch.ts';
import { refusalToChange } from './sync-server-policies.ts';

export async function deletePolicy(gate: Gate, input: { readonly policyId: string }): Promise<{ kind: 'deleted'; id: PolicyId } | NotFound | Conflict> {
  const policy = await find.policy(gate, input.policyId);
  const refused = policy && refusalToChange(policy);
  if (refused) return refused;
  const isDeleted = policy !== null && (await inTransaction(gate.em, (tx) => remove(gate, policy, tx)));
  if (!isDeleted) return notFound('policy', input.policyId);
  forgetJudgedBy(gate, policy);
  return { kind: 'deleted', id: policy.id };
}

async function remove(gate: Gate, policy: Policy, tx: SqlEntityManager): Promise<boolean> {
  await nextEpoch(tx);
  if ((await tx.nativeDelete(PolicySchema, { id: policy.id })) === 0) return false;
  await appendAudit({ em: tx }, [{ at: gate.now(), actor: gate.principal, session: policy.session ?? null, action: 'POLICY_DELETED', subject: policy.id, before: auditView.policy(policy) }]);
  return true;
}
