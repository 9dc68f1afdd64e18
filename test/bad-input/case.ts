import { getNamedType, getNullableType, isEnumType, isInputObjectType, isListType, isNonNullType, isRequiredInputField, type GraphQLInputType } from 'graphql';
import type { InputField } from './input-fields.ts';

/** One value for one field, and what must come of it. */
export interface Case {
  readonly title: string;
  /** The value as JSON text, for not all that a caller can send is a value of ours. Undefined: the field is left out. */
  readonly json: string | undefined;
  readonly expects: Expectation;
}

export type Expectation =
  /** GraphQL's own error, which names the variable's path. */
  | { readonly kind: 'wrongType' }
  /** An InvalidInputError with an issue at the field or in it, or at another place. */
  | { readonly kind: 'invalid'; readonly at?: readonly string[] }
  | { readonly kind: 'notFound'; readonly id: string }
  | { readonly kind: 'error'; readonly type: string }
  /** Taken, and given back as this. */
  | { readonly kind: 'taken'; readonly value: unknown };

export function json(value: unknown): string {
  return JSON.stringify(value);
}

/** A title that stays readable whatever the value is. */
export function titled(value: unknown): string {
  const text = json(value);
  return text.length > 60 ? `${text.slice(0, 50)}… (${text.length})` : text;
}

const wrongType: Expectation = { kind: 'wrongType' };

/** What GraphQL itself refuses, derived from the type. */
export function wrongTypes({ type }: InputField): Case[] {
  const wrong = [...wrongValues(getNullableType(type)), ...(isNonNullType(type) ? ['null', undefined] : [])];
  return wrong.map((text) => ({ title: text === undefined ? 'nothing' : titled(JSON.parse(text.replaceAll(/1e400|9007199254740993/g, '"$&"'))), json: text, expects: wrongType }));
}

function wrongValues(type: GraphQLInputType): string[] {
  if (isListType(type)) return wrongItems(type.ofType);
  const named = getNamedType(type);
  if (isEnumType(named)) return ['""', '"accept"', '"NOTHING"', '"__proto__"', '"constructor"', '1', 'true', '{}', '["ACCEPT"]', '"ACCEPT\\u0000"'];
  if (isInputObjectType(named)) {
    const unknownKeys = ['nothing', '__proto__', 'constructor', 'prototype', 'toString', '$gt', '', 'a\0b', 'a\ud800b'].map((key) => `{${json(key)}:{}}`);
    // GraphQL takes a list for an object without fields, which is one where no field is required.
    const list = Object.values(named.getFields()).some(isRequiredInputField) || named.isOneOf ? ['[]', '[{}]'] : [];
    return ['"x"', '1', 'true', ...unknownKeys, ...list, ...(named.isOneOf ? ['{}', `{${json(Object.keys(named.getFields())[0])}:null}`] : [])];
  }
  switch (named.name) {
    case 'String':
      return ['1', '1.5', 'true', '{}', '{"$gt":""}', '{"toString":"x"}', '["x"]', '[]'];
    case 'ID':
      return ['1.5', 'true', '{}', '{"$gt":""}', '{"toString":"x"}', '["x"]', '[]', '1e400', '9007199254740993'];
    case 'Int':
      return ['"1"', '""', '"NaN"', '"Infinity"', '1.5', '2147483648', '-2147483649', '9007199254740993', '1e100', '1e400', 'true', '{}', '{"$gt":0}', '[1]'];
    case 'Float':
      return ['"1"', '""', '"NaN"', '1e400', 'true', '{}', '{"$gt":0}', '[1]'];
    case 'Boolean':
      return ['"true"', '""', '1', '0', '{}', '[true]'];
    case 'DateTime':
      return ['""', '"soon"', '"2026-02-30T00:00:00Z"', '"2026-01-01"', '"2026-01-01T00:00:00"', 'true', '{}', '{"$gt":0}', '[1]', '"2026-01-01T00:00:00Z\\u0000"'];
    case 'JSONObject':
      return ['"x"', '""', '"{}"', '1', 'true', '[]', '[{}]', '1e400'];
    case 'JSON':
      return [];
    default:
      throw new Error(`Say what is wrong for the type ${named.name}.`);
  }
}

/** A value that is no list stands for a list of it, so only what is wrong as an item is wrong. */
function wrongItems(itemType: GraphQLInputType): string[] {
  const wrong = wrongValues(getNullableType(itemType)).filter((text) => !text.startsWith('['));
  const listInList = isInputObjectType(getNamedType(itemType)) ? [] : ['[[[]]]'];
  return [...wrong.map((text) => `[${text}]`), ...wrong, ...listInList, ...(isNonNullType(itemType) ? ['[null]'] : [])];
}
