import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessTable } from '../../src/graphql/access-table.ts';
import { roles, type Role } from '../../src/entities/role.ts';
import { schema } from '../../src/graphql/schema.ts';
import { startKeyedServer, transports, type KeyedServer, type Transport, type Wire } from './keyed-server.ts';

/** What comes of a field: it is answered; ForbiddenError; a FORBIDDEN error; nothing, as if it were not there. */
type Answer = 'yes' | 'forbidden' | 'refused' | 'nothing';

interface Row {
  readonly document: string;
  readonly variables?: (world: World) => object;
  /** In the order of `roles`: AGENT, APPROVER, ADMIN, VIEWER. */
  readonly answers: readonly [Answer, Answer, Answer, Answer];
}

const input = (type: string, field: string, kind = 'mutation') => `${kind} ($input: ${type}!) { ${field}(input: $input) { __typename ... on Error { message } } }`;
const byId = (field: string, selection = 'id') => `query ($id: ID!) { ${field}(id: $id) { ${selection} } }`;
const event = { toolCall: { name: 'Bash', arguments: { command: 'ls' } } };
const everyone: Row['answers'] = ['yes', 'yes', 'yes', 'yes'];
const agentsAndAdmins: Row['answers'] = ['yes', 'forbidden', 'yes', 'forbidden'];
const adminsOnly: Row['answers'] = ['forbidden', 'forbidden', 'yes', 'forbidden'];
const notAgents: Row['answers'] = ['nothing', 'yes', 'yes', 'yes'];

let count = 0;
const unused = (noun: string) => `${noun} ${(count += 1)}`;

