import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import { createPubSub, createSchema, createYoga, type YogaServerInstance } from 'graphql-yoga';
import { useServer } from 'graphql-ws/use/ws';
import type { ExecutionArgs } from 'graphql';
import { WebSocketServer } from 'ws';

/** What Countersign is measured against: Yoga and graphql-ws as they come, the same SDL, an ALLOW that is a constant, an ask held in memory. */
const events = createPubSub<{ asked: [object]; [decided: `decided:${string}`]: [string] }>();
let asks = 0;

const allowed = {
  __typename: 'Evaluation',
  id: 'evl_01m8qtxkb3ecsb9gww0rrqpnav',
  verdict: 'ALLOW',
  status: 'DECIDED',
  decidedBy: 'POLICY',
  reason: null,
  decidingPolicies: [],
  data: null,
};

interface EvaluateArguments {
  readonly input: { readonly event: { readonly toolCall?: { readonly name: string } } };
}

const schema = createSchema({
  typeDefs: await readFile(new URL('../../schema.graphql', import.meta.url), 'utf8'),
  resolvers: {
    Mutation: {
      evaluatePolicy: async (_: unknown, { input }: EvaluateArguments) => {
        if (input.event.toolCall?.name !== 'Bash') return allowed;
        asks += 1;
        const id = `elc_${asks}`;
        const answer = events.subscribe(`decided:${id}`)[Symbol.asyncIterator]();
        const action = answer.next();
        events.publish('asked', { id, message: 'May it?', __typename: 'Elicitation' });
        const { value } = await action;
        return { ...allowed, verdict: value === 'ACCEPT' ? 'ALLOW' : 'DENY' };
      },
      resolveElicitation: (_: unknown, { input }: { input: { elicitationId: string; action: string } }) => {
        events.publish(`decided:${input.elicitationId}`, input.action);
        return { __typename: 'Elicitation', id: input.elicitationId, status: 'ACCEPTED' };
      },
    },
    Subscription: { elicitationRequested: { subscribe: () => events.subscribe('asked'), resolve: (elicitation: unknown) => elicitation } },
  },
});

const yoga: YogaServerInstance<object, object> = createYoga({ schema, logging: false });
const server = createServer((request, response) => void yoga(request, response));
const webSockets = new WebSocketServer({ server, path: '/graphql' });
type Enveloped = ReturnType<typeof yoga.getEnveloped> & { rootValue: Pick<ReturnType<typeof yoga.getEnveloped>, 'execute' | 'subscribe'> };
useServer(
  {
    execute: (args) => (args as unknown as Enveloped).rootValue.execute(args),
    subscribe: (args) => (args as unknown as Enveloped).rootValue.subscribe(args),
    onSubscribe: async (context, _id, params) => {
      const { schema: enveloped, execute, subscribe, contextFactory, parse, validate } = yoga.getEnveloped({ ...context, params });
      const document = parse(params.query);
      const args: ExecutionArgs = {
        schema: enveloped,
        operationName: params.operationName ?? null,
        document,
        variableValues: params.variables ?? null,
        contextValue: await contextFactory(),
        rootValue: { execute, subscribe },
      };
      const errors = validate(args.schema, args.document);
      return errors.length > 0 ? errors : args;
    },
  },
  webSockets,
);
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`bare yoga ready http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql\n`);
});
