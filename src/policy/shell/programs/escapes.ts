/** Backslash escapes as `echo -e` and the format of `printf` read them. */
export function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\(?:x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|U([\da-fA-F]{1,8})|0?([0-7]{1,3})|(.))/gs, (whole: string, ...groups: (string | undefined)[]) => {
    const [hex, four, eight, octal, letter] = groups;
    const code = hex ?? four ?? eight;
    if (code !== undefined) return fromCode(Number.parseInt(code, 16));
    if (octal !== undefined) return fromCode(Number.parseInt(octal, 8) % 256);
    return letters.get(letter ?? '') ?? whole;
  });
}

const letters = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['a', ''],
  ['b', ''],
  ['e', ''],
  ['E', ''],
  ['f', '\f'],
  ['v', '\v'],
  ['\\', '\\'],
  ['"', '"'],
  ["'", "'"],
  ['c', ''],
]);

function fromCode(code: number): string {
  return code > 0 && code <= 0x10ffff && (code < 0xe000 || code > 0xf8ff) ? String.fromCodePoint(code) : '';
}
