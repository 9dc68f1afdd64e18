import { defaultFieldResolver, type GraphQLField, type GraphQLSchema } from 'graphql';
import { rateLimited } from '../gate/outcome.ts';
import type { GraphQLContext } from './context.ts';

/** What ends an ask. */
const decisions = new Set(['resolveElicitation', 'resolveElicitations', 'withdrawEvaluation']);

/** Puts the rate of the caller's credential before each mutation, so that a document with a hundred of them counts a hundred times. */
export function limitMutations(schema: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {}) as GraphQLField<unknown, GraphQLContext>[]) {
    const { resolve = defaultFieldResolver } = field;
    const bucket = decisions.has(field.name) ? 'decisions' : 'calls';
    field.resolve = async (...call) => {
      const retryAfterSeconds = await call[2].rate(bucket);
      return retryAfterSeconds > 0 ? rateLimited(retryAfterSeconds) : resolve(...call);
    };
  }
  return schema;
}
