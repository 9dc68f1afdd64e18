import { existsSync } from 'node:fs';
import module from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Handler } from '../policy/handler.ts';
import { builtins } from '../policy/builtins/index.ts';

/** A module of handlers that cannot be used. The message is one line and says which, and what would be right. */
class PolicyModuleFault extends Error {
  override readonly name = 'PolicyModuleFault';
}

/**
 * The handlers that these modules export, alone or in lists: files, or packages as seen from the directory. Whatever they lie in, they
 * may import `countersign/policy`, which is this program's own. Rejects with a `PolicyModuleFault`: a policy must never be missing silently.
 */
export async function loadPolicyModules(sources: readonly string[], directory: string): Promise<Handler[]> {
  if (sources.length === 0) return [];
  const hooks = module.registerHooks({ resolve: resolveOwn });
  try {
    const taken = new Map(builtins.map(({ name }) => [name, 'the builtin']));
    const handlers: Handler[] = [];
    const loaded = new Set<string>();
    for (const source of sources) {
      const url = locate(source, directory);
      if (loaded.has(url)) continue; // named by the configuration and on the command line
      loaded.add(url);
      for (const handler of await handlersOf(source, url)) {
        const other = taken.get(handler.name);
        if (other !== undefined) throw new PolicyModuleFault(`The policy module ${source} exports ${handler.name}, which ${other} is named already: rename it`);
        taken.set(handler.name, `one of ${source}`);
        handlers.push(handler);
      }
    }
    return handlers;
  } finally {
    hooks.deregister();
  }
}

async function handlersOf(source: string, url: string): Promise<Handler[]> {
  const handlers = Object.values(await load(source, url)).flat().filter(isHandler);
  if (handlers.length === 0) throw new PolicyModuleFault(`The policy module ${source} exports no handler: export what defineHandler of countersign/policy gives`);
  const wrong = handlers.find(({ name }) => !handlerName.test(name));
  if (wrong) throw new PolicyModuleFault(`The policy module ${source} exports a handler named ${JSON.stringify(wrong.name)}: write <family>.<name> in lower snake case, e.g. mail.ask_before_external`);
  return [...new Set(handlers)]; // a named one may be the default, too
}

const handlerName = /^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/;

async function load(source: string, url: string): Promise<object> {
  try {
    return (await import(url)) as object;
  } catch (error) {
    throw cannotBeLoaded(source, error);
  }
}

function cannotBeLoaded(source: string, error: unknown): PolicyModuleFault {
  const [firstLine = ''] = String(error instanceof Error ? error.message : error).split('\n');
  return new PolicyModuleFault(`The policy module ${source} cannot be loaded: ${firstLine}`);
}

function locate(source: string, directory: string): string {
  const isPackage = !/^\.{0,2}[/\\]|^[a-z]:[/\\]|\.[cm]?[jt]s$/i.test(source);
  if (isPackage) return locatePackage(source, directory);
  const file = path.resolve(directory, source);
  if (!existsSync(file)) throw new PolicyModuleFault(`The policy module ${source} is not there: ${file} does not exist`);
  return pathToFileURL(file).href;
}

function locatePackage(source: string, directory: string): string {
  try {
    return pathToFileURL(module.createRequire(path.join(directory, 'countersign')).resolve(source)).href;
  } catch (error) {
    throw cannotBeLoaded(source, error);
  }
}

/** Our own entry, and for a module that lies beside no `node_modules` also our zod. */
const resolveOwn: module.ResolveHookSync = (specifier, context, next) => {
  if (specifier === 'countersign/policy') return { url: new URL(`../policy/index${path.extname(import.meta.url)}`, import.meta.url).href, shortCircuit: true };
  try {
    return next(specifier, context);
  } catch (error) {
    if (specifier === 'zod') return next(specifier, { ...context, parentURL: import.meta.url });
    throw error;
  }
};

/** By its shape: a module may bring a copy of `countersign/policy` of its own. */
function isHandler(value: unknown): value is Handler {
  if (typeof value !== 'object' || value === null) return false;
  const { name, kind, phases, build } = value as Partial<Record<keyof Handler, unknown>>;
  return typeof name === 'string' && (kind === 'CALLABLE' || kind === 'FACTORY') && Array.isArray(phases) && typeof build === 'function';
}
