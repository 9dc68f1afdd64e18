import type { CelInput } from '@bufbuild/cel';
import type { PolicyEvent } from '../../event.ts';
import type { Facts } from '../../handler.ts';
import type { Json } from '../../json.ts';
import { requestText } from '../../request-text.ts';

/** The one variable, `event`, in the reference system's shape. Of a request, `data` is the user's text. */
export function celEvent(event: PolicyEvent, facts: Partial<Facts>): CelInput {
  const { usage, subtreeUsage, userDailyCost, actor, model, harness, labels, state } = facts;
  const text = requestText(event);
  return new Map<string, CelInput>([
    ['type', event.type],
    ['target', event.target ?? null],
    ['data', text ?? kept(event.data)],
    [
      'context',
      new Map<string, CelInput>([
        ['actor', celValue({ ...actor })],
        ['usage', celValue({ ...usage })],
        ['subtree_usage', celValue({ ...subtreeUsage })],
        ['user_daily_cost', celValue({ ...userDailyCost })],
        ['model', model ?? null],
        ['harness', harness ?? null],
        ['labels', kept(labels ?? {})],
      ]),
    ],
    ['session_state', kept(state ?? {})],
    ...('request_data' in event ? [['request_data', kept(event.request_data)] as const] : []),
  ]);
}

const values = new WeakMap<object, CelInput>();

/** Several policies judge the same payload, state and labels: each is read once. What is judged is frozen. */
function kept(value: unknown): CelInput {
  if (typeof value !== 'object' || value === null) return celValue(value as Json);
  const known = values.get(value);
  if (known !== undefined) return known;
  const read = celValue(value as Json);
  values.set(value, read);
  return read;
}

/** Maps instead of objects, so that no expression reaches what an object inherits; whole numbers as integers, but for money. */
function celValue(value: Json | Readonly<Record<string, unknown>>, key = ''): CelInput {
  if (typeof value === 'number') return Number.isSafeInteger(value) && !key.endsWith('_usd') ? BigInt(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => celValue(item));
  return new Map(Object.entries(value).map(([name, member]) => [name, celValue(member as Json, name)]));
}
