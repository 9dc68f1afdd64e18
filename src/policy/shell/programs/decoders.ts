/** The text that base64 stands for; null where it is none. Bytes beyond ASCII are kept apart, since no program's name has them. */
export function decodeBase64(text: string): string | null {
  const digits = text.replace(/[\s=]+/g, '').replaceAll('-', '+').replaceAll('_', '/');
  if (!/^[A-Za-z\d+/]*$/.test(digits)) return null;
  let [decoded, bits, held] = ['', 0, 0];
  for (const digit of digits) {
    held = (held * 64 + alphabet.indexOf(digit)) % 65_536;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    decoded += character(Math.floor(held / 2 ** bits) % 256);
  }
  return decoded;
}

/** The text that pairs of hexadecimal digits stand for. */
export function decodeHex(text: string): string {
  return (text.replace(/\s+/g, '').match(/[\da-fA-F]{2}/g) ?? []).map((pair) => character(Number.parseInt(pair, 16))).join('');
}

function character(byte: number): string {
  return byte === 0 ? '' : String.fromCharCode(byte);
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
