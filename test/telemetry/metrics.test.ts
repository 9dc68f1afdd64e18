import { afterEach, beforeEach, expect, it } from 'vitest';
import { startKeyedServer, type KeyedServer } from '../access/keyed-server.ts';

const createAgent = 'mutation ($input: CreateAgentInput!) { createAgent(input: $input) { ... on Agent { id } } }';
const createSession = 'mutation ($input: CreateSessionInput!) { createSession(input: $input) { ... on Session { id } } }';
const createPolicy = 'mutation ($input: CreatePolicyInput!) { createPolicy(input: $input) { __typename } }';
const evaluate = 'mutation ($input: EvaluatePolicyInput!) { evaluatePolicy(input: $input) { ... on Evaluation { verdict } } }';

let keyed: KeyedServer;
beforeEach(async () => {
  keyed = await startKeyedServer({ limits: { pendingPerPrincipal: 1 } });
});
afterEach(() => keyed.remove());

function scrape(token?: string): Promise<Response> {
  return fetch(keyed.server.url.replace('/graphql', '/metrics'), token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } });
}

it('tell what was judged, how it was found and stored, and what waits', async () => {
  const admin = await keyed.key('ADMIN');
  const agent = await keyed.key('AGENT', { owner: 'ann' });
  const { id: agentId } = await keyed.ask(admin, createAgent, { input: { name: 'agent' } });
  await keyed.ask(admin, createPolicy, { input: { target: { agentId }, name: 'os', handler: 'safety.ask_on_os_tools' } });
  const { id: sessionId } = await keyed.ask(agent, createSession, { input: { agentId } });
  const call = (name: string) => ({ input: { sessionId, waitSeconds: 0, event: { toolCall: { name, arguments: { command: 'ls' } } } } });
  for (let count = 0; count < 3; count += 1) await keyed.ask(agent, evaluate, call('search'));
  await keyed.ask(agent, evaluate, call('Bash'));
  await keyed.ask(agent, evaluate, call('Bash')); // one waits already, and one may

  const response = await scrape(await keyed.key('VIEWER'));
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  const lines = (await response.text()).split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'countersign_evaluations_total{phase="TOOL_CALL",verdict="ALLOW"} 3',
      'countersign_evaluations_total{phase="TOOL_CALL",verdict="ASK"} 1',
      'countersign_answers_total{verdict="ALLOW",decided_by="POLICY"} 3',
      'countersign_answers_total{verdict="ASK",decided_by="UNDECIDED"} 1',
      'countersign_answers_total{verdict="REFUSED",decided_by=""} 1',
      'countersign_decision_seconds_count{verdict="ALLOW"} 3',
      'countersign_commit_entries_sum 4',
      'countersign_limits_hit_total{limit="limits.pendingPerPrincipal"} 1',
      'countersign_pending_evaluations 1',
      'countersign_parked_calls 0',
      'countersign_events_up 1',
      'countersign_database_connections_used 0',
      'countersign_database_connections_waiting 0',
      'countersign_event_lag_seconds_count 0',
    ]),
  );
  expect(lines.some((line) => line.startsWith('countersign_session_views_total{found_in="memory"}'))).toBe(true);
  expect(lines.some((line) => line.startsWith('nodejs_eventloop_lag_p99_seconds'))).toBe(true);
});

it('are for a VIEWER or an ADMIN once there are keys', async () => {
  expect((await scrape()).status).toBe(401);
  expect((await scrape('no key')).status).toBe(401);
  expect((await scrape(await keyed.key('AGENT', { owner: 'ann' }))).status).toBe(403);
  expect((await scrape(await keyed.key('APPROVER'))).status).toBe(403);
  expect((await scrape(await keyed.key('ADMIN'))).status).toBe(200);
});

it('have no label that a caller could make up', async () => {
  const agent = await keyed.key('AGENT', { owner: 'ann' });
  const admin = await keyed.key('ADMIN');
  const { id: agentId } = await keyed.ask(admin, createAgent, { input: { name: 'zebra-agent' } });
  const { id: sessionId } = await keyed.ask(agent, createSession, { input: { agentId, title: 'zebra-session' } });
  await keyed.ask(agent, evaluate, { input: { sessionId, event: { toolCall: { name: 'zebra-tool', arguments: { zebra: 'zebra' } } } } });
  expect(await (await scrape(admin)).text()).not.toContain('zebra');
});
