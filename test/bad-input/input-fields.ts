import { getNamedType, getNullableType, isInputObjectType, isListType, type GraphQLInputType } from 'graphql';
import { schema } from '../../src/graphql/schema.ts';

/** One place in an input that a caller can fill. */
export interface InputField {
  /** The root field that takes the input. */
  readonly operation: string;
  /** The way to it from the input on; empty: the input itself. `0` where it lies in a list. */
  readonly path: readonly string[];
  readonly type: GraphQLInputType;
}

/** `createAgent.labelDefinitions.key` */
export function nameOf({ operation, path }: InputField): string {
  return [operation, ...path.filter((part) => part !== '0')].join('.');
}

/** Every place in the input of every mutation, and of the queries that take one. */
export function inputFields(): InputField[] {
  const roots = [...Object.values(schema.getMutationType()?.getFields() ?? {}), ...Object.values(schema.getQueryType()?.getFields() ?? {})];
  return roots.flatMap(({ name, args }) => args.filter((arg) => arg.name === 'input').flatMap(({ type }) => within({ operation: name, path: [], type })));
}

function within(field: InputField): InputField[] {
  const type = getNullableType(field.type);
  const inner = getNamedType(type);
  if (!isInputObjectType(inner)) return [field];
  const path = isListType(type) ? [...field.path, '0'] : field.path;
  return [field, ...Object.values(inner.getFields()).flatMap((child) => within({ ...field, path: [...path, child.name], type: child.type }))];
}
