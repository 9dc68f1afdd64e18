import { getOperationAST, OperationTypeNode, type ExecutionResult } from 'graphql';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import type { Operation, OperationContext } from './operation.ts';
import type { Pipelines } from './pipelines.ts';

/**
 * Executes a query or mutation that has been found valid before, without the fetch API, in which Yoga answers over HTTP: it costs more
 * than judging an event. Null: nothing was done, for the request is not that plain. Rejects as the execution does.
 */
export async function executeKnown(pipelines: Pipelines, operation: Operation, params: GraphQLParams): Promise<ExecutionResult | null> {
  if (!isPlain(params)) return null;
  const document = pipelines.findValid(params.query);
  if (!document) return null;
  const chosen = getOperationAST(document, params.operationName);
  if (!chosen || chosen.operation === OperationTypeNode.SUBSCRIPTION) return null;
  const { schema, contextFactory, execute } = pipelines.of({ operation, params });
  return execute({ schema, document, operationName: params.operationName, variableValues: params.variables, contextValue: await contextFactory() });
}

/** Has Yoga answer with what was executed already. */
export const answersWithResult: Plugin<OperationContext, OperationContext> = {
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
