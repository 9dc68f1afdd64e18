import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** Of the text in UTF-8, as 64 hexadecimal digits. Judges are synchronous and run anywhere, so neither Web Crypto nor Node's will do. */
export function sha256Hex(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}
