import type { Client } from 'graphql-ws';
import { afterEach, describe, expect, it } from 'vitest';
import { agentsCount, planAsks, type Ask } from './asks.ts';
import { askServer, askUntilAnswered, type Answer } from './ask-server.ts';
import { askOver, connect } from './connect.ts';
import { createAgent, createPolicy, createSession, elicitationRequested, evaluatePolicy, resolveElicitation, withdrawEvaluation } from './documents.ts';
import { createKiller, moments, type Killer } from './killer.ts';
import { createRandom } from './random.ts';
import { prepareServer, type ServerProcess } from './server-process.ts';

const seed = Number(process.env['CRASH_SEED'] ?? 1);
const random = createRandom(seed);
const lanesCount = 16;
const overdueSeconds = 4;

interface StoredAsk {
  readonly key: string;
  readonly evaluation: string;
  readonly verdict: string;
  readonly status: string;
  readonly decidedBy: string | null;
  readonly session: string;
  readonly elicitation: string;
  readonly command: string;
  readonly action: string | null;
  readonly settledAt: number | null;
  readonly withheld: string | null;
}

const storedAsks = `
  select v.idempotency_key as key, v.id as evaluation, v.verdict, v.status, v.decided_by as "decidedBy", v.session_id as session, v.withheld,
    e.id as elicitation, e.event -> 'data' -> 'arguments' ->> 'command' as command, e.action, e.settled_at as "settledAt"
  from evaluation v left join elicitation e on e.id = v.elicitation_id`;

let server: ServerProcess;
const clients: Client[] = [];

afterEach(async () => {
  for (const client of clients.splice(0)) client.terminate();
  await server.remove();
});

