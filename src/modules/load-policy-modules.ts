import { existsSync } from 'node:fs';
import module from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { handlerIssue, type Handler } from '../policy/handler.ts';
import { builtins } from '../policy/builtins/index.ts';

/** A module of handlers that cannot be used. The message is one line and says which, and what would be right. */
class PolicyModuleFault extends Error {
  override readonly name = 'PolicyModuleFault';
}

/**
 * The handlers that these files export, alone or in lists. Wherever they lie, they may import `countersign/policy`, which is this
 * program's own. Rejects with a `PolicyModuleFault`: a policy must never be missing silently.
 */
export async function loadPolicyModules(sources: readonly string[]): Promise<Handler[]> {
  if (sources.length === 0) return [];
  const hooks = module.registerHooks({ resolve: resolveOwn });
  try {
    const taken = new Map(builtins.map(({ name }) => [name, 'the builtin']));
    const handlers: Handler[] = [];
    const loaded = new Set<string>();
    for (const source of sources) {
      const url = urlOf(source);
      if (loaded.has(url)) continue; // named by the configuration and on the command line
      loaded.add(url);
      for (const handler of await handlersOf(source, url)) {
        const other = taken.get(handler.name);
        const family = familyOf(handler.name);
        if (other !== undefined) throw new PolicyModuleFault(`The policy module ${source} exports ${handler.name}, which ${other} is named already: rename it`);
        if (ownFamilies.has(family)) throw new PolicyModuleFault(`The policy module ${source} exports ${handler.name}: the family ${family} is that of builtins, name one of your own`);
        taken.set(handler.name, `one of ${source}`);
        handlers.push(handler);
      }
    }
    return handlers;
  } finally {
    hooks.deregister();
  }
}

/** A later version may have any name in them. */
const ownFamilies = new Set(builtins.map(({ name }) => familyOf(name)));

function familyOf(name: string): string {
  return name.slice(0, name.indexOf('.'));
}

async function handlersOf(source: string, url: string): Promise<Handler[]> {
  const handlers = new Set<Handler>(); // a named one may be the default, too
  for (const [name, exported] of Object.entries(await load(source, url))) {
    for (const value of [exported].flat() as readonly unknown[]) {
      if (isHandler(value)) handlers.add(sound(source, value));
      else if (isMeantAsHandler(value)) throw new PolicyModuleFault(`The policy module ${source} exports ${JSON.stringify(name)}, which is no handler: give it to defineHandler of countersign/policy, and export the result`);
    }
  }
  if (handlers.size === 0) throw new PolicyModuleFault(`The policy module ${source} exports no handler: export what defineHandler of countersign/policy gives`);
  return [...handlers];
}

/** Its copy of `countersign/policy` may be one that let more pass. */
function sound(source: string, handler: Handler): Handler {
  const issue = handlerIssue(handler);
  if (issue !== null) throw new PolicyModuleFault(`The policy module ${source} exports the handler ${JSON.stringify(handler.name)}: ${issue}`);
  return handler;
}

async function load(source: string, url: string): Promise<object> {
  try {
    return (await import(url)) as object;
  } catch (error) {
    throw cannotBeLoaded(source, error);
  }
}

function cannotBeLoaded(source: string, error: unknown): PolicyModuleFault {
  const [firstLine = ''] = (error instanceof Error ? error.message : typeof error === 'string' ? error : 'it throws what is no error').split('\n');
  return new PolicyModuleFault(`The policy module ${source} cannot be loaded: ${firstLine}`);
}

function urlOf(source: string): string {
  if (!path.isAbsolute(source)) throw new PolicyModuleFault(`The policy module ${source} is not there: it is neither a file nor an installed package with an entry for require; name its file, e.g. ./policies.ts`);
  if (!existsSync(source)) throw new PolicyModuleFault(`The policy module ${source} is not there: name a file that exists, or a package`);
  return pathToFileURL(source).href;
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
  const { kind, build } = value as Partial<Record<keyof Handler, unknown>>;
  return (kind === 'CALLABLE' || kind === 'FACTORY') && typeof build === 'function';
}

/** Left out, it would be a policy that is missing silently. */
function isMeantAsHandler(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { name, judge, create } = value as Partial<Record<'name' | 'judge' | 'create', unknown>>;
  return typeof judge === 'function' || (typeof name === 'string' && typeof create === 'function');
}
