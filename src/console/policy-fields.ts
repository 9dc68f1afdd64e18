import type { Policy, PolicyHandler, PolicySelectorInput } from '../sdk/index.ts';
import { isObject } from '../elements/judged-event.ts';

/** What every policy has, whatever its handler, as a form. `on` is a line for each selector: a phase, and a tool's name where it is about one. */
export const policySchema: Readonly<Record<string, unknown>> = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', title: 'Name', description: 'Unique where it is attached.' },
    on: { type: 'array', items: { type: 'string' }, title: 'When', description: 'One a line, e.g. TOOL_CALL or TOOL_CALL Bash. Empty: the handler chooses.' },
    condition: { title: 'Condition on labels', description: 'JSON: label → value or list of values. Empty: always.' },
    writableLabels: { type: 'array', items: { type: 'string' }, title: 'Labels it may write', description: 'One a line. Empty: any that is not reserved.' },
    askTimeoutSeconds: { type: 'integer', minimum: 1, title: 'Seconds until an ask expires', description: 'Empty: the agent’s, else a day.' },
    enabled: { type: 'boolean', title: 'Enabled', default: true },
  },
};

/** The fields of a policy as the form has them. */
export function fieldsOf({ name, on, condition, writableLabels, askTimeoutSeconds, enabled }: Policy): Readonly<Record<string, unknown>> {
  return { name, on: on?.map(({ phase, toolName }) => (toolName ? `${phase} ${toolName}` : phase)), condition, writableLabels, askTimeoutSeconds, enabled };
}

export interface PolicyFields {
  readonly name: string;
  readonly on: readonly PolicySelectorInput[] | null;
  readonly condition: Readonly<Record<string, unknown>> | null;
  readonly writableLabels: readonly string[] | null;
  readonly askTimeoutSeconds: number | null;
  readonly enabled: boolean;
}

/** What the form says, as the API takes it; what is left empty is null there. */
export function readFields(values: Readonly<Record<string, unknown>>): PolicyFields {
  const { name, on, condition, writableLabels, askTimeoutSeconds, enabled } = values;
  return {
    name: typeof name === 'string' ? name : '',
    on: Array.isArray(on) ? on.map((line) => selectorOf(String(line))) : null,
    condition: isObject(condition) ? condition : null,
    writableLabels: Array.isArray(writableLabels) ? writableLabels.map(String) : null,
    askTimeoutSeconds: typeof askTimeoutSeconds === 'number' ? askTimeoutSeconds : null,
    enabled: enabled === true,
  };
}

/** The server refuses a phase that there is not, in words. */
function selectorOf(line: string): PolicySelectorInput {
  const [phase = '', ...tool] = line.trim().split(/\s+/);
  return { phase: phase.toUpperCase() as PolicySelectorInput['phase'], ...(tool.length > 0 ? { toolName: tool.join(' ') } : {}) };
}

/** The schema of a handler's params; one without params has an empty one. */
export function paramsSchemaOf(handler: PolicyHandler | undefined): Readonly<Record<string, unknown>> {
  return handler?.paramsSchema ?? {};
}

/** What is wrong, by the field of the form that it is about: of `params` by the name of the param. */
export function problemsIn(issues: readonly { readonly path: readonly string[]; readonly message: string }[], root: 'params' | 'fields'): Readonly<Record<string, string>> {
  const own = issues.filter(({ path }) => (path.includes('params') ? root === 'params' : root === 'fields'));
  return Object.fromEntries(own.map(({ path, message }) => [(root === 'params' ? path[path.indexOf('params') + 1] : path[0] === 'input' ? path[1] : path[0]) ?? '', message]));
}
