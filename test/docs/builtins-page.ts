import { builtinRegistry } from '../../src/policy/registry.ts';
import type { JsonObject } from '../../src/policy/json.ts';

/** docs/builtins.md: each builtin as its own schema describes it, by family. */
export function builtinsPage(): string {
  const handlers = builtinRegistry().list().toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
  const families = [...new Set(handlers.map(({ name }) => familyOf(name)))];
  const parts = families.map((family) => [`## ${family}`, ...handlers.filter(({ name }) => familyOf(name) === family).map(sectionOf)].join('\n\n'));
  return `${[intro, ...parts].join('\n\n')}\n`;
}

const intro = `# The builtin policies

Every handler that comes with the server, by family, with its params as their schema has them. \`countersign policy list --verbose\` and the query
\`policyRegistry\` tell the same. This page is written from the code (\`npm test -- test/docs/builtins.test.ts -u\`). How policies are attached, and how their
opinions become one verdict: [policies](policies.md); budgets: [budgets](budgets.md); judges that ask a language model: [model judges](model-judges.md).`;

type Handler = ReturnType<ReturnType<typeof builtinRegistry>['list']>[number];

function sectionOf({ name, description, phases, paramsSchema }: Handler): string {
  return [`### \`${name}\``, description, `Judges ${phases.map((phase) => `\`${phase}\``).join(', ')}.`, paramsTable(paramsSchema)].join('\n\n');
}

function paramsTable(schema: JsonObject | null): string {
  const { properties = {}, required = [] } = (schema ?? {}) as ParamsSchema;
  const rows = Object.entries(properties).map(([name, param]) => {
    const byDefault = required.includes(name) ? 'required' : (param.default ?? null) === null ? '' : code(JSON.stringify(param.default));
    return `| ${code(name)} | ${typeOf(param)} | ${byDefault} | ${(param.description ?? '').replaceAll('\n', ' ').replaceAll('|', '\\|')} |`;
  });
  return rows.length === 0 ? 'No params.' : ['| param | type | default | is |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

interface Param {
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | null)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly items?: Param;
  readonly additionalProperties?: Param | boolean;
  readonly anyOf?: readonly Param[];
}

interface ParamsSchema {
  readonly properties?: Readonly<Record<string, Param>>;
  readonly required?: readonly string[];
}

function typeOf(param: Param): string {
  if (param.anyOf) return [...new Set(param.anyOf.filter(({ type }) => type !== 'null').map(typeOf))].join(' or ');
  if (param.enum) return param.enum.flatMap((value) => (value === null ? [] : [code(value)])).join(', ');
  if (param.type === 'array') return param.items ? `list of ${typeOf(param.items)}` : 'list';
  if (param.type === 'object') return typeof param.additionalProperties === 'object' ? `object of ${typeOf(param.additionalProperties)}` : 'object';
  const types = [param.type ?? 'anything'].flat().filter((type) => type !== 'null');
  return [types.join(' or '), boundsOf(param)].filter(Boolean).join(' ');
}

function boundsOf({ minimum, maximum, exclusiveMinimum }: Param): string {
  const isMeant = (bound: number | undefined): bound is number => bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  const least = isMeant(minimum) ? `from ${minimum}` : isMeant(exclusiveMinimum) ? `above ${exclusiveMinimum}` : '';
  return [least, isMeant(maximum) ? `to ${maximum}` : ''].filter(Boolean).join(' ');
}

function code(text: string): string {
  return `\`${text}\``;
}

function familyOf(name: string): string {
  return name.split('.')[0] ?? name;
}
