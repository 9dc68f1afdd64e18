import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { post } from '../support/post.ts';
import { runCli, startCli } from '../support/run-cli.ts';

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(path.join(tmpdir(), 'countersign-keys-'));
});
afterEach(() => rm(cwd, { recursive: true }));

const run = (...args: string[]) => runCli(args, { cwd });

describe('keys', { timeout: 60_000 }, () => {
  it('makes a key whose token is alone on stdout, lists it without the token, and revokes it, while a server runs', async () => {
    const made = await run('keys', 'create', '--role', 'admin', '--name', 'root');
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^csk_[\w-]{43}\n$/), stderr: expect.stringMatching(/^key_\w+: admin key "root", owned by root\. The token is shown only now/) });
    const token = made.stdout.trim();
    const server = startCli(['serve', '--port', '0'], { cwd, env: { COUNTERSIGN_LOG_LEVEL: 'error' } });
    try {
      const url = (await server.ready).replace('countersign ready ', '');
      const status = async () => (await post(url, '{ viewer { id } }', { headers: { authorization: `Bearer ${token}` } })).status;
      expect((await post(url, '{ viewer { id } }')).status).toBe(401);
      expect(await status()).toBe(200);

      const listed = await run('keys', 'list');
      expect(listed.stdout).toMatch(/^ID +ROLE +NAME +OWNER +TOKEN +LAST USED +STATUS\nkey_\w+ +admin +root +root +csk_\S{6}… +\S+ +valid\n$/);
      expect(listed.stdout).not.toContain(token);

      expect(await run('keys', 'revoke', 'root')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^key_\w+ is revoked/) });
      await expect.poll(status, { timeout: 5000 }).toBe(401);
      expect((await run('keys', 'list')).stdout).toMatch(/revoked\n$/);
    } finally {
      server.process.kill('SIGTERM');
      await server.result;
    }
    expect((await readFile(path.join(cwd, 'countersign.db'))).includes(token)).toBe(false);
  });

  it('gives JSON with the token in it', async () => {
    const { stdout } = await run('keys', 'create', '--role', 'agent', '--name', 'bot', '--owner', 'ann', '--agents', 'deploy *', 'review', '--expires-in-days', '30', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ id: expect.stringMatching(/^key_/), name: 'bot', role: 'AGENT', owner: 'ann', agents: ['deploy *', 'review'], ownSessionsOnly: true, token: expect.stringMatching(/^csk_/) });
    expect(JSON.parse((await run('keys', 'list', '--json')).stdout)).toEqual([expect.not.objectContaining({ token: expect.anything() })]);
  });

  it.each([
    [['create', '--role', 'king', '--name', 'x'], '--role must be one of agent, approver, admin, viewer, not "king"'],
    [['create', '--role', 'admin', '--name', '  '], '--name must not be blank'],
    [['create', '--role', 'admin', '--name', 'x', '--owner', 'local'], '--owner is reserved: give the id of a user'],
    [['create', '--role', 'admin', '--name', 'x', '--expires-in-days', 'soon'], '--expires-in-days must be a number above 0 and at most 36,500, not "soon"'],
    [['create', '--role', 'admin'], "required option '--name <name>' not specified"],
    [['revoke', 'nobody'], 'There is no key "nobody": `countersign keys list` names them'],
  ])('says of %j what is wrong, in one line', async (args, message) => {
    expect(await run('keys', ...args)).toEqual({ code: 2, stdout: '', stderr: `countersign: ${message}\n` });
  });
});

describe('an address that others reach', { timeout: 60_000 }, () => {
  it('is served once there is a key, and not before', async () => {
    const refused = await run('serve', '--host', '0.0.0.0', '--port', '0');
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('countersign keys create --role admin --name <name> --database sqlite:countersign.db') });
    await run('keys', 'create', '--role', 'admin', '--name', 'root');
    const server = startCli(['serve', '--host', '0.0.0.0', '--port', '0'], { cwd, env: { COUNTERSIGN_LOG_LEVEL: 'error' } });
    try {
      const { port } = new URL((await server.ready).replace('countersign ready ', ''));
      expect((await post(`http://127.0.0.1:${port}/graphql`, '{ viewer { id } }')).status).toBe(401);
    } finally {
      server.process.kill('SIGTERM');
      await server.result;
    }
  });
});
