import { loadConfig } from './src/config.ts';
import { ormOptions } from './src/entities/orm-options.ts';

/** For MikroORM's own command line (`npx mikro-orm …`); the server takes its options from the same place. */
export default loadConfig().then(({ database }) => ormOptions(database));
