import path from 'node:path';
import { expect, it } from 'vitest';
import { builtinsPage } from './builtins-page.ts';
import { root } from './fences.ts';

it('tells of every builtin what its schema says', async () => {
  await expect(builtinsPage()).toMatchFileSnapshot(path.join(root, 'docs/builtins.md'));
});
