import { readFile, writeFile } from 'node:fs/promises';
import { schema } from './schema.ts';
import { schemaText } from './schema-text.ts';

/** `npm run schema` writes schema.graphql from the code; with `--check` nothing is written and a difference is an error. */
const file = new URL('../../schema.graphql', import.meta.url);
const text = schemaText(schema);

if (process.argv.includes('--check')) {
  const committed = await readFile(file, 'utf8').catch(() => null);
  if (committed !== text) {
    process.stderr.write('schema.graphql is not what the code says: run `npm run schema` and commit the difference.\n');
    process.exitCode = 1;
  }
} else {
  await writeFile(file, text);
}
