import { findConnection } from '../hooks/connection.ts';
import { environment } from '../hooks/environment.ts';
import { CountersignError, createClient, type Client, type Elicitation } from '../sdk/index.ts';
import { left, targetOf } from './inbox/card-details.ts';
import { runInbox } from './inbox/run-inbox.ts';
import { printable } from './printable.ts';
import { UsageFault } from './usage-fault.ts';

export interface InboxOptions {
  readonly once?: boolean;
  readonly json?: boolean;
  readonly session?: string;
}

/** How long the server may be away before `--once` gives up. */
const patienceSeconds = 10;

/** What waits for a decision: live, with keys to decide it, or printed once. */
export async function openInbox({ once = false, json = false, session }: InboxOptions): Promise<void> {
  const surroundings = environment();
  if (json && !once) throw new UsageFault('--json goes with --once, which prints what is pending and ends');
  if (!once && !(process.stdin.isTTY && process.stdout.isTTY)) throw new UsageFault('The inbox needs a terminal: countersign inbox --once prints what is pending, with --json for programs');
  const { url, token } = findConnection(surroundings);
  using client = createClient({ url: url.href, token: token ?? undefined, patienceSeconds, ...(once ? { transport: 'http' as const } : {}) });
  try {
    if (once) print(await listPending(client, session), json);
    else await live(client, { session, editor: surroundings.variables['VISUAL'] || surroundings.variables['EDITOR'] || 'vi' });
  } catch (error) {
    if (!(error instanceof CountersignError)) throw error;
    throw new UsageFault(`${url.href} does not show what is pending: ${error.message}`);
  }
}

async function live(client: Client, { session, editor }: { readonly session: string | undefined; readonly editor: string }): Promise<void> {
  const stop = new AbortController();
  const stopped = () => stop.abort();
  process.on('SIGTERM', stopped).on('SIGINT', stopped).on('SIGHUP', stopped);
  try {
    await client.viewer(); // a wrong address or credential is said before the screen is taken
    await runInbox({ client, sessionId: session, editor, terminal: process, stopped: stop.signal, now });
  } finally {
    process.off('SIGTERM', stopped).off('SIGINT', stopped).off('SIGHUP', stopped);
    process.stdin.destroy();
  }
}

async function listPending(client: Client, sessionId: string | undefined): Promise<Elicitation[]> {
  const pending: Elicitation[] = [];
  for (let after: string | null = null; ; ) {
    const { edges, pageInfo }: Awaited<ReturnType<Client['elicitations']>> = await client.elicitations({ filter: { status: 'PENDING', sessionId }, first: 100, after });
    pending.push(...edges.map(({ node }) => node));
    if (!pageInfo.hasNextPage) return pending;
    after = pageInfo.endCursor ?? null;
  }
}

function print(pending: readonly Elicitation[], json: boolean): void {
  const lines = pending.map(({ id, expiresAt, session, event, message }) => [id, left(expiresAt, now()), session.agent.name, targetOf(event), message].map(printable).join('  '));
  process.stdout.write(json ? `${JSON.stringify(pending, null, 2)}\n` : `${lines.length > 0 ? lines.join('\n') : 'Nothing waits for a decision.'}\n`);
}

function now(): Date {
  return new Date(performance.timeOrigin + performance.now());
}
