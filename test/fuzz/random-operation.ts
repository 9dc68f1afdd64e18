import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql';

/** A source of numbers from 0 up to below 1. */
export type Random = () => number;

/** The same numbers for the same seed (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export interface Operation {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Operations of a schema with arguments that fit, nearly fit, or do not. `ids`: of what is there. */
export class Fuzzer {
  readonly #schema: GraphQLSchema;
  readonly #random: Random;
  readonly #ids: readonly string[];
  #variables: Record<string, unknown> = {};
  #declared: string[] = [];

  constructor(schema: GraphQLSchema, { random, ids }: { readonly random: Random; readonly ids: readonly string[] }) {
    this.#schema = schema;
    this.#random = random;
    this.#ids = ids;
  }

  next(): Operation {
    this.#variables = {};
    this.#declared = [];
    const isMutation = this.#random() < 0.5;
    const type = isMutation ? this.#schema.getMutationType() : this.#schema.getQueryType();
    const fields = Object.values(type?.getFields() ?? {});
    const count = 1 + this.#upTo(2);
    const selections = Array.from({ length: count }, (_, index) => this.#field(this.#pick(fields), { alias: `f${index}: `, depth: 0 }));
    const declarations = this.#declared.length > 0 ? `(${this.#declared.join(', ')})` : '';
    const query = `${isMutation ? 'mutation' : 'query'} Q${declarations} { ${selections.join(' ')} }`;
    return { query: this.#random() < 0.05 ? this.#damaged(query) : query, variables: this.#variables };
  }

  #field(field: GraphQLField<unknown, unknown>, { alias, depth }: { readonly alias: string; readonly depth: number }): string {
    const args = field.args.filter(({ type }) => isNonNullType(type) || this.#random() < 0.5).map(({ name, type }) => {
      const variable = `v${this.#declared.length}`;
      this.#declared.push(`$${variable}: ${String(type)}`);
      this.#variables[variable] = name === 'input' ? this.#input(type) : this.#value(type);
      return `${name}: $${variable}`;
    });
    return `${alias}${field.name}${args.length > 0 ? `(${args.join(', ')})` : ''}${this.#selection(field.type, depth + 1)}`;
  }

  /** A call that is held would only make the run longer. */
  #input(type: GraphQLInputType): unknown {
    const value = this.#value(type);
    const takesWait = String(type).startsWith('EvaluatePolicyInput');
    return takesWait && typeof value === 'object' && value !== null ? { ...value, waitSeconds: 0 } : value;
  }

  #selection(type: GraphQLOutputType, depth: number): string {
    const named = getNamedType(type);
    if (isLeafType(named)) return '';
    if (isUnionType(named)) return ` { __typename ${named.getTypes().map((member) => `... on ${member.name}${this.#selection(member, depth + 1)}`).join(' ')} }`;
    if (!isObjectType(named) && !isInterfaceType(named)) return '';
    const fields = Object.values(named.getFields()).filter(({ type: inner }) => depth < 3 || isLeafType(getNamedType(inner)));
    const chosen = fields.filter(() => this.#random() < 0.3).slice(0, 4);
    return ` { __typename ${chosen.map((field, index) => this.#field(field, { alias: `a${depth}_${index}: `, depth })).join(' ')} }`;
  }

  #value(type: GraphQLInputType): unknown {
    if (this.#random() < 0.04) return this.#pick(garbage);
    if (isNonNullType(type)) return this.#value(type.ofType);
    if (isListType(type)) return Array.from({ length: this.#upTo(4) }, () => this.#value(type.ofType));
    if (isEnumType(type)) return this.#pick(type.getValues()).name;
    if (isInputObjectType(type)) {
      const fields = Object.values(type.getFields());
      const chosen = type.isOneOf ? [this.#pick(fields)] : fields.filter(({ type: inner }) => isNonNullType(inner) || this.#random() < 0.6);
      return Object.fromEntries(chosen.map((field) => [field.name, this.#value(field.type)]));
    }
    return this.#scalar(String(type));
  }

  #scalar(name: string): unknown {
    switch (name) {
      case 'ID':
        return this.#random() < 0.7 ? this.#pick(this.#ids) : this.#pick(texts);
      case 'Int':
        return this.#pick([0, 1, 2, 5, -1, 101, 2_147_483_647, -2_147_483_648]);
      case 'Float':
        return this.#pick([0, 0.5, 1, -1, 1e300, 5e-324]);
      case 'Boolean':
        return this.#random() < 0.5;
      case 'DateTime':
        return this.#pick(['2026-01-01T00:00:00Z', '2030-12-31T23:59:59.999+14:00', '0000-01-01T00:00:00Z', '2026-13-45T00:00:00Z']);
      case 'JSONObject':
        return { [this.#pick(texts).slice(0, 20)]: this.#pick(garbage), command: this.#pick(texts) };
      default:
        return this.#pick(texts);
    }
  }

  #damaged(query: string): string {
    const at = this.#upTo(query.length);
    return `${query.slice(0, at)}${this.#pick(['{', '}', '"', '$', '@skip(if: true)', '...', '\u0000', ''])}${query.slice(at + 1)}`;
  }

  #upTo(end: number): number {
    return Math.floor(this.#random() * end);
  }

  #pick<Value>(values: readonly Value[]): Value {
    return values[this.#upTo(values.length)] as Value;
  }
}

const texts = [
  ...['', ' ', 'a', 'safety.ask_on_os_tools', 'cel.cel_policy', 'github.github_policy', 'Bash', 'git push --force', 'rm -rf /', 'event.type == "tool_call" ? {"result": "ASK"} : {}'],
  ...['\u0000', '\ud800', '\u202e', "'; drop table session; --", '__proto__', 'constructor', '%', '_', '*', '<script>', '{{7*7}}', '../../etc/passwd', 'é'.repeat(300), 'x'.repeat(5000)],
];

const garbage: readonly unknown[] = [null, 0, -0, 1e400, '', 'x', [], {}, [[[]]], { a: { b: { c: [] } } }, true, { __proto__: null, toString: 1 }, ['a', 1, null], '9007199254740993'];
