import { afterEach, describe, expect, it } from 'vitest';
import type { AuditNote } from '../../src/gate/append-audit.ts';
import { createRefusalWatch } from '../../src/gate/refusal-watch.ts';
import { eventually } from '../support/journey.ts';
import { createLogBook } from '../support/log-book.ts';
import { startKeyedServer, type KeyedServer, type Wire } from './keyed-server.ts';

let keyed: KeyedServer | undefined;
afterEach(async () => {
  await keyed?.remove();
  keyed = undefined;
});

const query = 'query ($actions: [AuditAction!]) { auditLog(filter: { actions: $actions }) { edges { node { action actor { id } subject after } } } }';

describe('what is refused at the door', () => {
  it('is in the audit log: where from and how often, once a minute, without the credential', async () => {
    const server = await startKeyedServer({ limits: { failedLoginsPerAddress: 3, failedLoginsWindowSeconds: 2 } });
    keyed = server;
    const admin = await server.key('ADMIN');
    const wrong = 'csk_this-is-a-wrong-token-that-somebody-typed-in';
    for (const transport of ['HTTP', 'WebSocket', 'HTTP', 'HTTP', 'SSE'] as const) await server.send(wrong, '{ viewer { id } }', { transport });
    const read = async (): Promise<Wire[] | null> => {
      const { data } = await server.send(admin, query, { variables: { actions: ['SIGN_IN_FAILED', 'LIMIT_HIT'] } });
      return data?.auditLog.edges.map(({ node }: Wire) => node) ?? null; // null: the address is still shut out
    };
    const rows = await eventually(async () => {
      const entries = await read();
      return entries?.length === 2 && entries;
    });
    expect(rows.filter(({ action }) => action === 'SIGN_IN_FAILED')).toMatchObject([{ actor: { id: 'system' }, subject: null, after: { address: '127.0.0.1', times: 1 } }]);
    expect(rows.filter(({ action }) => action === 'LIMIT_HIT')).toMatchObject([{ actor: { id: 'system' }, after: { limit: 'limits.failedLoginsPerAddress', address: '127.0.0.1', times: 1 } }]);
    expect(JSON.stringify(rows)).not.toContain(wrong);
  });

  it('is told of once a minute with how often it was, and a flood from many addresses is cut short', () => {
    let time = 0;
    const notes: AuditNote[] = [];
    const log = createLogBook();
    const { onSignInFailed } = createRefusalWatch({ log, now: () => new Date(time), record: (note) => notes.push(note) });
    for (let index = 0; index < 50; index += 1) onSignInFailed('192.0.2.1');
    time = 60_000;
    onSignInFailed('192.0.2.1');
    expect(notes.map(({ after }) => after)).toEqual([{ address: '192.0.2.1', times: 1 }, { address: '192.0.2.1', times: 50 }]);
    for (let index = 0; index < 5000; index += 1) onSignInFailed(`198.51.100.${index}`);
    expect(notes.length).toBeLessThan(250);
  });
});
