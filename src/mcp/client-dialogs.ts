import type { JSONRPCMessage, RequestId, Result } from '@modelcontextprotocol/sdk/types.js';
import { CountersignError, type Client, type Elicitation } from '../sdk/index.ts';
import type { Answer } from './answer.ts';
import { decisionForm, readDecision } from './decision-form.ts';
import type { Introduction } from './introduction.ts';

/** Questions that are shown to the client's user, where the client can. Whoever decides elsewhere is as good. */
export interface ClientDialogs {
  /** Shows it until the signal is aborted: it is decided, or nobody waits any more. */
  open(elicitationId: string, over: AbortSignal): void;
  /** Whether this is the client's answer to a question of ours. */
  take(answer: Answer): boolean;
}

export interface DialogParts {
  readonly countersign: Client;
  readonly introduction: Introduction;
  readonly send: (message: JSONRPCMessage) => void;
  readonly report: (line: string) => void;
}

/**
 * Asks the client's user by a form only where the server says that the user behind our credential may accept what the agent asks for
 * (`viewerCanResolve`): the answer counts as that user's. Anybody else gets the address of the approval page, and signs in there.
 */
export function createClientDialogs({ countersign, introduction, send, report }: DialogParts): ClientDialogs {
  const open = new Map<RequestId, (result: Result) => void>();

  async function show(elicitationId: string, over: AbortSignal): Promise<void> {
    const { modes } = introduction;
    if (!modes.form && !modes.url) return;
    const elicitation = await countersign.elicitation({ id: elicitationId }, { signal: over });
    if (elicitation?.status !== 'PENDING') return;
    const form = modes.form && elicitation.viewerCanResolve ? decisionForm(elicitation) : null;
    if (form) request(form, { over, answered: (result) => void decide(elicitation, result).catch(failedTo('take the answer')), closed: () => undefined });
    else if (modes.url) showPage(elicitation, over);
  }

  function showPage({ id, url, message }: Elicitation, over: AbortSignal): void {
    const closed = () => send({ jsonrpc: '2.0', method: 'notifications/elicitation/complete', params: { elicitationId: id } });
    // An accept means that the page was opened, not what was decided there.
    request({ mode: 'url', elicitationId: id, url, message: `${message}\nDecide on this page.` }, { over, answered: () => over.addEventListener('abort', closed, { once: true }), closed });
  }

  function request(params: Record<string, unknown>, { over, answered, closed }: { over: AbortSignal; answered: (result: Result) => void; closed: () => void }): void {
    if (over.aborted) return;
    const id = `countersign-${crypto.randomUUID()}`; // not to be guessed: the server behind us must not be able to ask in our name
    const close = () => {
      open.delete(id);
      send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id, reason: 'It is decided, or nobody waits for it any more.' } });
      closed();
    };
    open.set(id, (result) => {
      open.delete(id);
      over.removeEventListener('abort', close);
      answered(result);
    });
    over.addEventListener('abort', close, { once: true });
    send({ jsonrpc: '2.0', id, method: 'elicitation/create', params });
  }

  async function decide({ id, digest }: Elicitation, result: Result): Promise<void> {
    const decision = readDecision(result);
    if (decision) await countersign.resolve({ elicitationId: id, expectedDigest: digest, ...decision });
  }

  const failedTo = (what: string) => (error: unknown) => {
    if (error instanceof CountersignError) report(`Countersign did not ${what} at the client: ${error.message}`);
  };

  return {
    open: (elicitationId, over) => void show(elicitationId, over).catch(failedTo('ask')),
    take(answer) {
      const answered = answer.id === undefined ? undefined : open.get(answer.id);
      if (!answered) return typeof answer.id === 'string' && answer.id.startsWith('countersign-'); // late
      answered('result' in answer ? answer.result : { action: 'cancel' });
      return true;
    },
  };
}
