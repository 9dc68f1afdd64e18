import {
  phases,
  type Facts,
  type JsonObject,
  type JudgeInput,
  type Opinion,
  type Pass,
  type PolicyEvent,
  type RunnablePolicy,
  type UsageFact,
} from '../../../src/policy/index.ts';

/** A policy that fires on every event and always gives this opinion, which may be nonsense. */
export function policy(name: string, opinion: unknown, settings: Partial<RunnablePolicy> = {}): RunnablePolicy {
  return {
    name,
    level: 'SESSION',
    handler: 'test.fixed',
    on: phases.map((phase) => ({ phase, toolName: null })),
    condition: null,
    writableLabels: null,
    askTimeoutSeconds: null,
    judge: () => opinion as Opinion,
    ...settings,
  };
}

export function throwing(name: string, thrown: unknown): RunnablePolicy {
  const judge = (): Opinion => {
    throw thrown as Error;
  };
  return policy(name, null, { judge });
}

/** A pass of these policies over a call of Bash in a fresh session. */
export function passOf(policies: readonly RunnablePolicy[], settings: Partial<Pass> = {}): Pass {
  return { event: toolCall('Bash', { command: 'ls' }), facts: facts(), policies, labelValues: {}, ...settings };
}

export function toolCall(name: string, args: JsonObject = {}): PolicyEvent {
  return { type: 'tool_call', target: name, data: { name, arguments: args } };
}

export function request(text: string): PolicyEvent {
  return { type: 'request', target: null, data: { user_content: text, attachments: [] } };
}

export function facts(known: Partial<Facts> = {}): Facts {
  return {
    state: {},
    labels: {},
    model: null,
    harness: null,
    actor: { run_as: 'dev@example.com' },
    usage: usage(),
    subtreeUsage: usage(),
    userDailyCost: { cost_usd: 0, ask_approved_usd: 0, user_id: 'dev@example.com', day: '2026-08-14' },
    ...known,
  };
}

/** Nothing recorded, but for what is given. */
export function usage(known: Partial<UsageFact> = {}): UsageFact {
  return { input_tokens: 0, output_tokens: 0, total_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0, total_cost_usd: 0, ...known };
}

/** For a judge that is called by hand: no model is configured. */
export const askModel: JudgeInput['askModel'] = () => ({ kind: 'notConfigured' });
