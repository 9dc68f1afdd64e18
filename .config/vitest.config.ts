import { defineConfig } from 'vitest/config';

/** What runs on PostgreSQL as well: all that reads and writes through a gate, or is killed while it does. */
const onBoth = ['gate', 'invariants', 'simulation', 'crash', 'graphql', 'regressions'];

/** What is about PostgreSQL alone. */
const onPostgresOnly = ['test/postgres/**/*.test.ts'];

/** In a real browser, with the console and the widget as they are built. */
const browser = ['test/console/**/*.test.ts', 'test/widget/**/*.test.ts'];

/** Takes minutes, and has servers and a PostgreSQL of its own. */
const endurance = ['test/endurance/**/*.test.ts'];

export default defineConfig({
  root: `${import.meta.dirname}/..`,
  resolve: {
    // Two copies of graphql refuse each other's schemas. Vite would take the ESM one, libraries under node_modules get this one.
    alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }],
  },
  test: {
    pool: 'forks',
    testTimeout: 30_000,
    hookTimeout: 30_000,
    projects: [
      { extends: true, test: { name: 'sqlite', include: ['test/**/*.test.ts'], exclude: [...onPostgresOnly, ...endurance, ...browser] } },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: [...onBoth.map((folder) => `test/${folder}/**/*.test.ts`), ...onPostgresOnly],
          globalSetup: ['test/support/postgres/global-setup.ts'],
        },
      },
      { extends: true, test: { name: 'browser', include: browser, globalSetup: ['test/support/browser/build-pages.ts'] } },
      // After all others: what it measures must not be theirs.
      { extends: true, test: { name: 'endurance', include: endurance, sequence: { groupOrder: 1 } } },
    ],
  },
});
