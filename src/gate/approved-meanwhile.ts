import { isDeepStrictEqual } from 'node:util';
import { DailyCostSchema } from '../entities/daily-cost.entity.ts';
import { readRow } from '../entities/rows.ts';
import type { Gate } from './gate.ts';
import type { Ready } from './ready.ts';
import { readTreeState } from './session-view.ts';

/**
 * Whether a person has approved, in another session, what this one was judged without. Ask it once an ask is stored: whoever accepts
 * elsewhere looks through what is stored by then, so that one of the two sees the other, and nobody is asked twice.
 */
export async function approvedMeanwhile(gate: Pick<Gate, 'em'>, { view, lookedUp }: Ready): Promise<boolean> {
  if (view.seesTree && !isDeepStrictEqual(await readTreeState(view.lineage, gate.em), view.treeState)) return true;
  const { userDailyCost } = lookedUp;
  if (!userDailyCost) return false;
  const row = await readRow(gate, DailyCostSchema, { ownerKind: view.owner.kind, ownerId: view.owner.id, day: userDailyCost.day });
  return (row?.askApprovedUsd ?? 0) !== userDailyCost.ask_approved_usd;
}
