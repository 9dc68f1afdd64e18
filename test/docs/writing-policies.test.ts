import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { post } from '../support/post.ts';
import { runCli, startCli } from '../support/run-cli.ts';
import { fenceWith } from './fences.ts';
import { run } from './program.ts';
import { writeSnippets, type Snippets } from './write-snippets.ts';

const page = 'docs/writing-policies.md';

let snippets: Snippets;
beforeAll(async () => {
  snippets = await writeSnippets(page);
  await writeFile(path.join(snippets.folder, 'mail.jsonl'), fenceWith(page, '"mail-1"').text);
});
afterAll(() => snippets.remove());

describe('the handler that the page writes', { timeout: 60_000 }, () => {
  it('passes the tests that the page writes for it', async () => {
    const tests = run(process.execPath, ['--test', 'ask-before-external-mail.test.ts'], { cwd: snippets.folder });
    expect(await tests.exit, tests.output).toBe(0);
    expect(tests.output).toMatch(/pass 3\n.*fail 0\n/s);
  });

  it('passes its vectors, and is simulated, as the page says', async () => {
    const words = (text: string) => (/^countersign ([^]*)$/.exec(fenceWith(page, text).text)?.[1] ?? '').replaceAll('\\\n', '').match(/'[^']*'|\S+/g)?.map((word) => word.replaceAll("'", '')) ?? [];
    expect(await runCli(words('policy test mail.jsonl'), { cwd: snippets.folder })).toEqual({ code: 0, stdout: '3 passed, 0 failed\n', stderr: '' });
    expect(await runCli(words('policy simulate'), { cwd: snippets.folder })).toMatchObject({ code: 0, stdout: expect.stringMatching(/^verdict {3}ASK\n[^]*Mail to eve@elsewhere\.test/) });
  });

  it('is served with the configuration that the page writes', async () => {
    const server = startCli(['serve', '--port', '0', '--database', 'sqlite::memory:'], { cwd: snippets.folder, env: { COUNTERSIGN_LOG_LEVEL: 'error' } });
    try {
      const url = (await server.ready).replace('countersign ready ', '');
      const answer = await post(url, '{ serverPolicies { name readOnly handler { name title } } }');
      expect(await answer.json()).toEqual({ data: { serverPolicies: [{ name: 'external mail', readOnly: true, handler: { name: 'mail.ask_before_external', title: 'Ask before mail leaves the company' } }] } });
    } finally {
      server.process.kill('SIGTERM');
      await server.result;
    }
  });
});
