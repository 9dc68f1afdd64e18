import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../support/start-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

describe('the GraphQL over HTTP specification', () => {
  const audits = serverAudits({ url: () => server.url });

  it('has the audits that are known', () => {
    expect(audits.length).toBeGreaterThanOrEqual(61);
  });

  it.each(audits.map((audit) => [audit.id, audit.name, audit] as const))('%s %s', async (_, _name, audit) => {
    expect(await audit.fn()).toMatchObject({ status: 'ok' });
  });
});
