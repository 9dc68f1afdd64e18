import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { generate } from '@graphql-codegen/cli';
import { preset } from '@graphql-codegen/client-preset';

/** `npm run codegen` writes src/sdk/generated.ts, the types and the documents of the SDK, from schema.graphql and the SDK's operations; with `--check` nothing is written and a difference is an error. */
const root = path.join(import.meta.dirname, '..');
const generated = path.join(root, 'src/sdk/generated.ts');
const object = 'Readonly<Record<string, unknown>>';

const files = (await generate(
  {
    cwd: root,
    schema: 'schema.graphql',
    documents: 'src/sdk/operations.graphql',
    generates: {
      // A name only: nothing is written there. Of what the preset makes only the documents with their types are kept: nobody writes operations in code.
      'src/sdk/generated/': {
        preset,
        presetConfig: { fragmentMasking: false },
        config: {
          documentMode: 'string', // sent letter by letter as it is in the manifest of trusted documents
          enumType: 'string-literal',
          futureProofEnums: true, // a server may be newer than its client
          immutableTypes: true,
          scalars: { DateTime: 'string', ID: 'string', JSON: 'unknown', JSONObject: object },
          strictScalars: true,
          useTypeImports: true,
        },
      },
    },
    silent: true,
  },
  false,
)) as { filename: string; content: string }[];
const { content } = files.find(({ filename }) => filename.endsWith('graphql.ts')) ?? { content: '' };
const wanted = `${content
  .trimEnd()
  .replaceAll('= new TypedDocumentString(', '= /*#__PURE__*/ new TypedDocumentString(') // whoever sends one document bundles no other
  .replace(/^import type { DocumentTypeDecoration } .*$/m, 'type DocumentTypeDecoration<Result, Variables> = { __apiType?: (variables: Variables) => Result };')}\n`; // its package has this type and nothing else

if (!process.argv.includes('--check')) writeFileSync(generated, wanted);
else if (readFileSync(generated, 'utf8') !== wanted) {
  process.stderr.write('src/sdk/generated.ts is not what schema.graphql and src/sdk/operations.graphql say: run `npm run codegen`, and look at the difference.\n');
  process.exitCode = 1;
}
