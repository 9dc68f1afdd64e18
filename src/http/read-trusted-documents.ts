import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import own from './trusted-documents.json' with { type: 'json' };
import type { TrustedDocuments } from './trusted-documents.ts';

class TrustedDocumentsFault extends Error {
  override readonly name = 'ConfigFault';
}

const manifest = z.record(z.string(), z.string());

/** Those of our own clients, and those of the file, if there is one. Rejects with a `ConfigFault`: a server that trusts less than it was told is not started. */
export async function readTrustedDocuments(file: string | null): Promise<TrustedDocuments> {
  return new Map([...Object.entries(own), ...(file === null ? [] : await readManifest(file))]);
}

async function readManifest(file: string): Promise<[string, string][]> {
  let content: unknown;
  try {
    content = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new TrustedDocumentsFault(`trustedDocuments.file: ${file} cannot be read: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`);
  }
  const result = manifest.safeParse(content);
  if (!result.success) throw new TrustedDocumentsFault(`trustedDocuments.file: ${file} must hold an object of documents by their SHA-256, { "<hash>": "<text>" }`);
  return Object.entries(result.data).map(([hash, text]) => {
    const right = createHash('sha256').update(text).digest('hex');
    if (hash.replace(/^sha256:/, '') !== right) throw new TrustedDocumentsFault(`trustedDocuments.file: ${file} has a document under ${hash} whose SHA-256 is ${right}`);
    return [right, text];
  });
}
