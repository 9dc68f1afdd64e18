import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as generated from '../src/sdk/generated.ts';

/** `npm run trusted` writes src/http/trusted-documents.json from the documents that our own clients send; with `--check` nothing is written and a difference is an error. */
const root = path.join(import.meta.dirname, '..');
const manifest = path.join(root, 'src/http/trusted-documents.json');
const clients = ['src/{sdk,hooks,cli,console,widget}/**/*.ts', 'examples/**/*.ts', 'docs/*.md'];

const documents = globSync(clients, { cwd: root })
  .sort()
  .flatMap((file) => [...readFileSync(path.join(root, file), 'utf8').matchAll(/\bgql`([^`]*)`/g)].map(([, text = '']) => text))
  .filter((text) => !text.includes('${')) // what is put together as it runs has no text that could be trusted
  .concat(Object.entries(generated).flatMap(([name, document]) => (name.endsWith('Document') ? [String(document)] : [])));
const byHash = Object.fromEntries(documents.map((text) => [createHash('sha256').update(text).digest('hex'), text]));
const wanted = `${JSON.stringify(byHash, null, 2)}\n`;

if (!process.argv.includes('--check')) writeFileSync(manifest, wanted);
else if (readFileSync(manifest, 'utf8') !== wanted) {
  process.stderr.write('src/http/trusted-documents.json is not what our clients send: run `npm run trusted`, and look at the difference.\n');
  process.exitCode = 1;
}
