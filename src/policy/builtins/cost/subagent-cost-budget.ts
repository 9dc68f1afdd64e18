import { defineHandler } from '../../handler.ts';
import { storedApprovalUsd } from './approved-usd.ts';
import { budgetParams } from './budget-params.ts';
import { createBudget } from './judge-budget.ts';
import { spentOf } from './spending.ts';

const name = 'cost.subagent_cost_budget';

export const subagentCostBudget = defineHandler({
  name,
  title: 'Budget of a sub-agent',
  description:
    'Limits what one session and its descendants may cost, whatever the sessions above it and beside it have spent: asks at each ' +
    'checkpoint, and denies from the limit on. Asks once where tokens were used whose price is not known.',
  phases: ['REQUEST', 'TOOL_CALL'],
  needs: ['state', 'model', 'subtreeUsage'],
  params: budgetParams,
  create(params) {
    const judge = createBudget({ handler: name, haveCost: 'This sub-agent and those below it have cost', approvalKey }, params);
    return ({ facts: { state, model, subtreeUsage } }) => {
      const spent = spentOf(subtreeUsage);
      return judge({ state, model, spent, isUnpriced: spent === null, approvedUsd: () => storedApprovalUsd(state[approvalKey]) });
    };
  },
});

/** The reference's key, in the session's own state. */
const approvalKey = 'subagent_cost_ask_approved_usd';
