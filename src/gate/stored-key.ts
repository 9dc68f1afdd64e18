import type { Gate } from './gate.ts';

/** The idempotency key as it is stored: one that holds a secret is known again by its digest. */
export function storedKey<Key extends string | null>({ masking, digests }: Pick<Gate, 'masking' | 'digests'>, key: Key): Key | string {
  return key === null || masking.text(key) === key ? key : digests.of(key);
}
