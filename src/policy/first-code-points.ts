/** Whole characters, not halves of them; of a long text only as much is looked at as is needed. */
export function firstCodePoints(text: string, count: number): string {
  if (text.length <= count) return text;
  return Array.from(text.slice(0, 2 * count)).slice(0, count).join('');
}
