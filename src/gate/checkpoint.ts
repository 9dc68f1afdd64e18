import { createPrivateKey, createPublicKey, hkdfSync, sign, verify, type KeyObject } from 'node:crypto';
import { z } from 'zod';

const checkpoint = z.object({ sequence: z.number().int().nonnegative(), hash: z.string(), at: z.iso.datetime(), signature: z.string() });

/** How long the audit chain was at a moment, and its last hash, signed. Whoever keeps one elsewhere can tell later whether that much is unchanged. */
export type Checkpoint = Readonly<z.infer<typeof checkpoint>>;

/** Signs with Ed25519. The key is made from the server's secret, so only the server's own checkpoints are genuine. */
export interface Signer {
  sign(end: Omit<Checkpoint, 'signature'>): Checkpoint;
  isGenuine(checkpoint: Checkpoint): boolean;
}

export function createSigner(secret: string): Signer {
  const seed = Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), 'countersign audit checkpoint', 32));
  const privateKey: KeyObject = createPrivateKey({ key: Buffer.concat([pkcs8Header, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey);
  return {
    sign: (end) => ({ ...end, signature: sign(null, signed(end), privateKey).toString('base64') }),
    isGenuine: ({ signature, ...end }) => verify(null, signed(end), publicKey, Buffer.from(signature, 'base64')),
  };
}

/** Null: the line is none. */
export function readCheckpoint(line: string): Checkpoint | null {
  try {
    return checkpoint.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}

function signed({ sequence, hash, at }: Omit<Checkpoint, 'signature'>): Buffer {
  return Buffer.from(JSON.stringify(['countersign audit checkpoint', sequence, hash, at]));
}

/** What stands before the seed of an Ed25519 key in PKCS #8 (RFC 8410). */
const pkcs8Header = Buffer.from('302e020100300506032b657004220420', 'hex');
