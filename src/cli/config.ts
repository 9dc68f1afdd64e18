import { loadConfig, shownConfig } from '../config.ts';

export async function printConfig(file: string | undefined): Promise<void> {
  process.stdout.write(`${JSON.stringify(shownConfig(await loadConfig({ file })), null, 2)}\n`);
}
