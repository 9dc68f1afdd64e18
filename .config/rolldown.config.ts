import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { defineConfig, type Plugin } from 'rolldown';
import { statesOf } from '../src/cli/fresh-build.ts';

const root = path.join(import.meta.dirname, '..');

/** Of these there must be one copy only, or they are no JavaScript, or require their own files as they run, or few need them. */
const separate = /^(zod|jsonc-parser|@graphql-yoga\/render-graphiql|better-sqlite3|pino-pretty|pg-native)(\/|$)/;

/** MikroORM's dialects for databases that we do not take ask for drivers that are not there. */
const absent = /^(tedious|mysql2|oracledb|mariadb|libsql|@mikro-orm\/(mysql|mariadb|mssql|mongodb|libsql|oracledb))(\/|$)/;

let sources: ReturnType<typeof statesOf> = [];

/** Notes what the program was built from, so that a checkout never runs one that is older than its source. */
const noteSources: Plugin = {
  name: 'note-sources',
  async buildStart() {
    sources = statesOf(root); // as it is before it is read: what changes meanwhile counts as changed
    await rm(path.join(root, 'dist/chunks'), { recursive: true, force: true }); // of an earlier build, under other names
  },
  writeBundle: () => writeFile(path.join(root, 'dist/sources.json'), JSON.stringify({ sources })),
};

const adapters = ['ai-sdk', 'claude-agent-sdk', 'langchain', 'openai-agents'];

/** What an agent runs: of ours nothing but the SDK, for Node and browsers alike. Its libraries stay packages, which a page's own bundler takes in once. */
const sdk = defineConfig({
  input: { 'sdk/index': path.join(root, 'src/sdk/index.ts'), ...Object.fromEntries(adapters.map((name) => [`adapters/${name}`, path.join(root, `src/adapters/${name}.ts`)])) },
  platform: 'neutral',
  external: ['graphql-request', 'graphql-ws', 'langchain', '@langchain/langgraph'],
  output: { dir: path.join(root, 'dist'), format: 'esm', chunkFileNames: 'sdk/[name].js' },
});

/** The program and its libraries in few files: a process that loads a thousand starts in twice the time. */
const program = defineConfig({
  input: { 'cli/main': path.join(root, 'src/cli/main.ts'), 'cli/run-command': path.join(root, 'src/cli/run-command.ts'), 'policy/index': path.join(root, 'src/policy/index.ts') },
  platform: 'node',
  external: (id) => separate.test(id) || absent.test(id),
  transform: { define: { 'process.env.NODE_ENV': '"production"' } }, // otherwise graphql looks twice at each type, for copies of itself
  // `../policy/index.js` and `../../package.json` are where the source has them.
  output: { dir: path.join(root, 'dist'), format: 'esm', chunkFileNames: 'chunks/[name]-[hash].js' },
  plugins: [noteSources],
});

/** One file for any page, with all that it needs. */
const widget = defineConfig({
  input: { 'widget/index': path.join(root, 'src/widget/index.ts') },
  platform: 'browser',
  transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  output: { dir: path.join(root, 'dist'), format: 'esm', minify: true },
});

/** The widget for React, which is the page's own; so is the widget, of which there must be one copy. */
const react = defineConfig({
  ...widget,
  input: { 'widget/react': path.join(root, 'src/widget/react.ts') },
  external: ['react'],
  plugins: [{ name: 'one-widget', resolveId: (id) => (id === './index.ts' ? { id: './index.js', external: true } : null) }],
});

export default [program, sdk, widget, react];
