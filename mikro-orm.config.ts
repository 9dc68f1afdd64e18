import { loadConfig } from './src/config.ts';

/** For MikroORM's own command line (`npx mikro-orm …`); the server takes its options from the same place. */
export default loadConfig().then(async ({ database }) => {
  const { ormOptions } = database.startsWith('sqlite:') ? await import('./src/entities/sqlite/orm-options.ts') : await import('./src/entities/postgres/orm-options.ts');
  return ormOptions(database);
});
