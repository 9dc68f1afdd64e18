/**
 * An amount of dollars, as a number or as a text that writes one; null for everything else: nobody can say how much that is. The reference
 * system takes such for nothing spent. A negative amount is none either: no usage gives money back.
 */
export function readUsd(value: unknown): number | null {
  const amount = typeof value === 'string' ? numberOf(value) : value;
  return typeof amount === 'number' && amount >= 0 ? amount : null;
}

/** Null: the text writes no number. Longer than any amount, it is not looked at. */
function numberOf(text: string): number | null {
  if (text.length > textCharsMax) return null;
  if (infinite.test(text)) return Infinity;
  return decimal.test(text) ? Number(text) : null;
}

const textCharsMax = 64;

const decimal = /^\s*\+?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*$/;

/** As the reference system's language writes what is more than every limit. */
const infinite = /^\s*\+?inf(?:inity)?\s*$/i;

/** For people: two digits of cents, or as many as it takes to tell it from the next amount. */
export function usdText(amount: number): string {
  const exact = amount.toFixed(4).replace(/0{1,2}$/, '');
  return `$${exact}`;
}
