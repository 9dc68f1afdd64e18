import { text } from 'node:stream/consumers';
import { environment } from '../hooks/environment.ts';
import { findHost, hosts } from '../hooks/index.ts';
import { runHook } from '../hooks/run-hook.ts';
import { UsageFault } from './usage-fault.ts';

/** Is a host's hook, if that is what the words say: `hook HOST [--event NAME] [--timeout SECONDS]`. Null: they say something else. */
export async function hook(words: readonly string[]): Promise<number | null> {
  const call = readWords(words);
  if (!call) return null;
  const { stdout, stderr, exitCode } = await runHook({ ...call, stdin: await text(process.stdin), surroundings: environment() });
  process.stderr.write(stderr);
  process.stdout.write(stdout);
  return exitCode;
}

/** For whoever calls a hook in a way that it cannot be one. Throws a `UsageFault`. */
export function refuseHook(name: string): never {
  if (!findHost(name)) throw new UsageFault(`There is no hook for ${JSON.stringify(name)}: it must be one of ${hosts.map((host) => host.name).join(', ')}`);
  throw new UsageFault('--timeout must be a number of seconds, above 0 and at most 2,000,000; --event a name');
}

function readWords(words: readonly string[]) {
  const [command, name = '', ...options] = words;
  const host = command === 'hook' ? findHost(name) : undefined;
  if (!host || options.length % 2 !== 0) return null;
  const given = new Map<string | undefined, string | undefined>();
  for (let index = 0; index < options.length; index += 2) given.set(options[index], options[index + 1]);
  if ([...given.keys()].some((key) => key !== '--event' && key !== '--timeout')) return null;
  const timeout = given.get('--timeout');
  if (timeout !== undefined && !(Number(timeout) > 0 && Number(timeout) <= 2_000_000)) return null;
  return { host, eventName: given.get('--event') ?? null, timeoutSeconds: timeout === undefined ? null : Number(timeout) };
}
