import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Client } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../crash/connect.ts';
import { startSecretServer, type SecretServer } from './secret-server.ts';
import type { Wire } from './keyed-server.ts';
import { quoting } from './quoting-policy.ts';

/** Put together here, so that no scanner takes this file for a leak. */
const of = (prefix: string, rest: string) => `${prefix}${rest}`;

/** None of them is any word that the server says by itself. */
const secrets = {
  password: 'hunter2-Zebra-Quilt',
  bearer: of('kQ7vX2mB9s', 'L4tR6wY1'),
  jwt: ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiJ3YWxydXMifQ', 'c2lnbmF0dXJlLW9mLXdhbHJ1cw'].join('.'),
  aws: of('AKIA', 'WALRUS23QUILT456'),
  google: of('AIza', 'SyWalrusQuiltZebra0123456789abcdefg'),
  github: of('ghp_', 'WalrusQuiltZebra0123456789abcdefghij'),
  slack: of('xoxb-', '998877665544-WalrusQuilt'),
  openai: of('sk-proj-', 'WalrusQuiltZebra0123456789'),
  anthropic: of('sk-ant-', 'api03-WalrusQuiltZebra9876'),
  pem: 'MIIEwalrusQuiltZebraPrivateKeyBytes0123456789',
  url: 'p4ss-Of-Walrus-Db',
  countersign: of('csk_', 'WalrusQuiltZebraCountersign0123456789abcde'),
  edited: 'newSecret-Of-The-Approver',
} as const;

/** What of a secret must be nowhere: its prefix tells the kind, and may stay. */
const needles = [...Object.values(secrets).map((secret) => secret.replace(/^(?:AKIA|AIza|ghp_|xoxb-|sk-proj-|sk-ant-|csk_)/, '')), 'c2lnbmF0dXJlLW9mLXdhbHJ1cw', 'eyJzdWIiOiJ3YWxydXMifQ'];

const args = {
  command: `curl -H "Authorization: Bearer ${secrets.bearer}" https://bob:${secrets.url}@db.example/x && run --password ${secrets.password} --force`,
  env: { GITHUB: secrets.github, nested: [{ db_password: secrets.password, deep: JSON.stringify({ apiKey: secrets.aws, list: [secrets.google, JSON.stringify({ client_secret: secrets.slack })] }) }] },
  [secrets.jwt]: 'a key of an object',
  file: `-----BEGIN RSA PRIVATE KEY-----\n${secrets.pem}\n-----END RSA PRIVATE KEY-----\n`,
  note: `${secrets.openai} ${secrets.anthropic} ${secrets.countersign} AWS ${secrets.aws}`,
};

let server: SecretServer;
let client: Client;
const frames: unknown[] = [];
const answersToAgent: Wire[] = [];
let sessionId = '';

beforeAll(async () => {
  server = await startSecretServer();
  client = connect(server.wsUrl, { retryAttempts: 50 });
});

afterAll(async () => {
  await client.dispose();
  await server.remove();
});

const evaluationFields = '__typename ... on Evaluation { id verdict status reason data event maskedPaths elicitation { id message contentPreview event digest maskedPaths requestedSchema resolution { comment content editedArguments } } } ... on Error { message }';
const evaluate = (input: object) => server.ask(`mutation ($input: EvaluatePolicyInput!) { evaluatePolicy(input: $input) { ${evaluationFields} } }`, { input: { sessionId, ...input } });
const toolCall = (more: object = {}, name = 'Bash') => ({ toolCall: { name, arguments: { ...args, ...more } } });

const watch = (field: string) => {
  void (async () => {
    const query = `subscription { ${field} { id message contentPreview event maskedPaths policyNames session { title state labels agent { name description } } evaluations { reason data event } resolution { comment content editedArguments } } }`;
    for await (const frame of client.iterate({ query })) frames.push(frame);
  })().catch((error: unknown) => frames.push(error));
};

const frameOf = (elicitationId: string, field: string) => expect.poll(() => JSON.stringify(frames).includes(`"${field}":{"id":"${elicitationId}"`), { timeout: 5000 }).toBe(true);

