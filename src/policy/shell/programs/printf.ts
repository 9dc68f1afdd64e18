import { anything, flowOf, type Flow } from '../flow.ts';
import type { Field } from '../machine.ts';
import { isKnown } from '../marks.ts';
import { unescaped } from './escapes.ts';

/** What `printf` prints. The format is used again until the values are used up. */
export function formatted(format: Field, values: readonly Field[]): Flow {
  if (!isKnown(format.text) || values.some((value) => value.plural)) return anything;
  const left = values.map((value) => value.text);
  let printed = '';
  for (let round = 0; round < roundsMax; round += 1) {
    const before = left.length;
    const once = formatOnce(format.text, left);
    if (once === null) return anything;
    printed += once;
    if (left.length === 0 || left.length === before) return flowOf(printed);
  }
  return anything;
}

const roundsMax = 256;

/** Takes from `values` what it uses; null where a conversion is not known. */
function formatOnce(format: string, values: string[]): string | null {
  const unknown: string[] = [];
  const text = format.replace(/%(%|([-+ #0]*)(\*|\d+)?(?:\.(\d+|\*))?([a-zA-Z]|\(.*?\)T))|\\(?:x[\da-fA-F]{1,2}|u[\da-fA-F]{1,4}|[0-7]{1,3}|.)/gs, (whole: string, kind: string | undefined, ...rest: (string | undefined)[]) => {
    if (kind === undefined) return unescaped(whole);
    if (kind === '%') return '%';
    const [, , precision, conversion = ''] = rest;
    const value = values.shift() ?? '';
    const converted = convert(conversion, value);
    if (converted === null) unknown.push(conversion);
    return precision === undefined || precision === '*' || !'sb'.includes(conversion) ? (converted ?? '') : (converted ?? '').slice(0, Number(precision));
  });
  return unknown.length === 0 ? text : null;
}

function convert(conversion: string, value: string): string | null {
  switch (conversion) {
    case 's':
    case 'q':
      return value;
    case 'b':
      return unescaped(value);
    case 'c':
      return value.slice(0, 1);
    case 'd':
    case 'i':
    case 'u':
      return /^[-+]?\d*$/.test(value) ? String(Number(value)) : null;
    case 'x':
      return /^\d+$/.test(value) ? Number(value).toString(16) : null;
    case 'o':
      return /^\d+$/.test(value) ? Number(value).toString(8) : null;
    default:
      return null;
  }
}
