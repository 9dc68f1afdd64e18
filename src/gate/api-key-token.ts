import { createHash, randomBytes } from 'node:crypto';

const prefix = 'csk_';
const randomBytesCount = 32;
const hintLength = 10;

/** What a new key's holder is given, once, and what is kept of it. The prefix lets secret scanners know it. */
export function mintToken(): { token: string; hash: string; hint: string } {
  const token = `${prefix}${randomBytes(randomBytesCount).toString('base64url')}`;
  return { token, hash: hashOf(token), hint: token.slice(0, hintLength) };
}

/** A token is found by its hash, so how long the search takes tells nothing of another token. */
export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