async function pendingElicitation(): Promise<Wire> {
  await expect.poll(async () => (await server.ask('query ($id: ID!) { session(id: $id) { pendingElicitations { id } } }', { id: sessionId })).pendingElicitations.length, { timeout: 5000 }).toBe(1);
  const [{ id }] = (await server.ask('query ($id: ID!) { session(id: $id) { pendingElicitations { id } } }', { id: sessionId })).pendingElicitations;
  return server.ask('query ($id: ID!) { elicitation(id: $id) { id message contentPreview event maskedPaths digest } }', { id });
}

const resolve = (input: object) => server.ask('mutation ($input: ResolveElicitationInput!) { resolveElicitation(input: $input) { __typename ... on Elicitation { id resolution { comment editedArguments content } } ... on Error { message } ... on EditRefusedError { issues { path message } } } }', { input });

describe('secrets', { timeout: 60_000 }, () => {
  it('stay out of names', async () => {
    const agent = await server.ask('mutation ($input: CreateAgentInput!) { createAgent(input: $input) { ... on Agent { id name description } ... on Error { message } } }', { input: { name: `agent ${secrets.github}`, description: `its key is ${secrets.openai}` } });
    expect(agent).toMatchObject({ name: 'agent ghp_********', description: 'its key is sk-proj-********' });
    const session = await server.ask('mutation ($input: CreateSessionInput!) { createSession(input: $input) { ... on Session { id title labels } } }', { input: { agentId: agent.id, title: `work with ${secrets.slack}`, labels: { env: secrets.aws }, harness: secrets.google } });
    expect(session).toMatchObject({ title: 'work with xoxb-********', labels: { env: 'AKIA********' } });
    sessionId = session.id;
    for (const [name, handler] of [['os tools', 'safety.ask_on_os_tools'], ['quoting', quoting.name]]) {
      await server.ask('mutation ($input: CreatePolicyInput!) { createPolicy(input: $input) { __typename ... on Policy { id } ... on Error { message } } }', { input: { target: { sessionId }, name: `${name} ${secrets.anthropic}`, handler } });
    }
    watch('elicitationRequested');
    watch('elicitationResolved');
  });

  it('reach the agent again in the arguments that it is to use, edited or not, and nobody else', async () => {
    const call = evaluate({ event: toolCall(), idempotencyKey: 'first' });
    const shown = await pendingElicitation();
    expect(shown.event.data.arguments).toMatchObject({ env: { GITHUB: 'ghp_********', nested: [{ db_password: '********' }] } });
    expect(shown.event.data.arguments.command).toBe('curl -H "Authorization: ********" https://bob:********@db.example/x && run --password ******** --force');
    expect(shown.maskedPaths).toContain('/event/data/arguments/env/nested/0/db_password');
    await frameOf(shown.id, 'elicitationRequested');
    const editedArguments = { ...shown.event.data.arguments, command: 'echo', env: { ...shown.event.data.arguments.env, token: secrets.edited } };
    const resolved = await resolve({ elicitationId: shown.id, action: 'ACCEPT', expectedDigest: shown.digest, editedArguments, comment: `with ${secrets.github}` });
    expect(resolved).toMatchObject({ resolution: { comment: 'with ghp_********', editedArguments: { command: 'echo', env: { token: '********' } } } });
    const answer = await call;
    answersToAgent.push(answer.data);
    expect(answer).toMatchObject({ verdict: 'ALLOW', data: { name: 'Bash', arguments: { ...args, command: 'echo', env: { ...args.env, token: secrets.edited } } } });
    await frameOf(shown.id, 'elicitationResolved');
    expect(await evaluate({ event: toolCall(), idempotencyKey: 'first' })).toMatchObject({ verdict: 'ALLOW', data: answer.data });
  });

  it('stay out of reasons that quote them, of what policies remember, and of denials', async () => {
    const denied = await evaluate({ event: toolCall({ please: 'deny' }, 'quote') });
    expect(denied).toMatchObject({ verdict: 'DENY', reason: expect.stringContaining('********') });
    const failed = await evaluate({ event: toolCall({ please: 'throw' }, 'quote') });
    expect(failed).toMatchObject({ verdict: 'DENY' });
    const allowed = await evaluate({ event: toolCall({ please: 'remember' }, 'quote') });
    answersToAgent.push(allowed.data);
    expect(allowed).toMatchObject({ verdict: 'ALLOW', data: { arguments: { ...args, seen: true } } });
    const text = JSON.stringify([denied, failed, { ...allowed, data: null }]);
    for (const needle of needles) expect(text).not.toContain(needle);
  });

  it('stay out of previews, simulations and error answers', async () => {
    const decision = '__typename ... on EvaluationPreview { verdict reason data stateUpdates { key value } labelWrites steps { reason } } ... on Error { message }';
    const answers = [
      ...(await Promise.all(['deny', 'remember'].map((please) => server.ask(`query ($input: PreviewEvaluationInput!) { previewEvaluation(input: $input) { ${decision} } }`, { input: { sessionId, event: toolCall({ please }, 'quote') } })))),
      await server.ask(`query ($input: SimulatePolicyInput!) { simulatePolicy(input: $input) { ${decision} } }`, { input: { handler: quoting.name, event: toolCall({ please: 'deny' }, 'quote') } }),
      await evaluate({ event: toolCall({ other: true }), idempotencyKey: 'first' }),
      await server.ask('query ($id: ID!) { session(id: $id) { title state labels harness agent { name } evaluations { edges { node { event data reason } } } } }', { id: sessionId }),
      await evaluate({ event: { toolResult: { name: 'Bash', result: `PASSWORD=${secrets.password}\n${JSON.stringify({ token: secrets.slack })}`, call: { name: 'Bash', arguments: args } } } }),
    ];
    expect(answers.map(({ __typename }) => __typename)).toEqual(['EvaluationPreview', 'EvaluationPreview', 'EvaluationPreview', 'IdempotencyKeyReusedError', undefined, 'Evaluation']);
    for (const needle of needles) expect(JSON.stringify(answers)).not.toContain(needle);
  });

  it('come back from the caller, not from the database, after a restart: an ask goes on, an edit with marks is understood again', async () => {
    const ticket = await evaluate({ event: toolCall({ n: 1 }), idempotencyKey: 'second', waitSeconds: 0 });
    expect(ticket).toMatchObject({ verdict: 'ASK', status: 'AWAITING_APPROVAL' });
    await server.restart();
    const shown = await pendingElicitation();
    const edit = { elicitationId: shown.id, action: 'ACCEPT', editedArguments: { ...shown.event.data.arguments, command: 'ls' } };
    expect(await resolve(edit)).toMatchObject({ __typename: 'EditRefusedError', message: expect.stringContaining('nothing to put') });
    expect(await evaluate({ event: toolCall({ n: 1 }), idempotencyKey: 'second', waitSeconds: 0 })).toMatchObject({ id: ticket.id, verdict: 'ASK' });
    expect(await resolve(edit)).toMatchObject({ __typename: 'Elicitation' });
    await server.restart();
    const answer = await evaluate({ event: toolCall({ n: 1 }), idempotencyKey: 'second', waitSeconds: 0 });
    answersToAgent.push(answer.data);
    expect(answer).toMatchObject({ verdict: 'ALLOW', data: { arguments: { ...args, n: 1, command: 'ls' } } });
  });

  it('are nowhere but in the answers to the agent', async () => {
    await client.dispose(); // while there is a server: it would come back for ever
    await server.stop();
    expect(JSON.stringify(answersToAgent)).toContain(secrets.password);
    const places: Record<string, string> = { frames: JSON.stringify(frames), stderr: server.stderr() };
    for (const name of await readdir(server.folder)) places[name] = await readFile(path.join(server.folder, name), 'latin1');
    expect(Object.keys(places)).toEqual(expect.arrayContaining(['countersign.db', 'countersign.db.key', 'stderr', 'frames']));
    expect(places['stderr']).toContain('a policy failed to judge an event');
    const secretKey = places['countersign.db.key']?.trim() ?? '';
    const found = Object.entries(places).flatMap(([place, text]) => needles.filter((needle) => text.includes(needle)).map((needle) => `${needle} in ${place}`));
    expect(found).toEqual([]);
    expect(secretKey.length).toBeGreaterThanOrEqual(43);
    for (const [place, text] of Object.entries(places)) if (place !== 'countersign.db.key') expect(text, place).not.toContain(secretKey);
  });
});
