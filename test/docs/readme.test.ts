import { expect, it } from 'vitest';
import { startTestServer } from '../support/start-server.ts';
import { fencesIn, root } from './fences.ts';
import { run } from './program.ts';

const shell = fencesIn('README.md')
  .filter(({ language, text }) => language === 'sh' && !text.includes('npm '))
  .map(({ text }) => text)
  .join('\n');

/** Pasted into a terminal, one block after the other, while the server runs. */
async function follow(instructions: string): Promise<string> {
  const server = await startTestServer();
  try {
    const terminal = run('bash', ['-c', instructions.replaceAll('http://127.0.0.1:4000', server.baseUrl)], { cwd: root });
    expect(await terminal.exit, terminal.output).toBe(0);
    return terminal.output;
  } finally {
    await server.remove();
  }
}

it('leads a reader of the README to a call that is allowed once he accepts', async () => {
  const output = await follow(shell);
  expect(output).toContain('"message":"ask before OS tools: The agent wants to use Bash: ls -la"');
  expect(output).toMatch(/"status":"ACCEPTED".*"verdict":"ALLOW","decidedBy":"PERSON"|"verdict":"ALLOW","decidedBy":"PERSON".*"status":"ACCEPTED"/s);
});

it('leads him to a denial with his words as the reason when he declines as the README says', async () => {
  const decline = 'action: DECLINE, comment: \\"not now\\"';
  const declining = shell.replace('action: ACCEPT', decline);
  expect(declining).toContain(decline);
  expect(await follow(declining)).toContain('"verdict":"DENY","decidedBy":"PERSON","reason":"not now"');
});
