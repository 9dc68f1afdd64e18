import type { PolicyId } from '../entities/id.ts';
import { PolicySchema } from '../entities/policy.entity.ts';
import { forgetJudgedBy } from './create-policy.ts';
import { find } from './find.ts';
import type { Gate } from './gate.ts';
import { notFound, type Conflict, type NotFound } from './outcome.ts';
import { refusalToChange } from './sync-server-policies.ts';

export async function deletePolicy(gate: Gate, input: { readonly policyId: string }): Promise<{ kind: 'deleted'; id: PolicyId } | NotFound | Conflict> {
  const policy = await find.policy(gate, input.policyId);
  const refused = policy && refusalToChange(policy);
  if (refused) return refused;
  const deleted = policy ? await gate.em.nativeDelete(PolicySchema, { id: policy.id }) : 0;
  if (!policy || deleted === 0) return notFound('policy', input.policyId);
  forgetJudgedBy(gate, policy);
  return { kind: 'deleted', id: policy.id };
}
