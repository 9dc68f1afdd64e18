import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type CryptoKey, type JWK } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { post } from '../support/post.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';

type Wire = ReturnType<JSON['parse']>;

const issuer = 'https://issuer.example';
const audience = 'countersign';

let server: TestServer;
let issuerServer: Server;
let published: JWK[];
let signing: { readonly kid: string; readonly key: CryptoKey };

/** A new key of the issuer's, published beside the others. */
async function rotate(kid: string): Promise<void> {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  published.push({ ...(await exportJWK(publicKey)), kid, alg: 'ES256' });
  signing = { kid, key: privateKey };
}

interface Claims {
  readonly sub?: string;
  readonly roles?: unknown;
  readonly iss?: string;
  readonly aud?: string;
  readonly expiresIn?: number;
  readonly [claim: string]: unknown;
}

async function token({ sub = 'ann', iss = issuer, aud = audience, expiresIn = 600, ...claims }: Claims = {}, { kid, key } = signing): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ roles: ['approvers'], name: 'Ann', ...claims }).setProtectedHeader({ alg: 'ES256', kid }).setSubject(sub).setIssuer(iss).setAudience(aud).setIssuedAt(now).setExpirationTime(now + expiresIn).sign(key);
}

beforeEach(async () => {
  published = [];
  await rotate('one');
  issuerServer = createServer((_request, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: published })));
  await new Promise<void>((resolve) => issuerServer.listen(0, '127.0.0.1', resolve));
  server = await startTestServer({
    oidc: {
      issuer,
      audience,
      jwksUrl: `http://127.0.0.1:${(issuerServer.address() as AddressInfo).port}/keys`,
      algorithms: ['ES256'],
      clockToleranceSeconds: 0,
      roles: {
        approvers: 'APPROVER',
        admins: 'ADMIN',
        robots: 'AGENT',
        viewers: 'VIEWER',
        'build approvers': { role: 'APPROVER', agents: ['build-*'] },
        'deploy approvers': { role: 'APPROVER', agents: ['deploy-*'] },
        'own approvers': { role: 'APPROVER', ownSessionsOnly: true },
      },
    },
  });
});
afterEach(async () => {
  await server.remove();
  issuerServer.closeAllConnections();
  await new Promise((resolve) => issuerServer.close(resolve));
});

async function viewer(bearer: string | null): Promise<Wire> {
  const response = await post(server.url, '{ viewer { kind id name } viewerRoles }', bearer === null ? {} : { headers: { authorization: `Bearer ${bearer}` } });
  return response.status === 200 ? ((await response.json())).data : response.status;
}

async function ask(bearer: string, query: string, variables: Record<string, unknown> = {}): Promise<Wire> {
  const response = await post(server.url, query, { headers: { authorization: `Bearer ${bearer}` }, variables });
  return ((await response.json())).data;
}

describe('a token of the issuer', () => {
  it('lets its user in, with the roles that its groups give', async () => {
    expect(await viewer(await token())).toEqual({ viewer: { kind: 'USER', id: 'ann', name: 'Ann' }, viewerRoles: ['APPROVER'] });
    expect(await viewer(await token({ roles: ['admins', 'approvers', 'strangers'] }))).toMatchObject({ viewerRoles: ['ADMIN', 'APPROVER'] });
    expect(await viewer(await token({ roles: 'robots', sub: 'bot' }))).toMatchObject({ viewer: { kind: 'AGENT_KEY', id: 'bot' }, viewerRoles: ['AGENT'] });
  });

  it.each<[readonly string[], readonly string[]]>([
    [['admins'], ['build-web', 'deploy-web']],
    [['build approvers'], ['build-web']],
    [['build approvers', 'deploy approvers'], ['build-web', 'deploy-web']],
    [['build approvers', 'viewers'], ['build-web']],
    [['build approvers', 'admins'], ['build-web', 'deploy-web']],
    [['own approvers'], []],
    [['own approvers', 'approvers'], []],
  ])('of %j reaches the sessions of %j', async (roles, agents) => {
    const admin = await token({ roles: ['admins'], sub: 'root' });
    for (const name of ['build-web', 'deploy-web']) {
      const { createAgent } = await ask(admin, 'mutation ($name: String!) { createAgent(input: { name: $name }) { ... on Agent { id } } }', { name });
      await ask(admin, 'mutation ($id: ID!) { createSession(input: { agentId: $id }) { __typename } }', { id: createAgent.id });
    }
    const { sessions } = await ask(await token({ roles: [...roles] }), '{ sessions { edges { node { agent { name } } } } }');
    expect(sessions.edges.map(({ node }: { node: { agent: { name: string } } }) => node.agent.name).toSorted()).toEqual(agents);
  });

  it('is needed: nobody is the local user', async () => {
    expect(await viewer(null)).toBe(401);
  });

  it('counts when it is signed with a key that came later', async () => {
    await viewer(await token());
    await rotate('two');
    const later = await token();
    await expect.poll(() => viewer(later), { timeout: 5000, interval: 200 }).toMatchObject({ viewer: { id: 'ann' } }); // a refused one counts as a wrong credential
  });

  it('ends what is watched with it when it expires', async () => {
    const bearer = await token({ expiresIn: 2 });
    const stream = await post(server.url, 'subscription { elicitationRequested { id } }', { headers: { authorization: `Bearer ${bearer}`, accept: 'text/event-stream' } });
    expect(stream.status).toBe(200);
    expect(await stream.text()).toContain('"code":"UNAUTHENTICATED"');
    expect(await viewer(bearer)).toBe(401);
  });
});

describe('nobody is let in with a token', () => {
  it.each<[string, Claims]>([
    ['of another issuer', { iss: 'https://evil.example' }],
    ['for another audience', { aud: 'somebody else' }],
    ['that has expired', { expiresIn: -1 }],
    ['without a role', { roles: [] }],
    ['of groups that give none', { roles: ['strangers', 'toString', '__proto__'] }],
    ['whose user would be the local one', { sub: 'local' }],
    ['whose user would be Countersign', { sub: 'system' }],
    ['without a user', { sub: '' }],
    ['whose user no database keeps', { sub: 'an\0n' }],
    ['that begins later', { nbf: Math.floor(Date.now() / 1000) + 3600 }],
  ])('%s', async (_what, claims) => {
    expect(await viewer(await token(claims))).toBe(401);
  });

  it('that another key has signed under the name of a known one', async () => {
    const { privateKey } = await generateKeyPair('ES256');
    expect(await viewer(await token({}, { kid: 'one', key: privateKey }))).toBe(401);
  });

  it('that is not signed, or signed with the public key as a secret', async () => {
    const unsigned = new UnsecuredJWT({ roles: ['admins'] }).setSubject('eve').setIssuer(issuer).setAudience(audience).setExpirationTime('1h').encode();
    expect(await viewer(unsigned)).toBe(401);
    const secret = new TextEncoder().encode(JSON.stringify(published[0]));
    const confused = await new SignJWT({ roles: ['admins'] }).setProtectedHeader({ alg: 'HS256', kid: 'one' }).setSubject('eve').setIssuer(issuer).setAudience(audience).setExpirationTime('1h').sign(secret);
    expect(await viewer(confused)).toBe(401);
  });

  it('while the keys of the issuer cannot be had', async () => {
    issuerServer.closeAllConnections();
    await new Promise((resolve) => issuerServer.close(resolve));
    expect(await viewer(await token())).toBe(401);
    issuerServer.listen(0);
  });
});
