import { z } from 'zod';
import { isDeepStrictEqual } from 'node:util';
import { newPolicyId } from '../entities/id.ts';
import { inTransaction } from '../entities/in-transaction.ts';
import { insertRows } from '../entities/rows.ts';
import { PolicySchema, type Policy } from '../entities/policy.entity.ts';
import { configuration } from '../entities/principal.ts';
import { thawed } from '../entities/thawed.ts';
import { appendAudit, type AuditNote } from './append-audit.ts';
import { auditView } from './audit-notes.ts';
import type { Gate } from './gate.ts';
import { parse } from './input.ts';
import type { Conflict, InputIssue } from './outcome.ts';
import { conflict } from './outcome.ts';
import { holdEpoch, nextEpoch } from './policy-epoch.ts';
import { checkHandler, policyFields } from './policy-input.ts';

/** Policies that the configuration has. The message is one line and says which and what would be right. */
class ServerPoliciesFault extends Error {
  override readonly name = 'ConfigFault';
}

const fields = z.strictObject({ ...policyFields, enabled: z.boolean().nullish() });

type Wanted = Pick<Policy, 'name' | 'handler' | 'params' | 'on' | 'condition' | 'writableLabels' | 'askTimeoutSeconds' | 'enabled'>;

/**
 * Brings the server's policies that come from the configuration into step with it: ids stay, by name; what is gone from the file is
 * deleted. All or nothing. Rejects with a `ConfigFault` where one cannot run, or has the name of one that was made otherwise.
 */
export async function syncServerPolicies(gate: Pick<Gate, 'em' | 'now' | 'registry' | 'log'>, configured: readonly unknown[]): Promise<void> {
  const wanted = configured.map((given, index) => read(gate, given, index));
  const twice = wanted.findIndex(({ name }, index) => wanted.findIndex((other) => other.name === name) < index);
  if (twice >= 0) throw fault(twice, [{ path: ['name'], message: 'is there twice: names are unique' }]);
  const now = gate.now();
  await inTransaction(gate.em, async (tx) => {
    await holdEpoch(tx); // servers that start together follow each other
    const notes: AuditNote[] = [];
    const note = (action: AuditNote['action'], change: Pick<AuditNote, 'subject' | 'before' | 'after'>) => notes.push({ at: now, actor: configuration, session: null, action, ...change });
    const existing = new Map((await tx.find(PolicySchema, { target: 'server' })).map((policy) => [policy.name, policy]));
    for (const [index, policy] of wanted.entries()) {
      const known = existing.get(policy.name);
      if (known && !isConfigured(known)) throw fault(index, [{ path: ['name'], message: `is that of a policy which was made by createPolicy (${known.id}): rename one of them, or delete that one` }]);
      if (!known) {
        const row: Policy = { id: newPolicyId(), level: 'SERVER', target: 'server', agent: null, session: null, ...policy, createdBy: configuration, createdAt: now, updatedAt: now };
        await insertRows({ em: tx }, PolicySchema, [row]);
        note('POLICY_CREATED', { subject: row.id, after: auditView.policy(row) });
      } else if (!isDeepStrictEqual(contentOf(known), contentOf(policy))) {
        await tx.nativeUpdate(PolicySchema, { id: known.id }, { ...thawed(policy), updatedAt: now });
        note('POLICY_UPDATED', { subject: known.id, before: auditView.policy(known), after: auditView.policy({ ...known, ...policy }) });
      }
    }
    const names = new Set(wanted.map(({ name }) => name));
    for (const policy of existing.values()) {
      if (!isConfigured(policy) || names.has(policy.name)) continue;
      await tx.nativeDelete(PolicySchema, { id: policy.id });
      note('POLICY_DELETED', { subject: policy.id, before: auditView.policy(policy) });
    }
    if (notes.length > 0) await nextEpoch(tx);
    await appendAudit({ em: tx }, notes);
  });
  await warnOfMissingHandlers(gate);
}

/** Null: it may be changed. */
export function refusalToChange(policy: Policy): Conflict | null {
  return isConfigured(policy) ? conflict(`The policy "${policy.name}" comes from the server's configuration: change it there, and start the server anew.`) : null;
}

export function isConfigured({ createdBy }: Pick<Policy, 'createdBy'>): boolean {
  return createdBy.kind === configuration.kind && createdBy.id === configuration.id;
}

function read(gate: Pick<Gate, 'registry'>, given: unknown, index: number): Wanted {
  const parsed = parse(fields, given);
  if (parsed.kind === 'invalidInput') throw fault(index, parsed.issues);
  const { name, handler, params, on, condition, writableLabels, askTimeoutSeconds, enabled } = parsed.value;
  const checked = checkHandler(gate.registry, handler, params ?? null);
  if (checked.kind === 'invalidInput') throw fault(index, checked.issues);
  return {
    name,
    handler: checked.handler,
    params: params ?? null,
    on: on ?? null,
    condition: condition ?? null,
    writableLabels: writableLabels ?? null,
    askTimeoutSeconds: askTimeoutSeconds ?? null,
    enabled: enabled ?? true,
  };
}

function contentOf({ name, handler, params, on, condition, writableLabels, askTimeoutSeconds, enabled }: Wanted): unknown {
  return JSON.parse(JSON.stringify([name, handler, params, on, condition, writableLabels, askTimeoutSeconds, enabled]));
}

function fault(index: number, issues: readonly InputIssue[]): ServerPoliciesFault {
  return new ServerPoliciesFault(issues.map(({ path, message }) => `serverPolicies.${[index, ...path].join('.')} ${message}`).join('; '));
}

/** They deny whatever they would judge, which nobody should have to find out. */
async function warnOfMissingHandlers({ em, registry, log }: Pick<Gate, 'em' | 'registry' | 'log'>): Promise<void> {
  const enabled = await em.fork().find(PolicySchema, { enabled: true }, { fields: ['id', 'name', 'handler'] });
  for (const { id, name, handler } of enabled) {
    if (!registry.find(handler)) log.warn({ policy: id, name, handler }, 'a policy denies all that it would judge, because its handler is not registered: name its module in policyModules, or disable or delete it');
  }
}
