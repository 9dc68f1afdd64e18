import { getOperationAST, OperationTypeNode, type DocumentNode, type ExecutionArgs, type ExecutionResult } from 'graphql';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import type { Operation, OperationContext } from './operation.ts';

/**
 * Executes a query or mutation that has been found valid before, without the fetch API, in which Yoga answers over HTTP: it costs more
 * than judging an event. Null: nothing was done, for the request is not that plain. Rejects as the execution does.
 */
export async function executeKnown(yoga: Enveloped, operation: Operation, params: GraphQLParams): Promise<ExecutionResult | null> {
  if (!isPlain(params)) return null;
  const { parse, schema, contextFactory, execute } = yoga.getEnveloped({ operation, params });
  const document = parsed(parse, params.query);
  if (!document || !valid.has(document)) return null;
  const chosen = getOperationAST(document, params.operationName);
  if (!chosen || chosen.operation === OperationTypeNode.SUBSCRIPTION) return null;
  return execute({ schema, document, operationName: params.operationName, variableValues: params.variables, contextValue: await contextFactory() });
}

/** Documents as the parser's cache has them. */
const valid = new WeakSet<DocumentNode>();

/** Remembers what it sees to be valid, and has Yoga answer with what was executed already. */
export const knowsValidDocuments: Plugin<OperationContext, OperationContext> = {
  onValidate({ params: { documentAST } }) {
    return ({ result }) => {
      if (result.length === 0) valid.add(documentAST as DocumentNode);
    };
  },
  onParams({ context, setResult }) {
    const { result } = context.operation;
    if (result) setResult(result);
  },
};

type PlainParams = GraphQLParams & { readonly query: string; readonly variables?: Record<string, unknown> | null; readonly operationName?: string | null };

const plainNames = new Set(['query', 'variables', 'operationName']);

function isPlain(params: GraphQLParams): params is PlainParams {
  const { query, variables, operationName } = params as Readonly<Record<string, unknown>>;
  if (typeof query !== 'string' || typeof (variables ?? {}) !== 'object' || Array.isArray(variables) || typeof (operationName ?? '') !== 'string') return false;
  return Object.keys(params).every((name) => plainNames.has(name));
}

function parsed(parse: Pipeline['parse'], text: string): DocumentNode | null {
  try {
    return parse(text);
  } catch {
    return null; // Yoga says what is wrong
  }
}

interface Enveloped {
  getEnveloped(context: OperationContext & { readonly params: GraphQLParams }): Pipeline;
}

/** What Yoga gives; its own type leaves most of it open. */
interface Pipeline {
  readonly schema: ExecutionArgs['schema'];
  readonly parse: (text: string) => DocumentNode;
  readonly contextFactory: () => unknown;
  readonly execute: (args: ExecutionArgs) => Promise<ExecutionResult>;
}
