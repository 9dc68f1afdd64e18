import { complexityFromQuery } from '@pothos/plugin-complexity';
import { getOperationAST, GraphQLError, Kind, OperationTypeNode, type DocumentNode, type ExecutionArgs, type OperationDefinitionNode } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { OnLimitHit } from '../gate/limit-hit.ts';
import type { Weighing } from '../graphql/weigh-fields.ts';
import type { OperationContext } from './operation.ts';
import type { Rates } from './rates.ts';

export interface OperationLimits {
  readonly complexityMax: number;
  readonly rates: Rates;
  readonly onLimitHit: OnLimitHit;
}

interface Hook {
  readonly args: ExecutionArgs & { readonly contextValue: OperationContext };
  readonly setResultAndStopExecution: (result: { errors: GraphQLError[] }) => void;
}

/**
 * Refuses an operation that is too much at once, and a query or subscription that comes too often, before it is executed. Mutations that
 * come too often have an answer of their own, and are counted one by one where they are resolved.
 */
export function limitOperations({ complexityMax, rates, onLimitHit }: OperationLimits): Plugin<OperationContext> {
  const weigh = createScales(complexityMax);

  function check({ args, setResultAndStopExecution: refuse }: Hook): Promise<void> | undefined {
    const { document, operationName, contextValue } = args;
    const chosen = getOperationAST(document, operationName);
    if (!chosen) return undefined;
    const { identity } = contextValue.operation;
    const complexity = weigh(args, chosen);
    if (complexity > complexityMax) {
      onLimitHit({ limit: 'limits.documentComplexity', principal: identity.principal });
      refuse({ errors: [tooComplex(complexity, complexityMax)] });
      return undefined;
    }
    if (chosen.operation === OperationTypeNode.MUTATION) return undefined;
    contextValue.operation.isCounted = true;
    return rates.take(identity, 'calls').then((seconds) => {
      if (seconds > 0) refuse({ errors: [tooOften(seconds)] });
    });
  }

  return { onExecute: (hook) => check(hook), onSubscribe: (hook) => check(hook) };
}

/** An operation that stays below the limit whatever its variables are is weighed once, as long as its document is kept. */
function createScales(complexityMax: number): (args: ExecutionArgs, chosen: OperationDefinitionNode) => number {
  const known = new WeakMap<OperationDefinitionNode, number>();
  return ({ schema, document, variableValues }, chosen) => {
    const atMost = known.get(chosen) ?? complexityOf({ ...chosen, variableDefinitions: [] }, { document, schema, weighing: { atMost: true } });
    known.set(chosen, atMost);
    return atMost <= complexityMax ? atMost : complexityOf(chosen, { document, schema, weighing: { atMost: false }, variables: variableValues ?? {} });
  };
}

interface Scales {
  readonly document: DocumentNode;
  readonly schema: ExecutionArgs['schema'];
  readonly weighing: Weighing;
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** 0: the variables do not fit, which is for the execution to say. */
function complexityOf(chosen: OperationDefinitionNode, { document, schema, weighing, variables = {} }: Scales): number {
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  try {
    return complexityFromQuery({ kind: Kind.DOCUMENT, definitions: [chosen, ...fragments] }, { schema, ctx: weighing, variables }).complexity;
  } catch (error) {
    if (error instanceof GraphQLError) return 0;
    throw error;
  }
}

function tooComplex(complexity: number, limit: number): GraphQLError {
  return new GraphQLError(`The operation has a complexity of ${complexity}; the limit is ${limit}. Ask for smaller pages, or for less of each item.`, {
    extensions: { code: 'DOCUMENT_TOO_COMPLEX', http: { status: 400, spec: true } },
  });
}

function tooOften(retryAfterSeconds: number): GraphQLError {
  return new GraphQLError(`Too many calls with this credential: try again in ${retryAfterSeconds} s.`, {
    extensions: { code: 'RATE_LIMITED', retryAfterSeconds, http: { status: 429, spec: false, headers: { 'retry-after': String(retryAfterSeconds) } } },
  });
}
