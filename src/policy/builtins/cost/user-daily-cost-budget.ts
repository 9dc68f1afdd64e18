import { defineHandler } from '../../handler.ts';
import { dailyBudgetParams } from './budget-params.ts';
import { createBudget } from './judge-budget.ts';
import { membersOf, spentOf, spentOnDay } from './spending.ts';
import { readUsd } from './usd.ts';

const name = 'cost.user_daily_cost_budget';

export const userDailyCostBudget = defineHandler({
  name,
  title: 'Budget of a user per day',
  description:
    "Limits what all sessions of the session's owner may cost together on one day, in UTC: asks at each checkpoint, and denies from the " +
    'limit on. Asks once where the session has used tokens whose price is not known.',
  phases: ['REQUEST', 'TOOL_CALL'],
  needs: ['state', 'model', 'usage', 'userDailyCost'],
  params: dailyBudgetParams,
  create(params) {
    const judge = createBudget({ handler: name, haveCost: "The owner's sessions have cost today", approvalKey }, params);
    return ({ facts: { state, model, usage, userDailyCost } }) => {
      const { ask_approved_usd: approved, day } = membersOf(userDailyCost);
      return judge({
        state,
        model,
        spent: spentOnDay(userDailyCost),
        isUnpriced: spentOf(usage) === null,
        approvedUsd: () => finiteOr0(readUsd(approved)),
        ...(typeof day === 'string' ? { period: day } : {}),
      });
    };
  },
});

/** The reference's key. It never gets into a session's state: the gate keeps it for the owner and the day. */
const approvalKey = '_policy_user_daily_ask_approved_usd';

/** What cannot be read approves nothing. */
function finiteOr0(usd: number | null): number {
  return usd !== null && Number.isFinite(usd) ? usd : 0;
}
