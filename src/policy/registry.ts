import { builtins } from './builtins/index.ts';
import { handlerName, type Handler } from './handler.ts';

/** The allowlist: only handlers in a registry can be attached. */
export interface Registry {
  /** By name, or by one of the reference system's longer spellings; null when there is none. Store the found handler's `name`. */
  find(name: string): Handler | null;
  /** In the order given. */
  list(): readonly Handler[];
}

/** Throws when a name is not `<family>.<name>` in lower snake case, or is there twice. */
export function createRegistry(handlers: readonly Handler[]): Registry {
  const byName = new Map<string, Handler>();
  for (const handler of handlers) {
    if (!handlerName.test(handler.name)) {
      throw new Error(`"${handler.name}" is no handler name. Write <family>.<name> in lower snake case, e.g. safety.block_skills.`);
    }
    if (byName.has(handler.name)) throw new Error(`Two handlers are named ${handler.name}. Rename one.`);
    byName.set(handler.name, handler);
  }
  const listed = Object.freeze([...byName.values()]);
  return Object.freeze({
    find: (name: string) => byName.get(shortName(name)) ?? null,
    list: () => listed,
  });
}

/** The handlers that come with the product. */
export function builtinRegistry(): Registry {
  return createRegistry(builtins);
}

const referencePrefix = 'omnigent.policies.builtins.';

/** The reference registers its orchestration handlers under this older path as well. */
const orchestrationPrefix = 'omnigent.inner.nessie.policies.';

/** The reference compiles specs with this helper; wherever it lives, it is our handler. */
const fixedActionHelper = /^omnigent\.[a-z_.]+\.make_fixed_action_callable$/;

function shortName(name: string): string {
  if (fixedActionHelper.test(name)) return 'safety.fixed_action';
  if (name.startsWith(referencePrefix)) return name.slice(referencePrefix.length);
  if (name.startsWith(orchestrationPrefix)) return `orchestration.${name.slice(orchestrationPrefix.length)}`;
  return name;
}