/** Every field that is not for everyone, and every root field, with each argument that has a rule of its own. */
const rows: Readonly<Record<string, Row>> = {
  'Query.viewer': { document: '{ viewer { id } }', answers: everyone },
  'Query.viewerRoles': { document: '{ viewerRoles }', answers: everyone },
  'Query.node': { document: byId('node'), variables: ({ session }) => ({ id: session }), answers: everyone },
  'Query.node(id of a policy)': { document: byId('node'), variables: ({ policy }) => ({ id: policy }), answers: notAgents },
  'Query.node(id of a key)': { document: byId('node'), variables: ({ keyId }) => ({ id: keyId }), answers: ['nothing', 'nothing', 'yes', 'nothing'] },
  'Query.agent': { document: byId('agent'), variables: ({ agent }) => ({ id: agent }), answers: everyone },
  'Query.agents': { document: '{ agents { edges { node { id } } } }', answers: everyone },
  'Query.session': { document: byId('session'), variables: ({ session }) => ({ id: session }), answers: everyone },
  'Query.sessions': { document: '{ sessions { edges { node { id } } } }', answers: everyone },
  'Query.policy': { document: byId('policy'), variables: ({ policy }) => ({ id: policy }), answers: notAgents },
  'Query.serverPolicies': { document: '{ serverPolicies { id } }', answers: notAgents },
  'Query.serverLabelDefinitions': { document: '{ serverLabelDefinitions { key } viewer { id } }', answers: everyone },
  'Query.policyRegistry': { document: '{ policyRegistry { name } }', answers: everyone },
  'Query.evaluation': { document: byId('evaluation'), variables: ({ evaluation }) => ({ id: evaluation }), answers: everyone },
  'Query.elicitation': { document: byId('elicitation'), variables: ({ elicitation }) => ({ id: elicitation }), answers: everyone },
  'Query.elicitations': { document: '{ elicitations { edges { node { id } } } }', answers: everyone },
  'Query.previewEvaluation': { document: input('PreviewEvaluationInput', 'previewEvaluation', 'query'), variables: ({ session }) => ({ input: { sessionId: session, event } }), answers: ['forbidden', 'yes', 'yes', 'forbidden'] },
  'Query.simulatePolicy': { document: input('SimulatePolicyInput', 'simulatePolicy', 'query'), variables: () => ({ input: { handler: 'safety.ask_on_os_tools', event } }), answers: ['forbidden', 'yes', 'yes', 'forbidden'] },
  'Query.apiKeys': { document: '{ apiKeys { edges { node { id } } } }', answers: ['refused', 'refused', 'yes', 'refused'] },
  'Query.auditLog': { document: '{ auditLog { edges { node { id } } } }', answers: ['refused', 'refused', 'yes', 'refused'] },
  'Mutation.createSession': { document: input('CreateSessionInput', 'createSession'), variables: ({ agent }) => ({ input: { agentId: agent } }), answers: agentsAndAdmins },
  'Mutation.updateSession': { document: input('UpdateSessionInput', 'updateSession'), variables: ({ session }) => ({ input: { sessionId: session, title: 'x' } }), answers: agentsAndAdmins },
  'Mutation.endSession': { document: input('EndSessionInput', 'endSession'), variables: ({ spareSession }) => ({ input: { sessionId: spareSession } }), answers: agentsAndAdmins },
  'Mutation.recordUsage': { document: input('RecordUsageInput', 'recordUsage'), variables: ({ session }) => ({ input: { sessionId: session, costUsd: 1 } }), answers: agentsAndAdmins },
  'Mutation.evaluatePolicy': { document: input('EvaluatePolicyInput', 'evaluatePolicy'), variables: ({ otherSession }) => ({ input: { sessionId: otherSession, event: { response: { content: 'x' } }, waitSeconds: 0 } }), answers: agentsAndAdmins },
  'Mutation.withdrawEvaluation': { document: input('WithdrawEvaluationInput', 'withdrawEvaluation'), variables: ({ withdrawn }) => ({ input: { evaluationId: withdrawn } }), answers: agentsAndAdmins },
  'Mutation.resolveElicitation(action: ACCEPT)': { document: input('ResolveElicitationInput', 'resolveElicitation'), variables: ({ accepted }) => ({ input: { elicitationId: accepted, action: 'ACCEPT' } }), answers: ['forbidden', 'yes', 'yes', 'forbidden'] },
  'Mutation.resolveElicitation(action: DECLINE)': { document: input('ResolveElicitationInput', 'resolveElicitation'), variables: ({ declined }) => ({ input: { elicitationId: declined, action: 'DECLINE' } }), answers: ['yes', 'yes', 'yes', 'forbidden'] },
  'Mutation.resolveElicitations(action: ACCEPT)': { document: input('ResolveElicitationsInput', 'resolveElicitations'), variables: ({ accepted }) => ({ input: { ids: [accepted], action: 'ACCEPT' } }), answers: ['forbidden', 'yes', 'yes', 'forbidden'] },
  'Mutation.resolveElicitations(action: CANCEL)': { document: input('ResolveElicitationsInput', 'resolveElicitations'), variables: ({ declined }) => ({ input: { ids: [declined], action: 'CANCEL' } }), answers: ['yes', 'yes', 'yes', 'forbidden'] },
  'Mutation.createAgent': { document: input('CreateAgentInput', 'createAgent'), variables: () => ({ input: { name: unused('agent') } }), answers: adminsOnly },
  'Mutation.updateAgent': { document: input('UpdateAgentInput', 'updateAgent'), variables: ({ agent }) => ({ input: { agentId: agent, description: 'x' } }), answers: adminsOnly },
  'Mutation.createPolicy': { document: input('CreatePolicyInput', 'createPolicy'), variables: ({ otherSession }) => ({ input: { target: { sessionId: otherSession }, name: unused('policy'), handler: 'safety.ask_on_os_tools' } }), answers: adminsOnly },
  'Mutation.updatePolicy': { document: input('UpdatePolicyInput', 'updatePolicy'), variables: ({ policy }) => ({ input: { policyId: policy, enabled: true } }), answers: adminsOnly },
  'Mutation.deletePolicy': { document: input('DeletePolicyInput', 'deletePolicy'), variables: () => ({ input: { policyId: 'pol_unknown' } }), answers: adminsOnly },
  'Mutation.createApiKey': { document: input('CreateApiKeyInput', 'createApiKey'), variables: () => ({ input: { name: unused('key'), role: 'ADMIN' } }), answers: adminsOnly },
  'Mutation.revokeApiKey': { document: input('RevokeApiKeyInput', 'revokeApiKey'), variables: ({ keyId }) => ({ input: { keyId } }), answers: adminsOnly },
  'Subscription.elicitationRequested': { document: 'subscription ($id: ID!) { elicitationRequested(sessionId: $id) { id } }', variables: ({ session }) => ({ id: session }), answers: everyone },
  'Subscription.elicitationResolved': { document: 'subscription { elicitationResolved { id } }', answers: everyone },
  'Subscription.sessionEvents': { document: 'subscription ($id: ID!) { sessionEvents(sessionId: $id) { cursor } }', variables: ({ session }) => ({ id: session }), answers: everyone },
  'Subscription.inboxEvents': { document: 'subscription { inboxEvents { cursor } }', answers: everyone },
  'Agent.policies': { document: byId('agent', 'policies { id }'), variables: ({ agent }) => ({ id: agent }), answers: notAgents },
  'Session.policies': { document: byId('session', 'policies { id }'), variables: ({ session }) => ({ id: session }), answers: notAgents },
  'Session.effectivePolicies': { document: byId('session', 'effectivePolicies { id }'), variables: ({ session }) => ({ id: session }), answers: notAgents },
};

/** What can only be reached through a field that has a row. */
const within = ['ApiKey', 'ApiKeyConnection', 'ApiKeyEdge', 'AuditEntry', 'AuditEntryConnection', 'AuditEntryEdge', 'CreatedApiKey'];

