import { withoutDates } from './dates.ts';
import { digitGroups, type DigitGroup } from './digit-groups.ts';

/** A text in which personal data is looked for, with its numbers. */
export interface PiiText {
  readonly text: string;
  readonly groups: readonly DigitGroup[];
  /** The text with its dates blotted out, and what numbers are left: those that could be a card's or a phone's. */
  readonly dateless: string;
  readonly datelessGroups: readonly DigitGroup[];
}

export function piiText(text: string): PiiText {
  const groups = digitGroups(text);
  const dateless = groups.length === 0 ? text : withoutDates(text);
  return { text, groups, dateless, datelessGroups: dateless === text ? groups : digitGroups(dateless) };
}
