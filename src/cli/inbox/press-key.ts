import { hasForm, isPending, outcomeOf, type Card } from './card.ts';
import type { Answer, InboxState } from './inbox-state.ts';
import type { Key } from './screen.ts';

/** What a key asks for beyond the state. */
export type Effect = { readonly kind: 'answer'; readonly answer: Answer } | { readonly kind: 'edit'; readonly card: Card } | { readonly kind: 'quit' };

export interface Pages {
  readonly scrollMax: number;
  readonly rows: number;
}

/** Changes the state by one key; null: that was all. */
export function pressKey(state: InboxState, key: Key, pages: Pages): Effect | null {
  if (key.name === 'ctrl-c') return { kind: 'quit' };
  const { mode } = state;
  switch (mode.kind) {
    case 'help':
      if (scroll(state, key, pages)) return null;
      state.mode = { kind: 'list' };
      state.scroll = 0;
      return null;
    case 'decline':
      return typeReason(state, mode, key);
    case 'confirm':
      if (scroll(state, key, pages)) return null;
      if (key.text !== 'y' && key.text !== 'n' && key.name !== 'escape') return null;
      state.mode = { kind: 'list' };
      state.scroll = 0;
      state.notice = key.text === 'y' ? null : 'Nothing was sent.';
      return key.text === 'y' ? { kind: 'answer', answer: mode.answer } : null;
    case 'list':
      return scroll(state, key, pages) ? null : command(state, key);
    default:
      return mode satisfies never;
  }
}

function scroll(state: InboxState, { text, name }: Key, { scrollMax, rows }: Pages): boolean {
  const page = Math.max(Math.floor(rows / 3), 1);
  const by = text === ' ' || name === 'pagedown' ? page : text === 'b' || name === 'pageup' ? -page : 0;
  state.scroll = Math.min(Math.max(state.scroll + by, 0), scrollMax);
  return by !== 0;
}

function typeReason(state: InboxState, mode: Extract<InboxState['mode'], { kind: 'decline' }>, { text, name }: Key): Effect | null {
  const { ids, reason } = mode;
  if (name === 'escape') {
    state.mode = { kind: 'list' };
    return null;
  }
  if (name === 'return' || name === 'enter') {
    const comment = reason.trim();
    const [id = '', ...others] = ids;
    state.mode = { kind: 'list' };
    return { kind: 'answer', answer: others.length > 0 ? { kind: 'many', ids, action: 'DECLINE', comment } : { kind: 'one', id, input: { action: 'DECLINE', ...(comment === '' ? {} : { comment }) } } };
  }
  const typed = name === 'backspace' ? Array.from(reason).slice(0, -1).join('') : name === 'ctrl-u' ? '' : reason + text;
  state.mode = { ...mode, reason: typed.slice(0, reasonCharsMax) };
  return null;
}

const reasonCharsMax = 4096;

function command(state: InboxState, { text, name }: Key): Effect | null {
  const { list } = state;
  state.notice = null;
  switch (text === '' ? name : text) {
    case 'j':
    case 'down':
      return move(state, 'next');
    case 'k':
    case 'up':
      return move(state, 'previous');
    case 'x':
      list.toggleMark();
      return null;
    case 'a':
      return accept(state);
    case 'd': {
      const cards = chosen(state);
      if (cards.length > 0) state.mode = { kind: 'decline', ids: cards.map(({ elicitation }) => elicitation.id), reason: '' };
      return null;
    }
    case 'e': {
      const [card] = list.current ? openOnes(state, [list.current]) : [];
      return card && mayAccept(state, card) ? { kind: 'edit', card } : null;
    }
    case '?':
      state.mode = { kind: 'help' };
      state.scroll = 0;
      return null;
    case 'q':
      return { kind: 'quit' };
    case 'escape':
      list.unmark();
      return null;
    default:
      return null;
  }
}

function move(state: InboxState, towards: 'next' | 'previous'): null {
  const before = state.list.current;
  state.list.move(towards);
  if (state.list.current?.elicitation.id !== before?.elicitation.id) state.scroll = 0;
  return null;
}

function accept(state: InboxState): Effect | null {
  const cards = chosen(state);
  const [card] = cards;
  if (!card || !cards.every((each) => mayAccept(state, each))) return null;
  const ids = cards.map(({ elicitation }) => elicitation.id);
  if (state.list.marked.length === 0) {
    if (hasForm(card)) return { kind: 'edit', card };
    return { kind: 'answer', answer: { kind: 'one', id: card.elicitation.id, input: { action: 'ACCEPT' } } };
  }
  if (cards.some(hasForm)) state.notice = 'One that is marked has a form to fill in: accept that one by itself.';
  else state.mode = { kind: 'confirm', question: `Accept all ${ids.length} that are marked?`, answer: { kind: 'many', ids, action: 'ACCEPT', comment: '' }, changes: null };
  return null;
}

/** What an answer is for: all that is marked, else the one under the cursor. */
function chosen(state: InboxState): readonly Card[] {
  const { marked, current } = state.list;
  return marked.length > 0 ? marked : openOnes(state, current ? [current] : []);
}

function openOnes(state: InboxState, cards: readonly Card[]): readonly Card[] {
  const decided = cards.find((card) => !isPending(card));
  if (decided) state.notice = `It is ${outcomeOf(decided) ?? 'decided'} already.`;
  return cards.filter(isPending);
}

function mayAccept(state: InboxState, { elicitation: { viewerCanResolve, viewerCannotResolveReason } }: Card): boolean {
  if (!viewerCanResolve) state.notice = viewerCannotResolveReason ?? 'You may not accept this.';
  return viewerCanResolve;
}
