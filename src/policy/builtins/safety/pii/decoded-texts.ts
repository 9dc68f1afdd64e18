/** What a text says when somebody decodes it: percent and HTML encoding, escapes, and words that are base64 or hexadecimal. */
export function decodedTexts(text: string): readonly string[] {
  const unescaped = withoutEscapes(text);
  const words = [...encodedWords(text, base64Word, fromBase64), ...encodedWords(text, hexWord, fromHex)];
  return unescaped === text ? words : [unescaped, ...words];
}

function withoutEscapes(text: string): string {
  return text
    .replace(/(?:%[0-9a-f]{2})+/gi, percentDecoded)
    .replace(/&#(\d{1,7});?/g, (whole, code: string) => character(Number(code)) ?? whole)
    .replace(/&#x([0-9a-f]{1,6});?/gi, (whole, code: string) => character(Number.parseInt(code, 16)) ?? whole)
    .replace(/&(commat|period|hyphen|dash|nbsp);/gi, (whole, name: string) => entities.get(name.toLowerCase()) ?? whole)
    .replace(/\\(?:u([0-9a-f]{4})|x([0-9a-f]{2}))/gi, (whole, unicode?: string, hex?: string) => character(Number.parseInt(unicode ?? hex ?? '', 16)) ?? whole)
    .replace(/\\u\{([0-9a-f]{1,6})\}/gi, (whole, code: string) => character(Number.parseInt(code, 16)) ?? whole);
}

const entities: ReadonlyMap<string, string> = new Map([
  ['commat', '@'],
  ['period', '.'],
  ['hyphen', '-'],
  ['dash', '-'],
  ['nbsp', ' '],
]);

function character(code: number): string | null {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : null;
}

function percentDecoded(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

/** Shorter ones cannot hold anything that is looked for. */
const base64Word = /[A-Za-z0-9+/_-]{12,}={0,2}/g;

const hexWord = /(?<![0-9a-z])(?:[0-9a-f]{2}){9,}(?![0-9a-z])/gi;

function encodedWords(text: string, word: RegExp, decode: (word: string) => Uint8Array): readonly string[] {
  return [...text.matchAll(word)].map(([encoded]) => printable(decode(encoded))).filter((decoded) => decoded !== null);
}

/** Null where the bytes are no text: then the word was none that hides one. */
function printable(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(text) ? null : text;
  } catch {
    return null;
  }
}

const base64Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** In either alphabet, with or without padding. */
function fromBase64(word: string): Uint8Array {
  const digits = word.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
  const bytes = new Uint8Array(Math.floor((digits.length * 3) / 4));
  let buffer = 0;
  let bits = 0;
  let length = 0;
  for (const digit of digits) {
    buffer = ((buffer << 6) | base64Alphabet.indexOf(digit)) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[length] = (buffer >> bits) & 0xff;
    length += 1;
  }
  return bytes;
}

function fromHex(word: string): Uint8Array {
  return Uint8Array.from({ length: word.length / 2 }, (_, index) => Number.parseInt(word.slice(2 * index, 2 * index + 2), 16));
}
