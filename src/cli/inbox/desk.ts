import { CountersignError, RefusedError, type Client, type Elicitation } from '../../sdk/index.ts';
import { isPending } from './card.ts';
import type { Answer, InboxState } from './inbox-state.ts';

export interface Desk {
  /** Hears what is asked and what is decided until the signal is aborted. Rejects when the server does not let us. */
  watch(signal: AbortSignal): Promise<void>;
  /** Sends an answer, and says what has come of it. */
  answer(answer: Answer): Promise<void>;
}

export interface DeskParts {
  readonly client: Client;
  readonly state: InboxState;
  /** Only this session and its sub-agents. */
  readonly sessionId: string | undefined;
  /** Something in the state is new. */
  readonly changed: () => void;
}

export function openDesk({ client, state, sessionId, changed }: DeskParts): Desk {
  const { list } = state;
  const put = (elicitation: Elicitation) => {
    list.put(elicitation);
    changed();
  };
  let looking: Promise<void> | null = null;

  /** While the connection was lost, answers were missed. When the server is there again, what is open is looked at anew. */
  async function lookAnew(signal: AbortSignal): Promise<void> {
    const open = list.cards.filter(isPending).map(({ elicitation }) => elicitation.id);
    await client.viewer({}, { signal });
    for (const id of open) {
      const elicitation = await client.elicitation({ id }, { signal });
      if (elicitation) list.put(elicitation);
    }
    state.lost = null;
    changed();
  }

  function interrupted(error: CountersignError, signal: AbortSignal): void {
    state.lost = error.message;
    changed();
    looking ??= persistently(() => lookAnew(signal), signal).finally(() => (looking = null));
  }

  async function persistently(look: () => Promise<void>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await look();
        return;
      } catch (error) {
        if (!(error instanceof CountersignError)) return; // aborted
        await new Promise((resolve) => setTimeout(resolve, 1000));
      }
    }
  }

  async function follow(watched: AsyncIterable<Elicitation>): Promise<void> {
    for await (const elicitation of watched) put(elicitation);
  }

  function refusal(error: unknown): string {
    if (!(error instanceof CountersignError)) throw error;
    if (!(error instanceof RefusedError)) return `Nothing is known to be decided: ${error.message}`;
    const { result } = error;
    if (result.__typename === 'AlreadyResolvedError' || result.__typename === 'StaleElicitationError') list.put(result.elicitation);
    if (result.__typename === 'AlreadyResolvedError') return result.message;
    if (result.__typename === 'EditRefusedError') return `Nothing was decided: ${result.policy == null ? '' : `${result.policy}: `}${result.issues.map(({ message }) => message).join('; ')}`;
    if (result.__typename === 'InvalidInputError') return `Nothing was decided: ${result.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')}`;
    return `Nothing was decided: ${result.message}`;
  }

  async function send(answer: Answer): Promise<string> {
    if (answer.kind === 'many') {
      const { ids, action, comment } = answer;
      const { elicitations } = await client.resolveElicitations({ ids: [...ids], action, ...(comment === '' ? {} : { comment }) });
      elicitations.forEach((elicitation) => list.put(elicitation));
      return `${elicitations.length} ${action === 'ACCEPT' ? 'accepted' : 'declined'}.`;
    }
    const { id, input } = answer;
    const shown = list.cards.find(({ elicitation }) => elicitation.id === id)?.elicitation;
    const elicitation = await client.resolve({ elicitationId: id, ...(shown ? { expectedDigest: shown.digest } : {}), ...input });
    list.put(elicitation);
    state.drafts.delete(id);
    return input.action === 'ACCEPT' ? (input.editedArguments == null ? 'Accepted.' : 'Accepted as edited.') : 'Declined.';
  }

  return {
    async watch(signal) {
      const options = { sessionId, signal, onInterruption: (error: CountersignError) => interrupted(error, signal) };
      await Promise.all([follow(client.watchElicitations(options)), follow(client.watchResolutions(options))]);
    },
    async answer(answer) {
      state.notice = await send(answer).catch(refusal);
      changed();
    },
  };
}
