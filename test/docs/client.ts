import { post } from '../support/post.ts';

/** What a reader of the documentation does with a server, besides what he is reading about. */
export interface Client {
  /** The value of an operation's only field. */
  ask(query: string, variables?: object): ReturnType<Response['json']>;
  /** A session of a new agent, whose OS tools ask. Gives its id. */
  startAskingSession(): Promise<string>;
  /** The only pending elicitation of the session, as soon as there is one. */
  pendingOf(sessionId: string): ReturnType<Response['json']>;
  resolve(input: { elicitationId: string; action: string; [field: string]: unknown }): Promise<string>;
}

let agents = 0;

export function clientOf(url: string): Client {
  async function ask(query: string, variables: object = {}) {
    const { data, errors } = (await (await post(url, query, { variables })).json()) as { data?: object; errors?: unknown };
    if (!data || errors !== undefined) throw new Error(JSON.stringify(errors));
    const [value] = Object.values(data);
    return value;
  }

  return {
    ask,
    async startAskingSession() {
      agents += 1;
      const { id: agentId } = await ask('mutation ($name: String!) { createAgent(input: { name: $name }) { ... on Agent { id } } }', { name: `agent ${agents}` });
      const { id: sessionId } = await ask('mutation ($agentId: ID!) { createSession(input: { agentId: $agentId }) { ... on Session { id } } }', { agentId });
      await ask('mutation ($sessionId: ID!) { createPolicy(input: { target: { sessionId: $sessionId }, name: "os tools", handler: "safety.ask_on_os_tools" }) { __typename } }', { sessionId });
      return sessionId;
    },
    async pendingOf(sessionId) {
      const until = Date.now() + 20_000;
      for (;;) {
        const { pendingElicitations } = await ask('query ($id: ID!) { session(id: $id) { pendingElicitations { id phase event digest session { id } } } }', { id: sessionId });
        if (pendingElicitations.length === 1) return pendingElicitations[0];
        if (Date.now() > until) throw new Error(`${pendingElicitations.length} elicitations are pending, where one was awaited.`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    resolve: async (input) =>
      (await ask('mutation ($input: ResolveElicitationInput!) { resolveElicitation(input: $input) { __typename ... on Elicitation { status } } }', { input })).status,
  };
}
