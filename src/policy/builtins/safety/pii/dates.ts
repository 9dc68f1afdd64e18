/** The text with its dates blotted out, so that their digits are no part of another number. Everything stays in its place. */
export function withoutDates(text: string): string {
  return text.replace(date, (whole: string, ...parts: (string | undefined)[]) => (isDate(parts.slice(0, 6)) ? '~'.repeat(whole.length) : whole));
}

/** Year first, or last; the day or the month in the middle. */
const date = /(?<![\d+])(?<!\d[-./])(?:(\d{4})[-./](\d{1,2})[-./](\d{1,2})|(\d{1,2})[-./](\d{1,2})[-./](\d{4}))(?!\d)(?![-./]\d)/g;

function isDate([yearFirst, second, third, one, other, yearLast]: readonly (string | undefined)[]): boolean {
  const year = Number(yearFirst ?? yearLast);
  const [a, b] = [Number(second ?? one), Number(third ?? other)];
  return year >= 1900 && year <= 2099 && Math.min(a, b) >= 1 && Math.min(a, b) <= 12 && Math.max(a, b) <= 31;
}
