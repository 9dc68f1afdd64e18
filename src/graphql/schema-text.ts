import { GraphQLSchema, isIntrospectionType, isSpecifiedScalarType, printType } from 'graphql';

/** The schema as SDL, in the order of reading: the three root types, then each type after the one that first speaks of it. */
export function schemaText(schema: GraphQLSchema): string {
  const types = Object.values(inOrderOfMention(schema).getTypeMap()).filter((type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type));
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].filter((type) => type != null);
  return `${[...new Set([...roots, ...types])].map((type) => printType(type)).join('\n\n')}\n`;
}

/** A schema collects its types from the roots on; one that was given a list starts with the list. */
function inOrderOfMention(schema: GraphQLSchema): GraphQLSchema {
  return new GraphQLSchema({ ...schema.toConfig(), types: [] });
}
