import type { Elicitation } from '../../sdk/index.ts';
import { isPending, type Card } from './card.ts';

/**
 * The cards in the order in which they came, and the one under the cursor. New ones are put at the end, and what is decided stays in its
 * place until the cursor is moved: what a key is about to decide is always what was under the cursor before.
 */
export class CardList {
  #cards: readonly Card[] = [];
  #cursor: string | null = null;

  get cards(): readonly Card[] {
    return this.#cards;
  }

  get current(): Card | null {
    return this.#cards.find(({ elicitation }) => elicitation.id === this.#cursor) ?? null;
  }

  get position(): number {
    return this.#cards.findIndex(({ elicitation }) => elicitation.id === this.#cursor);
  }

  get marked(): readonly Card[] {
    return this.#cards.filter(({ isMarked }) => isMarked);
  }

  get pendingCount(): number {
    return this.#cards.filter(isPending).length;
  }

  /** A question as it is now. One that was never shown is put at the end, unless it is decided already. */
  put(elicitation: Elicitation): void {
    const isKnown = this.#cards.some((card) => card.elicitation.id === elicitation.id);
    if (!isKnown && elicitation.status !== 'PENDING') return;
    const isOpen = elicitation.status === 'PENDING';
    this.#cards = isKnown
      ? this.#cards.map((card) => (card.elicitation.id === elicitation.id ? { elicitation, isMarked: card.isMarked && isOpen } : card))
      : [...this.#cards, { elicitation, isMarked: false }];
    this.#cursor ??= elicitation.id;
  }

  /** Moves the cursor to the next question that is open, or the one before, and takes what is decided off the list. */
  move(towards: 'next' | 'previous'): void {
    const { position } = this;
    const [before, after] = [this.#cards.slice(0, position).toReversed(), this.#cards.slice(position + 1)];
    const [ahead, behind] = towards === 'next' ? [after, before] : [before, after];
    const current = this.current;
    const target = ahead.find(isPending) ?? (current && isPending(current) ? current : behind.find(isPending));
    this.#cards = this.#cards.filter(isPending);
    this.#cursor = target?.elicitation.id ?? null;
  }

  toggleMark(): void {
    this.#cards = this.#cards.map((card) => (card.elicitation.id === this.#cursor && isPending(card) ? { ...card, isMarked: !card.isMarked } : card));
  }

  unmark(): void {
    this.#cards = this.#cards.map((card) => ({ ...card, isMarked: false }));
  }
}
