import type { DocumentNode, ExecutionArgs, ExecutionResult, GraphQLError, GraphQLSchema } from 'graphql';
import type { YogaServerInstance } from 'graphql-yoga';
import type { KnownDocuments } from './known-documents.ts';
import type { OperationContext } from './operation.ts';

/** The steps of an operation, with Yoga's plugins: limits, rates, masking. */
export interface Pipeline {
  readonly schema: GraphQLSchema;
  readonly parse: (text: string) => DocumentNode;
  readonly validate: (schema: GraphQLSchema, document: DocumentNode) => readonly GraphQLError[];
  readonly contextFactory: () => unknown;
  readonly execute: Run;
  readonly subscribe: Run;
}

type Run = (args: ExecutionArgs) => Promise<ExecutionResult>;

export interface Pipelines {
  /** Null: the document has not been found valid, or not lately. */
  findValid(text: string): DocumentNode | null;
  of(context: OperationContext & { readonly params: { readonly query?: string } }): Pipeline;
}

interface Parts {
  readonly known: KnownDocuments;
  /** What the resolvers get. */
  readonly contextOf: (context: OperationContext) => object;
}

/** Yoga makes a pipeline for each operation anew. A document that was found valid needs its last step alone, which is the same for all: its plugins read the context from the arguments. */
export function openPipelines(yoga: Pick<YogaServerInstance<OperationContext, object>, 'getEnveloped'>, { known, contextOf }: Parts): Pipelines {
  const { schema, execute, subscribe } = yoga.getEnveloped() as Pipeline;
  const findValid = (text: string) => known.findValid(text);
  return {
    findValid,
    of(context) {
      const { query } = context.params;
      const document = typeof query === 'string' ? findValid(query) : null;
      if (!document) return yoga.getEnveloped(context);
      return { schema, execute, subscribe, parse: () => document, validate: () => [], contextFactory: () => ({ ...context, ...contextOf(context) }) };
    },
  };
}
