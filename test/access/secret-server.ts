import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { post } from '../support/post.ts';
import { startCli, type RunningCli } from '../support/run-cli.ts';
import type { Wire } from './keyed-server.ts';

/** The program as an operator runs it, with a database file, all that it logs, and a policy that quotes what it judges. */
export interface SecretServer {
  readonly wsUrl: string;
  /** Of the database and what lies beside it. */
  readonly folder: string;
  /** The value of the operation's first field. */
  ask(query: string, variables?: object): Promise<Wire>;
  restart(): Promise<void>;
  stop(): Promise<void>;
  /** What was logged by all that ran and ended. */
  stderr(): string;
  remove(): Promise<void>;
}

export async function startSecretServer(): Promise<SecretServer> {
  const cwd = await mkdtemp(path.join(tmpdir(), 'countersign-secrets-'));
  await writeFile(path.join(cwd, 'countersign.config.json'), JSON.stringify({ policyModules: [path.join(import.meta.dirname, 'quoting-policy.ts')], logLevel: 'debug' }));
  let stderr = '';
  let port = 0;
  const start = async () => {
    const running = startCli(['serve', '--port', String(port)], { cwd });
    const url = (await running.ready).replace('countersign ready ', '');
    port = Number(new URL(url).port);
    return { running, url };
  };
  const end = async ({ process }: RunningCli, signal: NodeJS.Signals) => {
    process.kill(signal);
    stderr += (await server.running.result).stderr;
  };
  let server = await start();
  let isRunning = true;
  const stop = async () => {
    if (isRunning) await end(server.running, 'SIGTERM');
    isRunning = false;
  };
  return {
    wsUrl: server.url.replace('http', 'ws'),
    folder: cwd,
    async ask(query, variables = {}) {
      const { data, errors } = await (await post(server.url, query, { variables })).json();
      if (errors) throw new Error(JSON.stringify(errors));
      return Object.values(data as object)[0];
    },
    async restart() {
      await end(server.running, 'SIGKILL');
      server = await start();
    },
    stop,
    stderr: () => stderr,
    async remove() {
      await stop();
      await rm(cwd, { recursive: true });
    },
  };
}
