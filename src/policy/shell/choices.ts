import { worldsMax } from './budget.ts';

/**
 * Tries every combination of alternatives: the same code runs once per world, asks `pick` wherever there is more than one value,
 * and gets another combination each time.
 */
export class Choices {
  private readonly picks: { choice: number; readonly of: number }[] = [];
  private at = 0;
  private worlds = 1;
  private isLast = false;

  /** Which of so many to take now; -1: there have been too many worlds, and this last one stands for all the others. */
  pick(of: number): number {
    if (this.isLast) return -1;
    const known = this.picks[this.at];
    if (!known) this.picks.push({ choice: 0, of });
    this.at += 1;
    return known?.choice ?? 0;
  }

  /** Goes on to the next world; false when all have been tried. */
  next(): boolean {
    this.at = 0;
    if (this.isLast) return false;
    let last = this.picks.pop();
    while (last && last.choice + 1 >= last.of) last = this.picks.pop();
    if (!last) return false;
    this.worlds += 1;
    this.isLast = this.worlds > worldsMax;
    this.picks.push({ choice: last.choice + 1, of: last.of });
    return true;
  }
}
