import { isPolicyId, type PolicyId } from '../entities/id.ts';
import { PolicySchema } from '../entities/policy.entity.ts';
import { forgetJudgedBy } from './create-policy.ts';
import type { Gate } from './gate.ts';
import { notFound, type NotFound } from './outcome.ts';

export async function deletePolicy(gate: Gate, input: { readonly policyId: string }): Promise<{ kind: 'deleted'; id: PolicyId } | NotFound> {
  const id = input.policyId;
  if (!isPolicyId(id)) return notFound('policy', id);
  const policy = await gate.em.findOne(PolicySchema, { id });
  const deleted = policy ? await gate.em.nativeDelete(PolicySchema, { id }) : 0;
  if (!policy || deleted === 0) return notFound('policy', input.policyId);
  forgetJudgedBy(gate, policy);
  return { kind: 'deleted', id };
}
