import { askOnAddPolicy } from './builtins/safety/ask-on-add-policy.ts';
import type { RunnablePolicy } from './pass.ts';
import type { Judge } from './handler.ts';

/** Runs last in every pass, whatever is configured: an agent must not loosen its own rules unseen. */
export const addPolicyGuard: RunnablePolicy = Object.freeze({
  name: '__ask_on_add_policy',
  level: 'SERVER',
  handler: askOnAddPolicy.name,
  on: Object.freeze([Object.freeze({ phase: 'TOOL_CALL', toolName: null })]),
  condition: null,
  writableLabels: Object.freeze([]),
  askTimeoutSeconds: null,
  judge: judgeOf(),
});

function judgeOf(): Judge {
  const built = askOnAddPolicy.build(null);
  if (built.kind !== 'built') throw new Error('The guard takes no params.');
  return built.judge;
}
