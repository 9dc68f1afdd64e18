import { GraphQLError, type GraphQLSchema } from 'graphql';
import { createSchema } from 'graphql-yoga';
import { configOf } from '../../src/config.ts';
import { localUser } from '../../src/entities/principal.ts';
import { fullAccess } from '../../src/gate/access.ts';
import { listen } from '../../src/http/listen.ts';
import type { ServerLog } from '../../src/http/log.ts';
import { serveHttp, type HttpParts } from '../../src/http/server.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import type { ConfigOverrides } from './start-server.ts';

/** A call that the server holds until the test lets it go. */
export interface HeldCall {
  readonly signal: AbortSignal;
  release(value: string): void;
  fail(error: Error): void;
}

export interface SchemaServer {
  readonly url: string;
  readonly wsUrl: string;
  readonly baseUrl: string;
  /** Resolves once the call with this key is held. */
  held(key: string): Promise<HeldCall>;
  /** What the server logged, from debug on. */
  readonly logged: { readonly level: keyof ServerLog; readonly fields: Record<string, unknown>; readonly message: string }[];
  /** How many subscriptions run. */
  readonly running: () => number;
  readonly drain: () => void;
  readonly close: () => Promise<void>;
}

/** The real HTTP server on a real port, over a schema whose calls the test holds in its hands. */
export async function serveSchema(overrides: ConfigOverrides = {}, { health, ...parts }: Partial<Omit<HttpParts, 'health'>> & { readonly health?: Partial<HttpParts['health']> } = {}): Promise<SchemaServer> {
  const config = configOf({ port: 0, shutdownSeconds: 2, ...overrides });
  const held = new Map<string, PromiseWithResolvers<HeldCall>>();
  const slot = (key: string) => {
    const known = held.get(key) ?? Promise.withResolvers<HeldCall>();
    held.set(key, known);
    return known;
  };
  let running = 0;
  const counting = { started: () => (running += 1), ended: () => (running -= 1) };
  const listener = await listen({ host: config.host, port: config.port, connectionsMax: config.limits.connections });
  const logged: SchemaServer['logged'] = [];
  const write = (level: keyof ServerLog) => (fields: object, message: string) => void logged.push({ level, fields: { ...fields }, message });
  const server = serveHttp(listener, {
    schema: schemaOf((key, call) => slot(key).resolve(call), counting),
    contextOf: ({ signal }) => ({ signal }),
    authenticate: async () => ({ credential: 'local', principal: localUser, access: fullAccess(localUser) }),
    metrics: createMetrics(),
    health: { isDatabaseUp: async () => true, areEventsUp: () => true, isSweeping: () => true, schema: '0001-initial', ...health },
    log: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
    onLimitHit: () => undefined,
    onSignInFailed: () => undefined,
    trusted: null,
    settings: { ...config, publicUrl: config.publicUrl ?? listener.url },
    ...parts,
  });
  return {
    url: `${listener.url}/graphql`,
    wsUrl: `${listener.url.replace('http', 'ws')}/graphql`,
    baseUrl: listener.url,
    held: (key) => slot(key).promise,
    logged,
    running: () => running,
    drain: server.drain,
    close: server.close,
  };
}

interface Counting {
  readonly started: () => void;
  readonly ended: () => void;
}

function schemaOf(hold: (key: string, call: HeldCall) => void, { started, ended }: Counting): GraphQLSchema {
  const holdCall = (_: unknown, { key }: { key: string }, { signal }: { signal: AbortSignal }) =>
    new Promise<string>((release, fail) => {
      hold(key, { signal, release, fail });
      signal.addEventListener('abort', () => release('gone'));
    });
  return createSchema({
    typeDefs: /* GraphQL */ `
      type Query {
        hello: String!
        self: Query!
        echo(text: String!, number: Int, enum: Letter): String!
        hold(key: String!): String!
        bug: String
        strictBug: String!
        refuse: String
      }
      enum Letter {
        A
        B
      }
      type Mutation {
        hold(key: String!): String!
      }
      type Subscription {
        count(to: Int!): Int!
        forever: Int!
        fails: Int!
        neverStarts: Int!
        holds(key: String!): Int!
      }
    `,
    resolvers: {
      Query: {
        hello: () => 'hello',
        self: () => ({}),
        echo: (_: unknown, { text }: { text: string }) => text,
        hold: holdCall,
        bug: () => {
          throw new Error('the password is hunter2');
        },
        strictBug: () => {
          throw new Error('the password is hunter2');
        },
        refuse: () => {
          throw new GraphQLError('No, because.', { extensions: { code: 'NO' } });
        },
      },
      Mutation: { hold: holdCall },
      Subscription: {
        count: {
          subscribe: async function* (_: unknown, { to }: { to: number }) {
            for (let count = 1; count <= to; count += 1) yield { count };
          },
        },
        forever: {
          subscribe: async function* (_: unknown, _args: unknown, { signal }: { signal: AbortSignal }) {
            started();
            try {
              yield { forever: 1 };
              await new Promise((resolve) => signal.addEventListener('abort', resolve));
            } finally {
              ended();
            }
          },
        },
        fails: {
          subscribe: async function* () {
            yield { fails: 1 };
            throw new Error('the password is hunter2');
          },
        },
        neverStarts: {
          subscribe: async () => {
            throw new Error('the password is hunter2');
          },
        },
        holds: {
          subscribe: async (source: unknown, args: { key: string }, context: { signal: AbortSignal }) => {
            await holdCall(source, args, context);
            return (async function* () {
              yield { holds: 1 };
            })();
          },
        },
      },
    },
  });
}
