import { getOperationAST, GraphQLError, OperationTypeNode, type ExecutionArgs, type ExecutionResult, type FormattedExecutionResult } from 'graphql';
import { makeServer, type Server, type ServerOptions } from 'graphql-ws';
import type { Authenticate, Principal } from './authenticate.ts';
import type { InFlight } from './in-flight.ts';
import type { Operation } from './operation.ts';
import { publicError } from './public-error.ts';
import type { Yoga } from './yoga.ts';

export interface ProtocolParts {
  readonly yoga: Yoga;
  readonly authenticate: Authenticate;
  readonly maskError: (error: unknown) => GraphQLError;
  readonly limits: { readonly subscriptionsPerConnection: number; readonly callsPerConnection: number };
  /** The queries and mutations that are under way on any connection. */
  readonly calls: InFlight<WebSocketOperation>;
}

/** What graphql-ws keeps for us with each connection. */
export interface Connection {
  principal: Principal | null;
  readonly operations: Map<string, WebSocketOperation>;
}

export interface WebSocketOperation extends Operation {
  /** The caller does not want the answer any more. */
  cancel(): void;
}

export type Protocol = Server<Connection>;

export function openConnection(): Connection {
  return { principal: null, operations: new Map() };
}

/** The protocol graphql-transport-ws over Yoga's pipeline, with the limits and the masked errors that HTTP has. */
export function createProtocol({ yoga, authenticate, maskError, limits, calls }: ProtocolParts): Protocol {
  const options: ServerOptions<Record<string, unknown>, Connection> = {
    onConnect({ extra }) {
      extra.principal = authenticate();
      return extra.principal !== null; // false closes with 4403
    },

    async onSubscribe({ extra }, id, payload) {
      const { principal } = extra;
      if (!principal) throw new Error('graphql-ws subscribed before it connected.');
      const operation = createOperation(principal);
      extra.operations.set(id, operation);
      try {
        const { parse, validate, schema, contextFactory, execute, subscribe } = yoga.getEnveloped({ operation, params: payload }) as Pipeline;
        const document = parse(payload.query);
        const errors = validate(schema, document);
        if (errors.length > 0) return errors;
        operation.isSubscription = getOperationAST(document, payload.operationName)?.operation === OperationTypeNode.SUBSCRIPTION;
        const excess = excessOf(extra, operation, limits);
        if (excess) return [excess];
        if (!operation.isSubscription) calls.add(operation);
        const args: Runnable = {
          schema,
          document,
          operationName: payload.operationName,
          variableValues: payload.variables,
          contextValue: await contextFactory(),
          run: operation.isSubscription ? subscribe : execute,
        };
        return args;
      } catch (error) {
        return [maskError(error)];
      }
    },
    execute: (args) => run(args as Runnable),
    subscribe: (args) => run(args as Runnable),

    onNext: (...[, , , , { errors, ...result }]) => (errors ? { ...result, errors: errors.map(publicError) } : result) as FormattedExecutionResult,
    onError(...[{ extra }, id, , errors]) {
      end(extra, id);
      return errors.map((error) => publicError(maskError(error)));
    },
    onComplete: ({ extra }, id) => end(extra, id),
  };

  async function run(args: Runnable): Promise<ExecutionResult> {
    try {
      return (await args.run(args)) as ExecutionResult;
    } catch (error) {
      return { errors: [maskError(error)] };
    }
  }

  function end({ operations }: Connection, id: string): void {
    const operation = operations.get(id);
    if (!operation) return;
    operations.delete(id);
    calls.delete(operation);
  }

  return makeServer(options);
}

/** What Yoga gives; its own type leaves most of it open. */
interface Pipeline {
  readonly schema: ExecutionArgs['schema'];
  readonly parse: (text: string) => ExecutionArgs['document'];
  readonly validate: (schema: ExecutionArgs['schema'], document: ExecutionArgs['document']) => readonly GraphQLError[];
  readonly contextFactory: () => unknown;
  readonly execute: Runnable['run'];
  readonly subscribe: Runnable['run'];
}

interface Runnable extends ExecutionArgs {
  readonly run: (args: ExecutionArgs) => unknown;
}

function createOperation(principal: Principal): WebSocketOperation {
  const gone = new AbortController();
  return { principal, signal: gone.signal, takesStream: true, isSubscription: false, cancel: () => gone.abort() };
}

function excessOf({ operations }: Connection, { isSubscription }: Operation, limits: ProtocolParts['limits']): GraphQLError | null {
  const limit = isSubscription ? limits.subscriptionsPerConnection : limits.callsPerConnection;
  if (operations.size <= limit) return null;
  const count = [...operations.values()].filter((operation) => operation.isSubscription === isSubscription && !operation.signal.aborted).length;
  if (count <= limit) return null;
  const [code, what] = isSubscription ? ['TOO_MANY_SUBSCRIPTIONS', 'subscriptions'] : ['TOO_MANY_CALLS', 'calls'];
  return new GraphQLError(`This connection has ${limit} ${what} already, which is the limit. Complete some, or open another connection.`, { extensions: { code } });
}
