import { setTimeout } from 'node:timers/promises';
import { resolveElicitation, resolveElicitations } from '../crash/documents.ts';
import { askFleet, type World } from './ask-fleet.ts';
import { graceSeconds } from './fleet.ts';
import { intents, type Intent } from './ledger.ts';
import { watch, type Shown } from './watchers.ts';

export const approversCount = 5;

/** Longer than the grace time, so that whoever counts a held call as left has abandoned it by then. */
const patienceSeconds = { min: graceSeconds + 3, max: graceSeconds + 8 };

const bulkMax = 4;

/** One of the approvers: sees everything, and does its part, at any server. Resolves when it has done all, after `until`. */
export async function approve(world: World, index: number, until: AbortSignal): Promise<void> {
  const { ledger, random } = world;
  const as = index % 2 === 0 ? 'ada' : 'ben';
  const acted = new Set<string>();
  const acts = new Set<Promise<void>>();
  const bulk: Shown[] = [];

  const resolveOne = async ({ id, event }: Shown, action: 'ACCEPT' | 'DECLINE', edit: object = {}): Promise<void> => {
    if (action === 'ACCEPT') ledger.accepts.add(id);
    const { __typename: type = '', status = '', message } = await askFleet(world, resolveElicitation, { as, input: { elicitationId: id, action, ...edit } });
    ledger.resolved.push({ elicitationId: id, action, by: as, type, status });
    if (type === 'Elicitation') ledger.decidedAt.set(event.data.arguments.command, Date.now());
    else if (type !== 'AlreadyResolvedError') ledger.broken.push(`${as} could not ${action} ${event.data.arguments.command}: ${type} ${message ?? ''}`);
  };

  const resolveBulk = async (): Promise<void> => {
    const those = bulk.splice(0);
    for (const { id } of those) ledger.accepts.add(id);
    const { __typename: type, message } = await askFleet(world, resolveElicitations, { as, input: { ids: those.map(({ id }) => id), action: 'ACCEPT' } });
    if (type === 'ResolvedElicitations') for (const { id, event } of those) noteAccepted(id, event.data.arguments.command);
    else ledger.broken.push(`${as} could not accept ${those.length} together: ${String(type)} ${message ?? ''}`);
  };
  const noteAccepted = (elicitationId: string, key: string): void => {
    ledger.resolved.push({ elicitationId, action: 'ACCEPT', by: as, type: 'Elicitation', status: 'ACCEPTED' });
    ledger.decidedAt.set(key, Date.now());
  };

  const act = async (shown: Shown): Promise<void> => {
    const key = shown.event.data.arguments.command;
    const intent = intentOf(key);
    const first = Number(/\d+/.exec(key)?.[0]) % approversCount;
    if (index !== first) {
      if (intent !== 'disputed' || index !== (first + 1) % approversCount) return;
      await setTimeout(random.integer(0, 800));
      return resolveOne(shown, 'DECLINE');
    }
    await setTimeout(random.integer(0, 800));
    switch (intent) {
      case 'accepted':
      case 'disputed':
      case 'doubled':
      case 'ticket':
        return resolveOne(shown, 'ACCEPT');
      case 'declined':
        return resolveOne(shown, 'DECLINE');
      case 'edited':
        return resolveOne(shown, 'ACCEPT', { editedArguments: { command: `${key}, but otherwise` } });
      case 'patient':
        await setTimeout(random.integer(patienceSeconds.min, patienceSeconds.max) * 1000);
        return resolveOne(shown, 'ACCEPT');
      case 'bulk':
        bulk.push(shown);
        if (bulk.length < bulkMax) await setTimeout(2000);
        return bulk.includes(shown) ? resolveBulk() : undefined;
      case 'allowed':
      case 'denied':
        ledger.broken.push(`somebody was asked about ${key}`);
        return;
      case 'overdue':
      case 'left':
      case 'waiting':
      case 'withdrawn':
      case 'deserted':
        return;
      default:
        intent satisfies never;
    }
  };

  const saw = (shown: Shown): void => {
    if (acted.has(shown.id)) return;
    acted.add(shown.id);
    const acting = act(shown)
      .catch((error: unknown) => void ledger.broken.push(`an approver was answered ${String(error)}`))
      .finally(() => acts.delete(acting));
    acts.add(acting);
  };

  await watch(world, { name: `approver ${index}`, as, saw }, until);
  await Promise.all(acts);
}

function intentOf(key: string): Intent {
  const intent = intents.find((word) => key.split(' ').at(-1) === word);
  if (!intent) throw new Error(`Nobody asked for ${JSON.stringify(key)}.`);
  return intent;
}
