import { loadConfig, locateModule } from '../config.ts';
import { loadPolicyModules } from '../modules/load-policy-modules.ts';
import { builtins } from '../policy/builtins/index.ts';
import { createRegistry, type Registry } from '../policy/registry.ts';

export interface HandlerSources {
  /** The configuration file, whose `policyModules` count. Undefined: the usual one, if there is one. */
  readonly config?: string | undefined;
  /** Further modules. */
  readonly module?: readonly string[] | undefined;
}

/** The builtins, and what the modules of the configuration and of the command line export. */
export async function handlerRegistry({ config, module = [] }: HandlerSources): Promise<Registry> {
  const { policyModules } = await loadConfig({ file: config });
  return createRegistry([...builtins, ...(await loadPolicyModules([...policyModules, ...module.map((source) => locateModule(source, process.cwd()))]))]);
}
