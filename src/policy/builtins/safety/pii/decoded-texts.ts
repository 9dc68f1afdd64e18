/** What a text says when somebody decodes it: percent and HTML encoding, escapes, and words that are base64 or hexadecimal, all of these in one text. */
export function decodedTexts(text: string): readonly string[] {
  const unescaped = withoutEscapes(text);
  const words = [...encodedWords(text, base64Word, fromBase64), ...encodedWords(text, hexWord, fromHex)].join(seam);
  return [unescaped, words].filter((decoded) => decoded !== text && decoded !== '');
}

/** Nothing that is looked for goes across it. */
const seam = '\n~~~~~~~~\n';

function withoutEscapes(text: string): string {
  if (!/[%&\\]/.test(text)) return text;
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

function encodedWords(text: string, word: RegExp, decode: (word: string) => Uint8Array | null): readonly string[] {
  const decoder = new TextDecoder();
  return [...text.matchAll(word)].map(([encoded]) => printable(decode(encoded), decoder)).filter((decoded) => decoded !== null);
}

/** Null where the bytes are no text: then the word was none that hides one. */
function printable(bytes: Uint8Array | null, decoder: InstanceType<typeof TextDecoder>): string | null {
  if (!bytes) return null;
  const text = decoder.decode(bytes);
  return text.includes('\ufffd') ? null : text;
}

function isControl(byte: number): boolean {
  return byte === 0x7f || (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d);
}

const base64Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Code of a digit → its value, in either alphabet. */
const base64Values = new Uint8Array(128);
for (let value = 0; value < 64; value += 1) base64Values[base64Alphabet.charCodeAt(value)] = value;
base64Values['-'.charCodeAt(0)] = 62;
base64Values['_'.charCodeAt(0)] = 63;

/** With or without padding. Null where it is no text, which the first bytes tell most often. */
function fromBase64(word: string): Uint8Array | null {
  const end = word.endsWith('=') ? word.indexOf('=') : word.length;
  const bytes = new Uint8Array(Math.floor((end * 3) / 4));
  let buffer = 0;
  let bits = 0;
  let length = 0;
  for (let at = 0; at < end; at += 1) {
    buffer = ((buffer << 6) | (base64Values[word.charCodeAt(at)] ?? 0)) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    const byte = (buffer >> bits) & 0xff;
    if (isControl(byte)) return null;
    bytes[length] = byte;
    length += 1;
  }
  return bytes;
}

function fromHex(word: string): Uint8Array | null {
  const bytes = Uint8Array.from({ length: word.length / 2 }, (_, index) => Number.parseInt(word.slice(2 * index, 2 * index + 2), 16));
  return bytes.some(isControl) ? null : bytes;
}
