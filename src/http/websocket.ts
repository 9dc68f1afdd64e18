import { getOperationAST, GraphQLError, OperationTypeNode, type ExecutionArgs, type ExecutionResult, type FormattedExecutionResult } from 'graphql';
import { CloseCode, makeServer, type Server, type ServerOptions } from 'graphql-ws';
import type { OnLimitHit } from '../gate/limit-hit.ts';
import type { Admit } from './admit.ts';
import type { Identity } from './authenticate.ts';
import type { InFlight } from './in-flight.ts';
import type { Operation } from './operation.ts';
import type { Pipelines } from './pipelines.ts';
import { publicError } from './public-error.ts';
import type { Rates } from './rates.ts';
import { toTrusted, type TrustedDocuments } from './trusted-documents.ts';

export interface ProtocolParts {
  readonly pipelines: Pipelines;
  readonly admit: Admit;
  /** Null: any document is taken. */
  readonly trusted: TrustedDocuments | null;
  readonly onLimitHit: OnLimitHit;
  readonly maskError: (error: unknown) => GraphQLError;
  readonly limits: { readonly subscriptionsPerConnection: number; readonly callsPerConnection: number };
  readonly rates: Rates;
  /** The queries and mutations that are under way on any connection. */
  readonly calls: InFlight<WebSocketOperation>;
}

/** What graphql-ws keeps for us with each connection. */
export interface Connection {
  identity: Identity | null;
  /** What came with the request that opened it: a client that is no browser can send its credential there. */
  readonly authorization: string | undefined;
  /** Where it comes from. */
  readonly network: string;
  close(code: number, reason: string): void;
  /** Aborted when it has closed. */
  readonly gone: AbortController;
  readonly operations: Map<string, WebSocketOperation>;
  /** Operations that their caller has completed and that have not come to their end. Their ids are free for the caller, not yet for us. */
  readonly completed: Map<string, WebSocketOperation>;
}

export interface WebSocketOperation extends Operation {
  /** The caller does not want the answer any more. */
  cancel(): void;
  isRunning: boolean;
  /** Resolves when nothing of it is to come. */
  readonly ended: Promise<unknown>;
  end(): void;
}

/** HTTP's 429 as a close code. Clients of graphql-ws take it for final, as they should: they do not come again by themselves. */
const tooManyFailures = CloseCode.TooManyInitialisationRequests;

export type Protocol = Server<Connection>;

export function openConnection(opened: Pick<Connection, 'authorization' | 'network' | 'close'>): Connection {
  return { ...opened, identity: null, gone: new AbortController(), operations: new Map(), completed: new Map() };
}

