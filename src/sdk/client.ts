/// <reference lib="esnext.disposable" preserve="true" />
import { succeeded } from './answer.ts';
import { evaluate, type Calls, type EvaluateOptions } from './evaluate.ts';
import { gate, type GatedTool, type GateOptions, type Tool } from './gate.ts';
import type { EvaluatePolicyInput, ResolveElicitationInput } from './generated.ts';
import { inputOperations, queries, type CallOptions, type Elicitation, type Evaluation, type Operations, type Session, type SessionEvent } from './operations.ts';
import { isThere } from './is-there.ts';
import { permission, type PermissionOptions, type Permit } from './permission.ts';
import { persist } from './retry.ts';
import { openSession, sessionOf, type NewSession } from './session.ts';
import { createTransport, type Sendable, type TransportOptions } from './transport.ts';
import { watchElicitations, watchResolutions, watchSessionEvents, type WatchElicitationsOptions, type WatchSessionEventsOptions } from './watch.ts';

export interface ClientOptions extends TransportOptions {
  /** How long the server may be away before a call fails, from the first failure on. Default: 300. */
  readonly patienceSeconds?: number | undefined;
}

export interface Client extends Operations {
  /** Evaluates an event and waits for the decision, across lost connections and restarts, asking nobody twice. Only `verdict` ALLOW permits. */
  evaluate(input: EvaluatePolicyInput, options?: EvaluateOptions): Promise<Evaluation>;
  /** Puts a tool behind the gate. `session`: its id, or one that is created at the first call, once for each `gate`, or for each external id. */
  gate<Arguments extends object, Rest extends readonly unknown[], Result>(
    tool: Tool<Arguments, Rest, Result>,
    options: GateOptions<Arguments, Rest> & { readonly session: string | NewSession },
  ): GatedTool<Arguments, Rest, Result>;
  /** The gate for a host that runs its tools itself. `session` as with `gate`. */
  permission(options: PermissionOptions & { readonly session: string | NewSession }): Permit;
  /** Creates a session of the agent with this name. */
  openSession(session: NewSession, options?: CallOptions): Promise<Session>;
  /** What is pending, then each new ask: none missed, none twice, across reconnects. */
  watchElicitations(options?: WatchElicitationsOptions): AsyncGenerator<Elicitation, void, undefined>;
  /** Each resolution and expiry from now on; those while the connection is lost are missed. */
  watchResolutions(options?: WatchElicitationsOptions): AsyncGenerator<Elicitation, void, undefined>;
  /** All that happens in a session: none missed, none twice, across reconnects. */
  watchSessionEvents(options: WatchSessionEventsOptions): AsyncGenerator<SessionEvent, void, undefined>;
  /** `resolveElicitation` under its short name. */
  resolve(input: ResolveElicitationInput, options?: CallOptions): Promise<Elicitation>;
  /** Ends watches, and rejects what is under way with a ClosedError. It withdraws nothing: what waits can be taken up again by its key. */
  close(): void;
  [Symbol.dispose](): void;
}

/** A client of the server at `url`. Nothing is sent until it is used. */
export function createClient({ patienceSeconds = 300, ...options }: ClientOptions): Client {
  if (!URL.canParse(options.url)) throw new TypeError(`"${options.url}" is no URL. Give the server's, such as http://127.0.0.1:4000/graphql.`);
  const transport = createTransport(options);
  const calls: Calls = { transport, patienceSeconds };

  async function call(operation: Sendable, variables: object, { signal = new AbortController().signal }: CallOptions = {}): Promise<unknown> {
    const attempt = () => transport.call(operation, variables, signal);
    if (!operation.isRepeatable) return attempt();
    return persist(attempt, { seconds: patienceSeconds, isThere: () => isThere(transport), signal: AbortSignal.any([signal, transport.closed]) });
  }
  const ask = (operation: Sendable) => (variables: object = {}, callOptions?: CallOptions) => call(operation, variables, callOptions);
  const act = (operation: Sendable) => async (input: { idempotencyKey?: unknown }, callOptions?: CallOptions) =>
    succeeded(await call({ ...operation, isRepeatable: operation.isRepeatable || input.idempotencyKey != null }, { input }, callOptions));
  const operations = {
    ...Object.fromEntries(Object.entries(queries).map(([name, operation]) => [name, ask(operation)])),
    ...Object.fromEntries(Object.entries(inputOperations).map(([name, operation]) => [name, act(operation)])),
  } as unknown as Operations; // the two tables say which methods there are, and of what types

  return {
    ...operations,
    evaluate: async ({ sessionId, idempotencyKey, ...act }, evaluateOptions) =>
      evaluate(calls, { ...act, session: async () => sessionId, idempotencyKey: idempotencyKey ?? crypto.randomUUID() }, evaluateOptions),
    gate: (tool, { session, ...gateOptions }) => gate({ calls, session: sessionOf(operations, session) }, tool, gateOptions),
    permission: ({ session, ...options }) => permission({ calls, session: sessionOf(operations, session) }, options),
    openSession: (session, callOptions) => openSession(operations, session, callOptions),
    watchElicitations: (watchOptions) => watchElicitations(transport, watchOptions),
    watchResolutions: (watchOptions) => watchResolutions(transport, watchOptions),
    watchSessionEvents: (watchOptions) => watchSessionEvents(transport, watchOptions),
    resolve: operations.resolveElicitation,
    close: transport.close,
    [Symbol.dispose]: transport.close,
  };
}
