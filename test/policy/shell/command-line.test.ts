import { expect, it } from 'vitest';
import { readCommandLine } from '../../../src/policy/shell/command-line.ts';

it('reads the commands of a list', () => {
  const { commands } = readCommandLine("git status && /usr/bin/git push 'a b'");
  expect(commands.map(({ program, words }) => [program, ...words.map((word) => word.text)])).toEqual([['git', 'status'], ['git', 'push', 'a b']]);
});
