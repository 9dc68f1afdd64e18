import { existsSync } from 'node:fs';
import { loadConfig, type ConfigSources } from '../config.ts';
import { openAuditTrail, type AuditTrail } from '../main.ts';
import { UsageFault } from './usage-fault.ts';

/** Exit code 1: the log is not what was written. */
export async function verifyAudit(sources: ConfigSources, { json = false }: { readonly json?: boolean }): Promise<number> {
  const verdict = await withTrail(sources, (trail) => trail.verify());
  if (json) print(JSON.stringify(verdict));
  else if (verdict.kind === 'broken') print(`broken at entry ${verdict.sequence}: ${verdict.what}`);
  else print(`intact: ${verdict.entries} entries, ${verdict.checkpoints} signed checkpoints agree; the last hash is ${verdict.hash}`);
  return verdict.kind === 'intact' ? 0 : 1;
}

/** One JSON object a line, oldest first, as it was hashed. */
export async function exportAudit(sources: ConfigSources): Promise<number> {
  return withTrail(sources, async (trail) => {
    let unreadable = 0;
    for await (const entry of trail.entries()) {
      if (typeof entry === 'number') {
        unreadable += 1;
        process.stderr.write(`countersign: entry ${entry} cannot be read: see \`countersign audit verify\`\n`);
        continue;
      }
      const { id, sequence, at, actor, action, subject, before, after, previousHash, hash } = entry;
      print(JSON.stringify({ id, sequence, at, actor, action, subject: subject ?? null, before: before ?? null, after: after ?? null, previousHash, hash }));
    }
    return unreadable > 0 ? 1 : 0;
  });
}

async function withTrail<T>(sources: ConfigSources, work: (trail: AuditTrail) => Promise<T>): Promise<T> {
  const config = await loadConfig(sources);
  const file = config.database.slice('sqlite:'.length);
  if (!existsSync(file)) throw new UsageFault(`There is no database ${file}: give its file with --database sqlite:<file>`);
  const trail = await openAuditTrail(config);
  try {
    return await work(trail);
  } finally {
    await trail.close();
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
