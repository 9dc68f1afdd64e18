import { defineHandler } from '../../handler.ts';
import { storedApprovalUsd } from './approved-usd.ts';
import { budgetParams } from './budget-params.ts';
import { createBudget } from './judge-budget.ts';
import { spentOf } from './spending.ts';

const name = 'cost.cost_budget';

export const costBudget = defineHandler({
  name,
  title: 'Budget of a session',
  description:
    'Limits what a session may cost, its sub-agents and the sessions above it included: asks at each checkpoint, and denies from the ' +
    'limit on. Asks once where tokens were used whose price is not known.',
  phases: ['REQUEST', 'TOOL_CALL'],
  needs: ['state', 'model', 'usage'],
  params: budgetParams,
  create(params) {
    const judge = createBudget({ handler: name, haveCost: 'This session and its sub-agents have cost', approvalKey }, params);
    return ({ facts: { state, model, usage } }) => {
      const spent = spentOf(usage);
      return judge({ state, model, spent, isUnpriced: spent === null, approvedUsd: () => storedApprovalUsd(state[approvalKey]) });
    };
  },
});

/** The reference's key, kept on the root of the session tree. */
const approvalKey = '_policy_cost_ask_approved_usd';
