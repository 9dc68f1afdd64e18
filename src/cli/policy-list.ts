import type { Handler } from '../policy/handler.ts';
import { isJsonObject, type Json } from '../policy/json.ts';
import type { Registry } from '../policy/registry.ts';
import { handlerRegistry, type HandlerSources } from './handler-registry.ts';
import { UsageFault } from './usage-fault.ts';

export interface PolicyListOptions extends HandlerSources {
  /** Only this handler, in full. */
  readonly name: string | undefined;
  readonly verbose: boolean;
  readonly json: boolean;
}

export async function listPolicies({ name, verbose, json, ...sources }: PolicyListOptions): Promise<void> {
  const handlers = chosen(name, await handlerRegistry(sources));
  process.stdout.write(`${json ? JSON.stringify(handlers.map(asJson), null, 2) : verbose || name !== undefined ? handlers.map(inFull).join('\n\n') : table(handlers)}\n`);
}

function chosen(name: string | undefined, registry: Registry): readonly Handler[] {
  if (name === undefined) return registry.list().toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const handler = registry.find(name);
  if (!handler) throw new UsageFault(`There is no handler ${JSON.stringify(name)}: countersign policy list names them all`);
  return [handler];
}

function asJson({ name, kind, title, description, phases, paramsSchema }: Handler): object {
  return { name, kind, title, description, phases, paramsSchema };
}

function table(handlers: readonly Handler[]): string {
  const rows = [['NAME', 'KIND', 'TITLE'], ...handlers.map(({ name, kind, title }) => [name, kind, title])];
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n');
}

function inFull({ name, kind, title, description, phases, paramsSchema }: Handler): string {
  const { properties, required } = paramsSchema ?? {};
  const needed = Array.isArray(required) ? required : [];
  const params = isJsonObject(properties) ? Object.entries(properties).map(([key, schema]) => param(key, schema, needed.includes(key))) : [];
  return [`${name} (${kind}): ${title}`, `  ${description}`, `  Phases: ${phases.join(', ')}`, ...(params.length > 0 ? ['  Params:', ...params] : ['  Params: none'])].join('\n');
}

function param(key: string, schema: Json, isRequired: boolean): string {
  const { type, description, default: byDefault } = isJsonObject(schema) ? schema : {};
  const need = isRequired ? 'required' : byDefault === undefined ? 'optional' : `default ${JSON.stringify(byDefault)}`;
  return `    ${key} (${[...(typeof type === 'string' ? [type] : []), need].join(', ')})${typeof description === 'string' ? `: ${description}` : ''}`;
}
