import { CountersignError, type Client } from '../../sdk/index.ts';
import type { Card } from './card.ts';
import { openDesk } from './desk.ts';
import { editingOf } from './edit-card.ts';
import { EditorFault, editText } from './edit-text.ts';
import { emptyInbox } from './inbox-state.ts';
import { inboxView } from './inbox-view.ts';
import { pressKey, type Effect } from './press-key.ts';
import { openScreen } from './screen.ts';

export interface InboxOptions {
  readonly client: Client;
  readonly sessionId: string | undefined;
  /** The command line of the user's editor. */
  readonly editor: string;
  readonly terminal: Pick<NodeJS.Process, 'stdin' | 'stdout'>;
  /** Told to stop from outside. */
  readonly stopped: AbortSignal;
  readonly now: () => Date;
}

/** How often what the clock changes is shown anew. */
const tickMilliseconds = 1000;

/** The inbox on a terminal, until its user leaves. Rejects when the server does not let us watch. */
export async function runInbox({ client, sessionId, editor, terminal, stopped, now }: InboxOptions): Promise<void> {
  const state = emptyInbox();
  const left = new AbortController();
  const over = AbortSignal.any([stopped, left.signal]);
  let scrollMax = 0;
  let isLent = false;

  const screen = openScreen(terminal, {
    onKey: (key) => {
      const effect = pressKey(state, key, { scrollMax, rows: screen.rows });
      show();
      if (effect) carryOut(effect);
    },
    onResize: () => show(),
  });

  function show(): void {
    if (isLent || over.aborted) return;
    const view = inboxView(state, { columns: screen.columns, rows: screen.rows, now: now() });
    scrollMax = view.scrollMax;
    state.scroll = Math.min(state.scroll, scrollMax);
    screen.show(view.lines);
  }

  const desk = openDesk({ client, state, sessionId, changed: show });

  function carryOut(effect: Effect): void {
    if (effect.kind === 'quit') left.abort();
    else if (effect.kind === 'edit') void edit(effect.card);
    else void desk.answer(effect.answer).catch((error: unknown) => left.abort(error));
  }

  async function edit(card: Card): Promise<void> {
    const editing = editingOf(card);
    const { id } = card.elicitation;
    if (!editing) {
      state.notice = 'Only the arguments of a call can be edited.';
      show();
      return;
    }
    try {
      isLent = true;
      const text = await screen.lend(() => editText(state.drafts.get(id) ?? editing.original, editor));
      state.drafts.set(id, text);
      const read = editing.read(text);
      if ('fault' in read) state.notice = read.fault;
      else state.mode = { kind: 'confirm', question: editing.what === 'form' ? 'Accept with these values?' : 'Accept with these changes?', answer: read.answer, changes: read.changes === '' ? text : read.changes };
      state.scroll = 0;
    } catch (error) {
      if (!(error instanceof EditorFault)) throw error;
      state.notice = error.message;
    } finally {
      isLent = false;
      show();
    }
  }

  const ticking = setInterval(show, tickMilliseconds);
  show();
  try {
    const ended = new Promise<void>((resolve) => over.addEventListener('abort', () => resolve(), { once: true }));
    await Promise.race([desk.watch(over), ended]);
    if (left.signal.reason instanceof CountersignError) throw left.signal.reason;
  } finally {
    clearInterval(ticking);
    left.abort();
    screen.close();
  }
}
