import { setTimeout } from 'node:timers/promises';
import { Unreachable, askServer, type Answer } from '../crash/ask-server.ts';
import { createSession, endSession, evaluatePolicy, withdrawEvaluation } from '../crash/documents.ts';
import { askFleet, excuseOf, type World } from './ask-fleet.ts';
import { anyOf, type Name } from './fleet.ts';
import type { Call, Intent } from './ledger.ts';

/** How often each comes, of a hundred. */
const frequency: Record<Intent, number> = { allowed: 26, denied: 8, accepted: 18, declined: 8, disputed: 6, edited: 5, bulk: 6, doubled: 5, patient: 2, ticket: 5, overdue: 3, left: 1, waiting: 1, withdrawn: 3, deserted: 3 };

const drawn = Object.entries(frequency).flatMap(([intent, count]) => Array.from({ length: count }, () => intent as Intent));

const callsInSession = 40;

export interface Lane {
  readonly index: number;
  /** Of the agent whose asks have their usual time, and of the one whose have little. */
  readonly agents: { readonly calm: string; readonly hasty: string };
  /** Called with each session that will end within the run. */
  readonly began: (sessionId: string) => void;
}

/** One agent: session after session, call after call, each until it has its answer. Whoever is followed ends its last session as well; others leave it open. */
export async function act(world: World, { index, agents, began }: Lane, { endsLast }: { readonly endsLast: boolean }): Promise<void> {
  const { ledger, random, isEnding } = world;
  const as: Name = index % 2 === 0 ? 'red' : 'blue';
  const start = async (agentId: string): Promise<string> => {
    const { id } = await askFleet(world, createSession, { as, input: { agentId } });
    ledger.ownerOf.set(id, as);
    return id;
  };
  const hasty = await start(agents.hasty);
  for (let round = 0; !isEnding(); round += 1) {
    const session = await start(agents.calm);
    if (endsLast) began(session);
    for (let count = 0; count < callsInSession && !isEnding(); count += 1) {
      const intent = drawn[random.integer(0, drawn.length - 1)] ?? 'allowed';
      const key = `${index * 1_000_000 + round * 1000 + count} ${intent}`;
      const call: Call = { key, intent, sessionId: intent === 'overdue' || intent === 'left' ? hasty : session, told: [] };
      ledger.calls.set(key, call);
      await live({ world, as }, call);
      await setTimeout(random.integer(0, 600));
    }
    if (!isEnding() || endsLast) await askFleet(world, endSession, { as, input: { sessionId: session } });
  }
}

interface Caller {
  readonly world: World;
  readonly as: Name;
}

type Way = (caller: Caller, call: Call) => Promise<unknown>;

/** How a call is lived through, where that is not just to hold it until it is decided. */
const ways: Partial<Record<Intent, Way>> = {
  left: (caller, call) => evaluate(caller, call, 0),
  waiting: (caller, call) => evaluate(caller, call, 0),
  deserted: desert,
  async ticket(caller, call) {
    const { random } = caller.world;
    while (!(await isDecided(caller, call, random.integer(0, 2)))) await setTimeout(random.integer(50, 500));
  },
  doubled: (caller, call) => Promise.all([untilDecided(caller, call), untilDecided(caller, call)]),
  withdrawn: (caller, call) => Promise.all([untilDecided(caller, call), setTimeout(caller.world.random.integer(50, 1500)).then(() => withdraw(caller, call))]),
};

async function live(caller: Caller, call: Call): Promise<void> {
  const { ledger, random } = caller.world;
  await (ways[call.intent] ?? untilDecided)(caller, call);
  if (call.told.length === 0) return; // nobody waited for its answer
  const decided = ledger.decidedAt.get(call.key);
  if (decided !== undefined) ledger.waits.push(Math.max(0, Date.now() - decided));
  if (random.integer(0, 9) === 0) await untilDecided(caller, call); // it asks once more, to be sure: the same answer
}

async function untilDecided(caller: Caller, call: Call): Promise<void> {
  while (!(await isDecided(caller, call, null)));
}

async function isDecided(caller: Caller, call: Call, waitSeconds: number | null): Promise<boolean> {
  const answer = await evaluate(caller, call, waitSeconds);
  if (answer.status === 'AWAITING_APPROVAL') return false; // its time is up, or its server shuts down
  call.told.push(answer);
  return true;
}

async function evaluate({ world, as }: Caller, call: Call, waitSeconds: number | null): Promise<Answer> {
  const answer = await askFleet(world, evaluatePolicy, { as, input: inputOf(call, waitSeconds), transport: world.random.integer(0, 1) === 0 ? 'HTTP' : 'WebSocket' });
  if (answer.__typename !== 'Evaluation') throw new Error(`${call.key} was answered ${String(answer.__typename)}: ${answer.message ?? ''}`);
  if (answer.status === 'AWAITING_APPROVAL' && answer.verdict !== 'ASK') throw new Error(`${call.key} is undecided and ${String(answer.verdict)}`);
  return answer;
}

function inputOf({ key, intent, sessionId }: Call, waitSeconds: number | null): object {
  const name = intent === 'allowed' ? 'Weather' : intent === 'denied' ? 'Forbidden' : 'Bash';
  return { sessionId, idempotencyKey: key, event: { toolCall: { name, arguments: { command: key } } }, ...(waitSeconds === null ? {} : { waitSeconds }) };
}

/** Says that it gives up, until a server knows what it speaks of. */
async function withdraw({ world, as }: Caller, { key, sessionId, told }: Call): Promise<void> {
  for (;;) {
    const answer = await askFleet(world, withdrawEvaluation, { as, input: { sessionId, idempotencyKey: key } });
    if (answer.__typename === 'Evaluation') return void told.push(answer);
    if (answer.__typename !== 'NotFoundError') throw new Error(`${key} could not be withdrawn: ${answer.message ?? ''}`);
    await setTimeout(200);
  }
}

/** Gives up without a word. */
async function desert({ world: { fleet, ledger, random }, as }: Caller, call: Call): Promise<void> {
  const signal = AbortSignal.timeout(random.integer(100, 1500));
  try {
    const answer = await askServer(anyOf(fleet, random).url, evaluatePolicy, { token: fleet.tokens[as], input: inputOf(call, null), signal });
    if (answer.status !== 'AWAITING_APPROVAL') call.told.push(answer);
  } catch (error) {
    if (!(error instanceof Unreachable)) ledger.failed(excuseOf(error));
  }
}
