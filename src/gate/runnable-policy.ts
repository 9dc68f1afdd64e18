import type { Policy } from '../entities/policy.entity.ts';
import type { RunnablePolicy } from '../policy/pass.ts';
import type { Judge } from '../policy/handler.ts';
import { phases } from '../policy/event.ts';
import type { Registry } from '../policy/registry.ts';

/** A stored policy, built. One that can no longer be built (its handler is gone, or takes other params now) denies whatever it would have judged. */
export function toRunnable(policy: Policy, registry: Registry): RunnablePolicy {
  const handler = registry.find(policy.handler);
  const built = handler?.build(policy.params ?? null);
  return {
    name: policy.name,
    level: policy.level,
    handler: policy.handler,
    on: policy.on ?? (handler?.phases ?? phases).map((phase) => ({ phase, toolName: null })),
    condition: policy.condition ? conditionOf(policy.condition) : null,
    writableLabels: policy.writableLabels ?? null,
    askTimeoutSeconds: policy.askTimeoutSeconds ?? null,
    needs: built?.kind === 'built' ? built.needs : [],
    judge: built?.kind === 'built' ? built.judge : cannotBeBuilt,
  };
}

const cannotBeBuilt: Judge = () => {
  throw new Error('The policy can no longer be built from its handler and params.');
};

function conditionOf(condition: NonNullable<Policy['condition']>): Record<string, readonly string[]> {
  return Object.fromEntries(Object.entries(condition).map(([label, values]) => [label, typeof values === 'string' ? [values] : values]));
}