interface World {
  readonly agent: string;
  readonly session: string;
  readonly spareSession: string;
  readonly otherSession: string;
  readonly policy: string;
  readonly keyId: string;
  readonly evaluation: string;
  readonly elicitation: string;
  readonly withdrawn: string;
  readonly accepted: string;
  readonly declined: string;
}

let keyed: KeyedServer;
let world: World;
const tokens = new Map<Role, string>();

beforeAll(async () => {
  keyed = await startKeyedServer({ labelDefinitions: [{ key: 'env' }] });
  for (const role of roles) tokens.set(role, await keyed.key(role));
  const admin = tokens.get('ADMIN') ?? '';
  const agentToken = tokens.get('AGENT') ?? '';
  const create = (token: string, field: string, value: object): Promise<string> => {
    const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input`;
    return keyed.ask(token, `mutation ($input: ${type}!) { ${field}(input: $input) { ... on Node { id } ... on Error { message } } }`, { input: value }).then(({ id }: Wire) => id);
  };
  const agent = await create(admin, 'createAgent', { name: 'the agent' });
  const session = await create(agentToken, 'createSession', { agentId: agent });
  const policy = await create(admin, 'createPolicy', { target: { server: true }, name: 'os', handler: 'safety.ask_on_os_tools' });
  await create(admin, 'createPolicy', { target: { agentId: agent }, name: 'os', handler: 'safety.ask_on_os_tools' });
  await create(admin, 'createPolicy', { target: { sessionId: session }, name: 'os', handler: 'safety.ask_on_os_tools' });
  const ask = () =>
    keyed.ask(agentToken, 'mutation ($input: EvaluatePolicyInput!) { evaluatePolicy(input: $input) { ... on Evaluation { id elicitation { id } } } }', { input: { sessionId: session, event, waitSeconds: 0 } });
  const first = await ask();
  world = {
    agent,
    session,
    policy,
    spareSession: await create(agentToken, 'createSession', { agentId: agent }),
    otherSession: await create(agentToken, 'createSession', { agentId: agent }),
    keyId: (await keyed.ask(admin, '{ apiKeys { edges { node { id name } } } }')).edges.find(({ node }: Wire) => node.name === 'the first').node.id,
    evaluation: first.id,
    elicitation: first.elicitation.id,
    withdrawn: (await ask()).id,
    accepted: (await ask()).elicitation.id,
    declined: (await ask()).elicitation.id,
  };
});
afterAll(() => keyed.remove());

it('has a row for every field that somebody may not use, and for every root field', () => {
  const restricted = Object.entries(accessTable).flatMap(([type, grants]) => grants.flatMap(({ to, fields }) => (to === 'everyone' ? [] : fields.split(' ').map((field) => `${type}.${field}`))));
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].flatMap((type) => Object.keys(type?.getFields() ?? {}).map((field) => `${type?.name ?? ''}.${field}`));
  const needed = new Set([...restricted.filter((name) => !within.includes(name.split('.')[0] ?? '')), ...roots]);
  const present = new Set(Object.keys(rows).map((name) => name.replace(/\(.*/, '')));
  expect(present).toEqual(needed);
});

function answerOf({ data, errors }: Wire): Answer {
  if (errors?.some(({ extensions }: Wire) => extensions.code === 'FORBIDDEN')) return 'refused';
  if (errors) throw new Error(JSON.stringify(errors));
  const [value] = Object.values(data as Record<string, Wire>);
  if (value?.__typename === 'ForbiddenError') return 'forbidden';
  const inner = value && typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length === 1 ? Object.values(value)[0] : value;
  return value === null || (Array.isArray(inner) && inner.length === 0) ? 'nothing' : 'yes';
}

describe.each(transports)('over %s', (transport: Transport) => {
  const cases = Object.entries(rows).flatMap(([name, row]) => roles.map((role, index) => ({ name, row, role, wanted: row.answers[index] })));
  const oneAnswer = cases.filter(({ name }) => name !== 'Subscription.elicitationResolved' && (transport !== 'SSE' || name.startsWith('Subscription')));

  it.each(oneAnswer)('$name answers an $role: $wanted', async ({ row, role, wanted }) => {
    const answer = await keyed.send(tokens.get(role) ?? '', row.document, { transport, variables: row.variables?.(world) ?? {} });
    expect(answerOf(answer)).toBe(wanted);
  });

  it.each([
    ['no credential', null],
    ['a credential that nobody was given', 'csk_00000000000000000000000000000000000000000000'],
    ['what is no credential', 'x'],
  ])('lets nobody in with %s', async (_what, token) => {
    const answer = await keyed.send(token, 'subscription ($id: ID!) { elicitationRequested(sessionId: $id) { id } }', { transport, variables: { id: world.session } });
    if (transport === 'WebSocket') expect(answer).toEqual({ closed: 4401 });
    else expect(answer).toMatchObject({ status: 401, errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
  });
});
