/** The value below which a share (0 to 1) of the figures lies. */
export function percentile(figures: readonly number[], share: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

export function median(figures: readonly number[]): number {
  return percentile(figures, 0.5);
}

/** One line of the table: what was measured, the figure, and the bar that it is held against. */
export interface Row {
  readonly what: string;
  readonly figure: string;
  readonly bar: string;
  /** Null: reported only. */
  readonly held: boolean | null;
}
