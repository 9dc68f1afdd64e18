import { configOf, configSchema } from '../../src/config.ts';

export interface ConfigRow {
  /** `['limits', 'bodyBytes']` */
  readonly path: readonly string[];
  readonly key: string;
  readonly variable: string;
  /** Undefined: it has none and must be given. */
  readonly byDefault: unknown;
  readonly text: string;
}

/** What docs/operations.md has to say of each key, from the configuration's own schema. */
export function configTable(): ConfigRow[] {
  return rowsOf(configSchema(), [], configOf({ llm: smallestModel, oidc: smallestIssuer }));
}

/** The keys without which there is no issuer. */
export const smallestIssuer = { issuer: 'https://issuer.example', audience: 'countersign', jwksUrl: 'https://issuer.example/keys', roles: {} };

/** The keys without which there is no model. */
export const smallestModel = { baseUrl: 'http://127.0.0.1:1/v1', model: 'judge' };

interface Schema {
  readonly description?: string;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  /** What may be left out as a whole is an object or null. */
  readonly anyOf?: readonly Schema[];
}

function rowsOf({ properties = {}, required = [] }: Schema, parents: readonly string[], defaults: object): ConfigRow[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = [...parents, name];
    const byDefault: unknown = required.includes(name) ? undefined : Reflect.get(defaults, name);
    const object = schema.properties ? schema : schema.anyOf?.find(({ properties }) => properties);
    if (object) return rowsOf(object, path, byDefault as object);
    const key = path.join('.');
    const variable = `COUNTERSIGN_${key.replace('.', '_').replace(/[A-Z]/g, '_$&').toUpperCase()}`;
    const text = [schema.description, boundsOf(schema)].filter(Boolean).join(' ');
    return [{ path, key, variable, byDefault, text }];
  });
}

function boundsOf({ type, enum: values, minimum, exclusiveMinimum, maximum }: Schema): string {
  if (values) return `One of ${values.map((value) => `\`${value}\``).join(', ')}.`;
  if (type !== 'number' && type !== 'integer') return '';
  const least = minimum !== undefined ? `from ${minimum}` : type === 'integer' ? 'from 1' : `above ${exclusiveMinimum}`;
  const most = maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? '' : ` to ${maximum.toLocaleString('en')}`;
  return `(${type === 'integer' ? 'whole, ' : ''}${least}${most})`;
}
