import { cardDetails, left, targetOf } from './card-details.ts';
import { isPending, outcomeOf, type Card } from './card.ts';
import type { InboxState, Mode } from './inbox-state.ts';
import { fit, pad, styled, wrap } from './layout.ts';

export interface ViewOptions {
  readonly columns: number;
  readonly rows: number;
  readonly now: Date;
}

export interface View {
  /** Exactly as many as there are rows. */
  readonly lines: readonly string[];
  /** How far the details can be scrolled. */
  readonly scrollMax: number;
}

/** The whole screen: how things stand, the list, the question under the cursor, and what the keys do. */
export function inboxView(state: InboxState, options: ViewOptions): View {
  const { columns, rows } = options;
  const head = header(state, columns);
  const foot = footer(state, columns).slice(0, Math.max(rows - 2, 1));
  const room = Math.max(rows - 1 - foot.length, 0);
  const { body, scrollMax } = state.mode.kind === 'help' ? scrolled(help(columns), { height: room, from: state.scroll }) : content(state, { ...options, rows: room });
  return { lines: [head, ...body, ...foot].slice(0, rows), scrollMax };
}

function header({ list, lost }: InboxState, columns: number): string {
  const marked = list.marked.length > 0 ? `, ${list.marked.length} marked` : '';
  const text = lost === null ? `Countersign  ${list.pendingCount} pending${marked}` : `Countersign  CONNECTION LOST, trying again: ${lost}`;
  return styled(pad(fit(text, columns), columns), ...(lost === null ? (['inverse'] as const) : (['inverse', 'red'] as const)));
}

function content(state: InboxState, options: ViewOptions): { body: string[]; scrollMax: number } {
  const { columns, rows } = options;
  const { list, mode } = state;
  const { current } = list;
  if (!current) return scrolled(wrap('Nothing waits for a decision. What comes is shown here.', columns), { height: rows, from: 0 });
  const height = Math.min(list.cards.length, Math.max(Math.floor(rows / 3), 1));
  const first = Math.min(Math.max(list.position - Math.floor(height / 2), 0), list.cards.length - height);
  const top = list.cards.slice(first, first + height).map((card) => row(card, { ...options, isCurrent: card === current }));
  const more = list.cards.length > height ? ` ${list.position + 1} of ${list.cards.length} ` : '';
  const rule = styled(pad(`──${more}`, columns).replaceAll(' ', '─').slice(0, columns), 'dim');
  const details = mode.kind === 'confirm' && mode.changes !== null ? changes(mode.changes, columns) : cardDetails(current, options);
  const { body, scrollMax } = scrolled(details, { height: rows - height - 1, from: state.scroll });
  return { body: [...top, ...(more === '' ? [styled('─'.repeat(columns), 'dim')] : [rule]), ...body], scrollMax };
}

function row(card: Card, { columns, now, isCurrent }: ViewOptions & { readonly isCurrent: boolean }): string {
  const { elicitation } = card;
  const lead = `${isCurrent ? '>' : ' '}${card.isMarked ? '*' : ' '}`;
  const end = outcomeOf(card) ?? left(elicitation.expiresAt, now);
  const text = fit(`${lead}${elicitation.session.agent.name}  ${targetOf(elicitation.event)}  ${elicitation.message}`, Math.max(columns - end.length - 1, 8));
  const line = fit(`${pad(text, columns - end.length - 1)} ${end}`, columns);
  if (!isPending(card)) return styled(line, 'dim', ...(isCurrent ? (['inverse'] as const) : []));
  return isCurrent ? styled(pad(line, columns), 'bold', 'inverse') : line;
}

/** A part of the lines that fits, filled up to its height. Its last line says how much is below. */
function scrolled(lines: readonly string[], { height, from }: { readonly height: number; readonly from: number }): { body: string[]; scrollMax: number } {
  const scrollMax = Math.max(lines.length - height + 1, 0);
  if (height <= 0) return { body: [], scrollMax: 0 };
  if (lines.length <= height) return { body: [...lines, ...Array.from({ length: height - lines.length }, () => '')], scrollMax: 0 };
  const start = Math.min(from, scrollMax);
  const below = lines.length - start - (height - 1);
  const note = below > 0 ? `▼ ${below} more ${below === 1 ? 'line' : 'lines'}: space` : '▲ the end: b goes back';
  return { body: [...lines.slice(start, start + height - 1), styled(note, 'yellow')], scrollMax };
}

function footer({ mode, notice }: InboxState, columns: number): string[] {
  switch (mode.kind) {
    case 'decline':
      return [styled(fit(mode.ids.length > 1 ? `Decline ${mode.ids.length}. Why? (enter sends, esc goes back)` : 'Why? The agent is told. (enter sends, esc goes back)', columns), 'yellow'), promptLine(mode, columns)];
    case 'confirm':
      return wrap(`${mode.question} (y or n)`, columns).map((line) => styled(line, 'yellow'));
    case 'help':
      return [styled(fit('any key goes back', columns), 'dim')];
    case 'list':
      return [...(notice === null ? [] : wrap(notice, columns).slice(0, 3).map((line) => styled(line, 'yellow'))), styled(fit('? help  a accept  d decline  e edit  x mark  j k move  space scroll  q quit', columns), 'dim')];
    default:
      return mode satisfies never;
  }
}

/** The end of what is typed: that is where one types. */
function promptLine({ reason }: Extract<Mode, { kind: 'decline' }>, columns: number): string {
  return `> ${wrap(reason, columns - 3).at(-1) ?? ''}_`;
}

function changes(patch: string, columns: number): string[] {
  return patch.split('\n').flatMap((line) => wrap(line, columns).map((part) => (line.startsWith('+') ? styled(part, 'green') : line.startsWith('-') ? styled(part, 'red') : part)));
}

function help(columns: number): string[] {
  return [
    'j k, arrows   the next question, the one before',
    'space b       scroll what is asked',
    'a             accept exactly what is shown',
    'd             decline; the agent is told why',
    'e             edit the arguments in your editor, look at the changes, accept them',
    'x             mark; a and d then answer all that is marked, at once or not at all',
    'q             leave; what waits goes on waiting',
    '',
    'A question that is decided elsewhere stays where it is, and says by whom, until you move on.',
    'Characters that could deceive are written as \\u{202e}.',
  ].flatMap((line) => wrap(line, columns));
}