describe(`a server that is killed at random points of the life of 100 asks (CRASH_SEED=${seed})`, () => {
  it('loses nothing, doubles nothing, and allows nothing twice or unasked', async () => {
    server = await prepareServer();
    await server.start();
    const sessions = await startSessions();
    const asks = planAsks(random);
    const byName = new Map(asks.map((ask) => [ask.name, ask]));

    /** What everyone was told, in the order of its arrival. */
    const answers = new Map<string, Answer[]>(asks.map(({ name }) => [name, []]));
    const shown = new Map<string, string>();
    const accepts = new Set<string>();
    const declines = new Set<string>();
    const verdictsOfApprovers = new Map<string, string[]>();
    const pendingAtKills = new Set<string>();

    const killer: Killer = createKiller(server, random, async () => {
      const stored = await server.read<StoredAsk>(storedAsks);
      for (const { elicitation, settledAt } of stored) if (settledAt === null) pendingAtKills.add(elicitation);
      // Durable before visible: what anyone has seen or was told is there.
      const ids = new Set(stored.map(({ elicitation }) => elicitation));
      expect([...shown.values()].filter((id) => !ids.has(id))).toEqual([]);
      for (const [name, told] of answers) {
        for (const { verdict, status, decidedBy } of told) expect(stored.find(({ key }) => key === name)).toMatchObject({ verdict, status, decidedBy });
      }
    });
    const at: Killer['at'] = (moment) => killer.at(moment);

    // Approvers: each sees everything, and does its part.
    const isShown = new Map(asks.map(({ name }) => [name, Promise.withResolvers<null>()]));
    const approvals: Promise<void>[] = [];
    const resolveAs = async (ask: Ask, elicitationId: string, action: 'ACCEPT' | 'DECLINE') => {
      (action === 'ACCEPT' ? accepts : declines).add(ask.name);
      const resolving = askUntilAnswered(server.url, resolveElicitation, { input: { elicitationId, action } });
      at('resolving');
      const { __typename: type = '', status = '' } = await resolving;
      verdictsOfApprovers.set(ask.name, [...(verdictsOfApprovers.get(ask.name) ?? []), `${type} ${status}`]);
      at('resolved');
    };
    const approversCount = 3;
    const acted = new Set<string>();
    const act = async (approver: number, ask: Ask, elicitationId: string) => {
      const first = ask.name.length % approversCount;
      const isFirst = approver === first;
      const isSecond = approver === (first + 1) % approversCount;
      if (acted.has(`${approver} ${ask.name}`)) return;
      acted.add(`${approver} ${ask.name}`);
      await new Promise((resolve) => setTimeout(resolve, random.integer(0, 60))); // to think
      if (isFirst && (ask.fate === 'accepted' || ask.fate === 'disputed')) await resolveAs(ask, elicitationId, 'ACCEPT');
      if (isFirst && ask.fate === 'declined') await resolveAs(ask, elicitationId, 'DECLINE');
      if (isSecond && ask.fate === 'disputed') await resolveAs(ask, elicitationId, 'DECLINE');
    };
    for (let approver = 0; approver < approversCount; approver += 1) {
      const client = connect(server.wsUrl);
      clients.push(client);
      client.subscribe<{ elicitationRequested: { id: string; event: { data: { arguments: { command: string } } } } }>(
        { query: elicitationRequested },
        {
          next({ data }) {
            const { id = '', event } = data?.elicitationRequested ?? {};
            const ask = byName.get(event?.data.arguments.command ?? '');
            if (!ask) throw new Error(`Nobody asked for ${JSON.stringify(event)}.`);
            shown.set(ask.name, id);
            isShown.get(ask.name)?.resolve(null);
            at('shown');
            approvals.push(act(approver, ask, id));
          },
          error: (error) => approvals.push(Promise.reject(error instanceof Error ? error : new Error(JSON.stringify(error)))),
          complete: () => undefined,
        },
      );
    }

    // Callers: each asks with its key until it is decided.
    const sockets = Array.from({ length: agentsCount }, () => connect(server.wsUrl));
    clients.push(...sockets);
    const callOnce = async ({ name, fate, agent, transport }: Ask): Promise<Answer> => {
      const sessionId = fate === 'overdue' ? sessions.short : sessions.long[agent];
      const input = { sessionId, idempotencyKey: name, event: { toolCall: { name: 'Bash', arguments: { command: name } } } };
      const socket = sockets[agent];
      if (transport === 'WebSocket' && socket) return askOver(socket, evaluatePolicy, { input });
      return askUntilAnswered(server.url, evaluatePolicy, { input });
    };
    const live = async (ask: Ask): Promise<void> => {
      const answering = callOnce(ask);
      at('asking');
      const withdrawing =
        ask.fate === 'withdrawn' &&
        isShown.get(ask.name)?.promise.then(async () => {
          const withdrawn = askUntilAnswered(server.url, withdrawEvaluation, { input: { sessionId: sessions.long[ask.agent], idempotencyKey: ask.name } });
          at('withdrawing');
          answers.get(ask.name)?.push(await withdrawn);
        });
      answers.get(ask.name)?.push(await answering);
      at('answered');
      await withdrawing;
      answers.get(ask.name)?.push(await callOnce(ask)); // it asks once more, to be sure: the same answer
    };

    const waiting = asks.filter(({ fate }) => fate === 'patient' || fate === 'overdue').map(live);
    const queue = asks.filter(({ fate }) => fate !== 'patient' && fate !== 'overdue');
    const lanes = Array.from({ length: lanesCount }, async () => {
      for (let ask = queue.shift(); ask; ask = queue.shift()) await live(ask);
    });
    await Promise.race([Promise.all(lanes), killer.failed]);
    await Promise.race([Promise.all(approvals), killer.failed]);
    await Promise.race([killer.served(), killer.failed]);

    // What nobody decided is still there to be decided. One may have come only after the last kill; most have not.
    const patient = asks.filter(({ fate }) => fate === 'patient');
    for (const { name } of patient) await isShown.get(name)?.promise;
    expect(patient.filter(({ name }) => pendingAtKills.has(shown.get(name) ?? '')).length).toBeGreaterThan(patient.length / 2);
    const undecided = (await server.read<StoredAsk>(storedAsks)).filter(({ settledAt }) => settledAt === null).map(({ elicitation }) => elicitation);
    for (const ask of patient) {
      expect(answers.get(ask.name)).toEqual([]);
      expect(undecided).toContain(shown.get(ask.name));
      await resolveAs(ask, shown.get(ask.name) ?? '', 'ACCEPT');
    }
    await Promise.race([Promise.all(waiting), killer.failed]);
    await Promise.race([Promise.all(approvals), killer.failed]);
    await Promise.race([killer.served(), killer.failed]);
    for (const client of clients.splice(0)) await client.dispose();
    expect((await server.terminate()).code).toBe(0);

    expect(killer.killedAt.length, 'what comes while the server is down kills nobody').toBeGreaterThan(moments.length);
    const stored = await server.read<StoredAsk>(storedAsks);
    const everyElicitation = await server.read<{ id: string }>('select id from elicitation');
    // Nothing lost, nothing doubled: one evaluation and one elicitation an ask, each settled.
    expect(stored.map(({ key }) => key).sort()).toEqual(asks.map(({ name }) => name).sort());
    expect(everyElicitation.map(({ id }) => id).sort()).toEqual(stored.map(({ elicitation }) => elicitation).sort());
    expect(new Set(stored.map(({ elicitation }) => elicitation)).size).toBe(asks.length);
    for (const row of stored) {
      const ask = byName.get(row.key);
      expect(row).toMatchObject({ command: row.key, settledAt: expect.any(Number), withheld: null });
      const fates = ask?.fate === 'disputed' ? [endings.accepted, endings.declined] : [endings[ask?.fate ?? 'accepted']];
      expect(fates).toContainEqual([row.status, row.verdict, row.decidedBy, row.action]);
      // Allowed only after an accept, denied by a person only after a decline.
      expect(row.verdict === 'ALLOW' ? accepts : new Set([row.key])).toContain(row.key);
      expect(row.decidedBy === 'PERSON' && row.verdict === 'DENY' ? declines : new Set([row.key])).toContain(row.key);
      // Whoever asked was told what is stored, each time.
      const told = answers.get(row.key) ?? [];
      expect(told.length).toBeGreaterThanOrEqual(2);
      for (const answer of told) expect(answer).toEqual({ __typename: 'Evaluation', id: row.evaluation, verdict: row.verdict, status: row.status, decidedBy: row.decidedBy, data: null });
      // Of two approvers one was told that it decided, the other that it was late, if it saw the ask before it was decided.
      if (ask?.fate === 'disputed') {
        const told = (verdictsOfApprovers.get(row.key) ?? []).sort();
        expect(told.at(-1)).toBe(`Elicitation ${row.action === 'ACCEPT' ? 'ACCEPTED' : 'DECLINED'}`);
        expect(told.slice(0, -1)).toEqual(told.length > 1 ? ['AlreadyResolvedError '] : []);
      }
    }
    // What the policies wanted written was written once for each accept, and for nothing else.
    const counts = await server.read<{ id: string; count: number | null }>(`select id, cast(state ->> '_policy_tool_call_count' as int) as count from session`);
    for (const { id, count } of counts) expect(count ?? 0).toBe(stored.filter(({ session, verdict }) => session === id && verdict === 'ALLOW').length);
  }, 240_000);
});

