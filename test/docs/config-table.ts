import { configOf, configSchema } from '../../src/config.ts';

export interface ConfigRow {
  /** `['limits', 'bodyBytes']` */
  readonly path: readonly string[];
  readonly key: string;
  readonly variable: string;
  readonly byDefault: unknown;
  readonly text: string;
}

/** What docs/operations.md has to say of each key, from the configuration's own schema. */
export function configTable(): ConfigRow[] {
  return rowsOf(configSchema(), [], configOf({}));
}

interface Schema {
  readonly description?: string;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
}

function rowsOf({ properties = {} }: Schema, parents: readonly string[], defaults: object): ConfigRow[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = [...parents, name];
    const byDefault: unknown = Reflect.get(defaults, name);
    if (schema.properties) return rowsOf(schema, path, byDefault as object);
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
