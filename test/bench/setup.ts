import { randomUUID } from 'node:crypto';
import type { BenchClient } from './client.ts';
import { createAgent, createPolicy, createSession } from './documents.ts';

interface Created {
  readonly id?: string;
  readonly message?: string;
}

/** A session with three policies: two that let all but OS tools pass, and one that asks for those. */
export async function setUpSession(client: BenchClient): Promise<string> {
  const agent = await create(client, createAgent, { name: `bench ${randomUUID()}` });
  const session = await create(client, createSession, { agentId: agent });
  const policies = [
    { name: 'os', handler: 'safety.ask_on_os_tools' },
    { name: 'skills', handler: 'safety.block_skills', params: { blocked: ['deploy'] } },
    { name: 'more skills', handler: 'safety.block_skills', params: { blocked: ['rm'] } },
  ];
  for (const policy of policies) await create(client, createPolicy, { target: { sessionId: session }, ...policy });
  return session;
}

async function create(client: BenchClient, document: string, input: object): Promise<string> {
  const { id, message } = await client.call<Created>(document, { input });
  if (id === undefined) throw new Error(message);
  return id;
}

export const allowedCall = (sessionId: string) => ({ input: { sessionId, event: { toolCall: { name: 'web_search', arguments: { q: 'the weather in Lisbon' } } } } });

export const askedCall = (sessionId: string) => ({ input: { sessionId, event: { toolCall: { name: 'Bash', arguments: { command: 'ls -la' } } } } });
