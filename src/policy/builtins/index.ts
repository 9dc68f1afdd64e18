import type { Handler } from '../handler.ts';
import { detectTaskSwitch } from './context/detect-task-switch.ts';
import { detectThrashing } from './context/detect-thrashing.ts';
import { celPolicy } from './cel/cel-policy.ts';
import { costBudget } from './cost/cost-budget.ts';
import { subagentCostBudget } from './cost/subagent-cost-budget.ts';
import { userDailyCostBudget } from './cost/user-daily-cost-budget.ts';
import { githubPolicy } from './github/github-policy.ts';
import { gcalendarPolicy } from './google/gcalendar-policy.ts';
import { gdrivePolicy } from './google/gdrive-policy.ts';
import { gmailPolicy } from './google/gmail-policy.ts';
import { blastRadius } from './orchestration/blast-radius.ts';
import { headlessSubagentPurposeGuard } from './orchestration/headless-subagent-purpose-guard.ts';
import { readOnlyOs } from './orchestration/read-only-os.ts';
import { spawnBounds } from './orchestration/spawn-bounds.ts';
import { worktreeGuard } from './orchestration/worktree-guard.ts';
import { promptPolicy } from './prompt/prompt-policy.ts';
import { riskScorePolicy } from './risk-score/risk-score-policy.ts';
import { denyTrivialToExpensiveModel } from './routing/deny-trivial-to-expensive-model.ts';
import { intentBasedAuthorization } from './routing/intent-based-authorization.ts';
import { askOnAddPolicy } from './safety/ask-on-add-policy.ts';
import { askOnOsTools } from './safety/ask-on-os-tools.ts';
import { blockSkills } from './safety/block-skills.ts';
import { denyPiiInLlmRequest } from './safety/deny-pii-in-llm-request.ts';
import { detectLoop } from './safety/detect-loop.ts';
import { enforceSandbox } from './safety/enforce-sandbox.ts';
import { fixedAction } from './safety/fixed-action.ts';
import { maxToolCallsPerSession } from './safety/max-tool-calls-per-session.ts';
import { blockWorkingDirChanges } from './working-dir/block-working-dir-changes.ts';

/** Every handler that comes with the product and can be attached. */
export const builtins: readonly Handler[] = Object.freeze([
  askOnAddPolicy,
  askOnOsTools,
  blockSkills,
  maxToolCallsPerSession,
  costBudget,
  userDailyCostBudget,
  subagentCostBudget,
  detectTaskSwitch,
  promptPolicy,
  denyTrivialToExpensiveModel,
  intentBasedAuthorization,
  blastRadius,
  headlessSubagentPurposeGuard,
  readOnlyOs,
  spawnBounds,
  worktreeGuard,
  detectThrashing,
  githubPolicy,
  detectLoop,
  enforceSandbox,
  fixedAction,
  blockWorkingDirChanges,
  riskScorePolicy,
  gcalendarPolicy,
  gdrivePolicy,
  gmailPolicy,
  denyPiiInLlmRequest,
  celPolicy,
]);
