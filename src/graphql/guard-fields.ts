import { defaultFieldResolver, getNullableType, isListType, isNonNullType, isObjectType, isUnionType, type GraphQLField, type GraphQLObjectType, type GraphQLSchema } from 'graphql';
import type { Role } from '../entities/role.ts';
import type { Forbidden } from '../gate/outcome.ts';
import { accessTable } from './access-table.ts';
import type { GraphQLContext } from './context.ts';
import { requestError } from './request-error.ts';

/**
 * Puts the access table before the resolvers: a field that is not for the caller is not resolved. It answers ForbiddenError where its
 * result has that, else null or an empty list, as if nothing were there; a FORBIDDEN error where it can be neither.
 * Throws where table and schema differ.
 */
export function guardFields(schema: GraphQLSchema): GraphQLSchema {
  const open = new Map(Object.entries(accessTable).map(([type, grants]) => [type, new Map(grants.flatMap(({ to, fields }) => fields.split(' ').map((field) => [field, to])))]));
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    const grants = open.get(type.name);
    for (const field of Object.values(type.getFields()) as Field[]) {
      const to = grants?.get(field.name);
      if (to === undefined) throw new Error(`Say in access-table.ts who may use ${type.name}.${field.name}.`);
      grants?.delete(field.name);
      if (to !== 'everyone') guard(type, field, to);
    }
    const [surplus] = grants?.keys() ?? [];
    if (surplus !== undefined) throw new Error(`access-table.ts has ${type.name}.${surplus}, and the schema has not.`);
    open.delete(type.name);
  }
  const [surplus] = open.keys();
  if (surplus !== undefined) throw new Error(`access-table.ts has ${surplus}, and the schema has not.`);
  return schema;
}

type Field = GraphQLField<unknown, GraphQLContext>;

function guard(type: GraphQLObjectType, field: Field, to: readonly Role[]): void {
  const { resolve = defaultFieldResolver, subscribe } = field;
  const may = ({ access }: GraphQLContext) => access.roles.some((role) => to.includes(role));
  const message = `${type.name}.${field.name} takes the role ${to.join(' or ')}.`;
  field.resolve = (...call) => (may(call[2]) ? resolve(...call) : refusal(field, message));
  if (!subscribe) return;
  field.subscribe = (...call) => {
    if (may(call[2])) return subscribe(...call);
    throw requestError('FORBIDDEN', message);
  };
}

function refusal({ type }: Field, message: string): Forbidden | null | [] {
  const inner = getNullableType(type);
  if (isUnionType(inner) && inner.getTypes().some(({ name }) => name === 'ForbiddenError')) return { kind: 'forbidden', message };
  if (!isNonNullType(type)) return null;
  if (isListType(inner)) return [];
  throw requestError('FORBIDDEN', message);
}
