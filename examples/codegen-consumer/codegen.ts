import type { CodegenConfig } from '@graphql-codegen/cli';

const config: CodegenConfig = {
  schema: 'schema.graphql',
  documents: 'main.ts',
  generates: {
    'generated/': {
      preset: 'client',
      presetConfig: { fragmentMasking: false },
      config: {
        enumType: 'string-literal',
        futureProofEnums: true, // the server may be newer than this schema
        scalars: { DateTime: 'string', ID: 'string', JSON: 'unknown', JSONObject: 'Record<string, unknown>' },
        importExtension: '.ts', // Node takes no other
        strictScalars: true,
        useTypeImports: true,
      },
    },
  },
};

export default config;
