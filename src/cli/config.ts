import { loadConfig } from '../config.ts';

export async function printConfig(file: string | undefined): Promise<void> {
  process.stdout.write(`${JSON.stringify(await loadConfig({ file }), null, 2)}\n`);
}
