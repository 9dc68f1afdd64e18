import type { Ask } from '../elements/ask.ts';

const offName = 'countersign.keys-off';

/** Whether single keys do something. A person who talks to the machine turns them off: a word is many keys. */
export const keysSetting = {
  areOn: (): boolean => localStorage.getItem(offName) === null,
  set: (areOn: boolean): void => (areOn ? localStorage.removeItem(offName) : localStorage.setItem(offName, 'true')),
};

/** What each key does; `a`, `d`, `e`, `r`, `x` and `o` on the card that has the focus. */
export const inboxKeys: readonly (readonly [key: string, title: string])[] = [
  ['j', 'Next'],
  ['k', 'Previous'],
  ['a', 'Accept'],
  ['d', 'Decline'],
  ['r', 'Decline with a reason'],
  ['e', 'Edit the arguments'],
  ['x', 'Select'],
  ['Shift+A', 'Accept what is selected'],
  ['Shift+D', 'Decline what is selected'],
  ['o', 'Details'],
  ['Esc', 'Close what is open'],
  ['?', 'This help'],
];

/** What keys speak to. */
export interface KeyTarget {
  /** The ask that has the focus. */
  readonly activeAsk: Ask | null;
  move(by: 1 | -1): void;
  focusActive(): void;
  toggleSelected(): void;
  openBulk(action: 'ACCEPT' | 'DECLINE'): void;
  openDetails(): void;
  openHelp(): void;
}

/** Does what a key says. Keys that are typed into a control, or with a modifier, are not ours. */
export function inboxKey(event: KeyboardEvent, page: KeyTarget): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  const path = event.composedPath();
  if (path.some((node) => node instanceof HTMLDialogElement)) return;
  const ask = page.activeAsk;
  if (event.key === 'Escape' && ask?.closePanel()) {
    page.focusActive();
    return;
  }
  const isTyped = path.some((node) => node instanceof HTMLInputElement ? !['checkbox', 'radio'].includes(node.type) : node instanceof HTMLTextAreaElement || node instanceof HTMLSelectElement);
  if (isTyped || !keysSetting.areOn()) return;
  const acts: Readonly<Record<string, () => void>> = {
    j: () => page.move(1),
    k: () => page.move(-1),
    a: () => ask?.accept(),
    d: () => ask?.decline(),
    r: () => ask?.openReason(),
    e: () => ask?.openEdit(),
    x: () => page.toggleSelected(),
    o: () => page.openDetails(),
    A: () => page.openBulk('ACCEPT'),
    D: () => page.openBulk('DECLINE'),
    '?': () => page.openHelp(),
  };
  const act = acts[event.key];
  if (!act) return;
  event.preventDefault();
  act();
}
