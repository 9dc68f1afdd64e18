import { AsyncLocalStorage } from 'node:async_hooks';
import { execute, parse, subscribe, validate, type ExecutionArgs, type ExecutionResult } from 'graphql';
import { vi } from 'vitest';
import { localUser, type Principal } from '../../src/entities/principal.ts';
import { fullAccess, type Access } from '../../src/gate/access.ts';
import type { Gate } from '../../src/gate/gate.ts';
import type { Gatehouse } from '../../src/gate/gatehouse.ts';
import { createContext } from '../../src/graphql/context.ts';
import { schema } from '../../src/graphql/schema.ts';
import { openTestGate, type TestGate, type TestGateOptions } from '../support/open-gate.ts';

/** What a client reads off the wire: judged by assertions, not by a type. */
export type Wire = ReturnType<JSON['parse']>;

/** The schema over a real gate on in-memory SQLite. */
export interface Api extends TestGate {
  /** The data of an operation; throws what its errors say. */
  run(document: string, variables?: object, caller?: Caller): Promise<Wire>;
  /** The value of an operation's only field. */
  ask(document: string, variables?: object, caller?: Caller): Promise<Wire>;
  /** The whole answer, errors and all. */
  answer(document: string, variables?: object, caller?: Caller): Promise<ExecutionResult<Wire>>;
  subscribe(document: string, variables?: object, caller?: Caller): Promise<AsyncGenerator<ExecutionResult<Wire>>>;
  /** How many statements the database has got since the last call. */
  statementCount(): number;
}

export interface Caller {
  readonly principal?: Principal;
  readonly access?: Access;
  readonly signal?: AbortSignal;
  /** Looks at things so much later, before any sweep. Default 0. */
  readonly secondsLater?: number;
}

function ahead(gate: Gate, seconds: number): Gate {
  return Object.defineProperties({} as Gate, { ...Object.getOwnPropertyDescriptors(gate), now: { value: () => new Date(gate.now().getTime() + seconds * 1000) } });
}

export async function openApi(options: TestGateOptions = {}): Promise<Api> {
  const gate = await openTestGate(options);
  // Below both the entity manager and plain rows. What the server does by itself meanwhile is nobody's.
  const running = new AsyncLocalStorage<{ statements: number }>();
  let counted = { statements: 0 };
  const executor = gate.orm.em.getKysely().getExecutor();
  const executeQuery = executor.executeQuery.bind(executor);
  vi.spyOn(executor, 'executeQuery').mockImplementation((...args) => {
    const operation = running.getStore();
    if (operation) operation.statements += 1;
    return executeQuery(...args);
  });

  function operation(document: string, variables: object, { principal = localUser, access = fullAccess(principal), signal = new AbortController().signal, secondsLater = 0 }: Caller): ExecutionArgs {
    const parsed = parse(document);
    const errors = validate(schema, parsed);
    if (errors.length > 0) throw new AggregateError(errors, errors.map(({ message }) => message).join('\n'));
    const gatehouse: Pick<Gatehouse, 'open'> = { open: (caller) => ahead(gate.house.open(caller), secondsLater) };
    return { schema, document: parsed, variableValues: { ...variables }, contextValue: createContext({ gatehouse, principal, access, signal, log: gate.log, rate: async () => 0, turn: async () => undefined }) };
  }

  async function answer(document: string, variables: object = {}, caller: Caller = {}): Promise<ExecutionResult<Wire>> {
    return running.run(counted, async () => execute(operation(document, variables, caller)));
  }

  async function run(document: string, variables?: object, caller?: Caller): Promise<Wire> {
    const { data, errors } = await answer(document, variables, caller);
    if (errors) throw new AggregateError(errors, errors.map(({ message }) => message).join('\n'));
    return JSON.parse(JSON.stringify(data)); // as a client gets it
  }

  return Object.assign(Object.create(gate) as TestGate, {
    answer,
    run,
    ask: async (document: string, variables?: object, caller?: Caller) => Object.values(await run(document, variables, caller))[0],
    async subscribe(document: string, variables: object = {}, caller: Caller = {}) {
      const result = await subscribe(operation(document, variables, caller));
      if (Symbol.asyncIterator in result) return result as AsyncGenerator<ExecutionResult<Wire>>;
      throw new AggregateError(result.errors ?? [], 'The subscription was refused.');
    },
    statementCount() {
      const { statements } = counted;
      counted = { statements: 0 };
      return statements;
    },
  });
}
