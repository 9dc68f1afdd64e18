import { loadConfig, type ConfigSources } from '../config.ts';
import { openAuditTrail, type AuditTrail } from '../main.ts';

/** Exit code 1: the log is not what was written. */
export async function verifyAudit(sources: ConfigSources, { json = false }: { readonly json?: boolean }): Promise<number> {
  const verdict = await withTrail(sources, (trail) => trail.verify());
  if (json) print(JSON.stringify(verdict));
  else if (verdict.kind === 'broken') print(`broken at entry ${verdict.sequence}: ${verdict.what}`);
  else print(`intact: ${verdict.entries} entries, ${verdict.checkpoints} signed checkpoints agree; the last hash is ${verdict.hash}`);
  return verdict.kind === 'intact' ? 0 : 1;
}

/** One JSON object a line, oldest first, as it was hashed. */
export async function exportAudit(sources: ConfigSources): Promise<void> {
  await withTrail(sources, async (trail) => {
    for await (const { id, sequence, at, actor, action, subject, before, after, previousHash, hash } of trail.entries()) {
      print(JSON.stringify({ id, sequence, at, actor, action, subject: subject ?? null, before: before ?? null, after: after ?? null, previousHash, hash }));
    }
  });
}

async function withTrail<T>(sources: ConfigSources, work: (trail: AuditTrail) => Promise<T>): Promise<T> {
  const trail = await openAuditTrail(await loadConfig(sources));
  try {
    return await work(trail);
  } finally {
    await trail.close();
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
