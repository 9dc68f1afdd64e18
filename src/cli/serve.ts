import { loadConfig, type ConfigSources } from '../config.ts';
import { startServer } from '../main.ts';

/** Serves until a signal says to stop, then closes in peace. A second signal ends the process at once. */
export async function serve(sources: ConfigSources): Promise<number> {
  const stopped = Promise.withResolvers<undefined>();
  let signals = 0;
  const stop = () => {
    signals += 1;
    if (signals > 1) process.exit(2);
    stopped.resolve(undefined);
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
  try {
    const server = await startServer(await loadConfig(sources));
    process.stdout.write(`countersign ready ${server.url}/graphql\n`);
    await stopped.promise;
    await server.close();
    return 0;
  } finally {
    process.off('SIGTERM', stop).off('SIGINT', stop);
  }
}