const endings = {
  accepted: ['DECIDED', 'ALLOW', 'PERSON', 'ACCEPT'],
  patient: ['DECIDED', 'ALLOW', 'PERSON', 'ACCEPT'],
  declined: ['DECIDED', 'DENY', 'PERSON', 'DECLINE'],
  disputed: ['DECIDED', 'ALLOW', 'PERSON', 'ACCEPT'],
  withdrawn: ['ABANDONED', 'DENY', 'CANCELLATION', 'CANCEL'],
  overdue: ['DECIDED', 'DENY', 'EXPIRY', null],
} as const;

/** A session for each agent, one whose asks have little time, and policies that ask, and count what is allowed. */
async function startSessions(): Promise<{ long: string[]; short: string }> {
  const send = (document: string, input: object) => askServer(server.url, document, { input }).then(({ id }) => id);
  const start = async (agent: object) => send(createSession, { agentId: await send(createAgent, agent) });
  const long = await Promise.all(Array.from({ length: agentsCount }, (_, index) => start({ name: `agent ${index}` })));
  const short = await start({ name: 'hasty', askTimeoutSeconds: overdueSeconds });
  await send(createPolicy, { target: { server: true }, name: 'ask', handler: 'safety.ask_on_os_tools' });
  await send(createPolicy, { target: { server: true }, name: 'count', handler: 'safety.max_tool_calls_per_session', params: { limit: 1000 } });
  return { long, short };
}