/** The protocol graphql-transport-ws over Yoga's pipeline, with the limits and the masked errors that HTTP has. */
export function createProtocol({ pipelines, admit, trusted, maskError, limits, rates, calls, onLimitHit }: ProtocolParts): Protocol {
  const excessOf = excessBeyond(limits);
  const options: ServerOptions<Record<string, unknown>, Connection> = {
    async onConnect({ extra, connectionParams }) {
      const admission = await admit({ authorization: authorizationIn(connectionParams) ?? extra.authorization, network: extra.network });
      if (admission.kind !== 'admitted') {
        if (admission.kind === 'unknown') extra.close(CloseCode.Unauthorized, 'Unauthorized');
        else extra.close(tooManyFailures, `Too many failed logins: try again in ${admission.retryAfterSeconds} s`);
        return false;
      }
      const { identity } = admission;
      extra.identity = identity;
      // The credential outlives its connections, and would keep each of them.
      identity.access.ended.addEventListener('abort', () => extra.close(CloseCode.Unauthorized, 'Unauthorized'), { signal: extra.gone.signal });
      return true;
    },

    async onSubscribe({ extra }, id, payload) {
      const { identity } = extra;
      if (!identity) throw new Error('graphql-ws subscribed before it connected.');
      const operation = createOperation(identity);
      extra.operations.set(id, operation);
      // graphql-ws tells us of errors only if the caller has not completed the operation in the meantime.
      const refuse = (errors: readonly GraphQLError[]) => {
        setImmediate(() => {
          if (extra.operations.get(id) === operation) end(extra, id);
        });
        return errors;
      };
      try {
        const request = trusted ? toTrusted(payload, trusted) : payload;
        if (request instanceof GraphQLError) {
          onLimitHit({ limit: 'trustedDocuments', principal: identity.principal });
          return refuse([request]);
        }
        const { parse, validate, schema, contextFactory, execute, subscribe } = pipelines.of({ operation, params: request });
        const document = parse(request.query);
        const errors = validate(schema, document);
        if (errors.length > 0) return refuse(errors);
        const chosen = getOperationAST(document, payload.operationName);
        if (!chosen) return refuse([new GraphQLError('Unable to identify operation', { extensions: { code: 'OPERATION_RESOLUTION_FAILURE' } })]);
        operation.isSubscription = chosen.operation === OperationTypeNode.SUBSCRIPTION;
        const excess = excessOf(extra, operation);
        if (excess) {
          operation.isCounted = true;
          onLimitHit({ limit: excess.limit, principal: identity.principal });
          return refuse([excess.error]);
        }
        if (!operation.isSubscription) calls.add(operation);
        const args: Runnable = {
          schema,
          document,
          operationName: payload.operationName,
          variableValues: payload.variables,
          contextValue: await contextFactory(),
          run: () => running({ connection: extra, id, operation }, async () => (operation.isSubscription ? subscribe : execute)(args)),
        };
        return args;
      } catch (error) {
        return refuse([maskError(error)]);
      }
    },
    execute: (args) => (args as Runnable).run(),
    subscribe: (args) => (args as Runnable).run(),

    onNext: (...[, , , , { errors, ...result }]) => (errors ? { ...result, errors: errors.map(publicError) } : result) as FormattedExecutionResult,
    onError(...[{ extra }, id, , errors]) {
      end(extra, id);
      return errors.map((error) => publicError(maskError(error)));
    },
    onComplete: ({ extra }, id) => end(extra, id),
    onClose({ extra }) {
      for (const [id, operation] of extra.operations) if (!operation.isRunning) end(extra, id); // its answer could not be sent
    },
  };

  async function running({ connection, id, operation }: Started, run: () => Promise<ExecutionResult>): Promise<ExecutionResult> {
    operation.isRunning = true;
    try {
      return await run();
    } catch (error) {
      return { errors: [maskError(error)] };
    } finally {
      operation.isRunning = false;
      if (operation.signal.aborted) end(connection, id); // nobody is told of the answer any more
    }
  }

  function end({ operations, completed }: Connection, id: string): void {
    const operation = operations.get(id);
    if (!operation) return;
    operations.delete(id);
    completed.delete(id);
    calls.delete(operation);
    if (!operation.isCounted) void rates.take(operation.identity, 'calls');
    operation.end();
  }

  return makeServer(options);
}

/** A browser cannot send headers with a WebSocket: it says in its first message what HTTP has in one. */
function authorizationIn(params: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const value = Object.entries(params ?? {}).find(([name]) => name.toLowerCase() === 'authorization')?.[1];
  return typeof value === 'string' ? value : undefined;
}

interface Runnable extends ExecutionArgs {
  readonly run: () => Promise<ExecutionResult>;
}

interface Started {
  readonly connection: Connection;
  readonly id: string;
  readonly operation: WebSocketOperation;
}

function createOperation(identity: Identity): WebSocketOperation {
  const gone = new AbortController();
  const { promise: ended, resolve: end } = Promise.withResolvers<undefined>();
  return { identity, signal: gone.signal, takesStream: true, isSubscription: false, isRunning: false, isCounted: false, cancel: () => gone.abort(), ended, end: () => end(undefined) };
}

interface Excess {
  readonly limit: string;
  readonly error: GraphQLError;
}

/** Says what a connection has too much of. The errors are made once: whoever floods gets them thousands of times. */
function excessBeyond({ subscriptionsPerConnection, callsPerConnection }: ProtocolParts['limits']): (connection: Connection, operation: Operation) => Excess | null {
  const subscriptions = { most: subscriptionsPerConnection, excess: excess('TOO_MANY_SUBSCRIPTIONS', 'subscriptions', subscriptionsPerConnection) };
  const calls = { most: callsPerConnection, excess: excess('TOO_MANY_CALLS', 'calls', callsPerConnection) };
  return ({ operations }, { isSubscription }) => {
    const bound = isSubscription ? subscriptions : calls;
    if (operations.size <= bound.most) return null;
    const count = [...operations.values()].filter((operation) => operation.isSubscription === isSubscription && !operation.signal.aborted).length;
    return count > bound.most ? bound.excess : null;
  };
}

function excess(code: string, what: 'subscriptions' | 'calls', most: number): Excess {
  const error = new GraphQLError(`This connection has ${most} ${what} already, which is the limit. Complete some, or open another connection.`, { extensions: { code } });
  return { limit: `limits.${what}PerConnection`, error };
}
