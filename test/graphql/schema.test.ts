import { readFile } from 'node:fs/promises';
import {
  buildSchema,
  findBreakingChanges,
  getIntrospectionQuery,
  graphql,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
  isUnionType,
  lexicographicSortSchema,
  printSchema,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { schemaText } from '../../src/graphql/schema-text.ts';
import { schema } from '../../src/graphql/schema.ts';

const ownTypes = Object.values(schema.getTypeMap()).filter((type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type));

function read(file: string): Promise<string> {
  return readFile(new URL(file, import.meta.url), 'utf8');
}

describe('schema.graphql', () => {
  it('is what the code says', async () => {
    expect(await read('../../schema.graphql')).toBe(schemaText(schema));
  });

  it('has everything that the schema has', () => {
    expect(printSchema(lexicographicSortSchema(buildSchema(schemaText(schema))))).toBe(printSchema(lexicographicSortSchema(schema)));
  });

  it('begins with what can be read, changed and watched', () => {
    const types = [...schemaText(schema).matchAll(/^(?:type|enum|union|input|interface|scalar) (\w+)/gm)].map(([, name]) => name);
    expect(types.slice(0, 3)).toEqual(['Query', 'Mutation', 'Subscription']);
  });
});

describe('the contract', async () => {
  const contract = buildSchema(await read('contract.graphql'));

  it('is kept: nothing of it is missing or other', () => {
    expect(findBreakingChanges(contract, schema)).toEqual([]);
  });

  it('is whole: there is nothing beyond it that clients could come to rely on unseen', () => {
    expect(findBreakingChanges(schema, contract)).toEqual([]);
  });

  it('marks the inputs that take exactly one field', () => {
    const oneOf = ownTypes.filter((type) => isInputObjectType(type) && type.isOneOf).map(({ name }) => name);
    expect(oneOf.sort()).toEqual(['PolicyEventInput', 'PolicyTargetInput']);
  });

  it('says where its scalars are specified', () => {
    const specified = ['DateTime', 'JSON', 'JSONObject'].map((name) => schema.getType(name)).map((type) => (type && 'specifiedByURL' in type ? type.specifiedByURL : null));
    expect(specified).toEqual([expect.stringContaining('rfc3339'), expect.stringContaining('rfc8259'), expect.stringContaining('rfc8259')]);
  });

  it('answers an introspection query without an error', async () => {
    const { errors } = await graphql({ schema, source: getIntrospectionQuery({ specifiedByUrl: true, inputValueDeprecation: true, oneOf: true }) });
    expect(errors).toBeUndefined();
  });
});

describe('descriptions', () => {
  it('are there for every type, field, argument, input field and enum value', () => {
    expect(places().filter(({ description }) => !description?.trim()).map(({ place }) => place)).toEqual([]);
  });

  it('are sentences', () => {
    expect(places().filter(({ description }) => !/[.…]$/.test(description ?? '')).map(({ place }) => place)).toEqual([]);
  });
});

interface Place {
  readonly place: string;
  readonly description?: string | null | undefined;
}

function places(): Place[] {
  return ownTypes.flatMap((type): Place[] => {
    const own: Place[] = [{ place: type.name, description: type.description }];
    if (isEnumType(type)) return [...own, ...type.getValues().map(({ name, description }) => ({ place: `${type.name}.${name}`, description }))];
    if (isInputObjectType(type)) return [...own, ...Object.values(type.getFields()).map(({ name, description }) => ({ place: `${type.name}.${name}`, description }))];
    if (!isObjectType(type) && !isInterfaceType(type)) return own;
    const fields = Object.values(type.getFields()).flatMap((field): Place[] => [
      { place: `${type.name}.${field.name}`, description: field.description },
      ...field.args.map((argument) => ({ place: `${type.name}.${field.name}(${argument.name})`, description: argument.description })),
    ]);
    return [...own, ...fields];
  });
}

describe('a result', () => {
  it('is the object itself or an error, by the name of its field', () => {
    const unions = ownTypes.filter(isUnionType);
    const named = [
      ...Object.values(schema.getMutationType()?.getFields() ?? {}),
      ...['previewEvaluation', 'simulatePolicy'].map((query) => schema.getQueryType()?.getFields()[query]),
    ];
    expect(unions.map(({ name }) => name).sort()).toEqual(named.map((field) => `${field?.name.charAt(0).toUpperCase()}${field?.name.slice(1)}Result`).sort());
    for (const union of unions) {
      const isError = union.getTypes().map((member) => member.getInterfaces().some(({ name }) => name === 'Error'));
      expect(isError, union.name).toEqual([false, ...isError.slice(1).map(() => true)]);
    }
  });
});
