import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The editor could not be run, or said that it failed. The message is one line. */
export class EditorFault extends Error {
  override readonly name = 'EditorFault';
}

/** The text as it is after the user's editor, a command line such as `vim` or `code --wait`. Only the user can read the file meanwhile. */
export async function editText(text: string, editor: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'countersign-edit-'));
  const file = path.join(folder, 'edit.json');
  try {
    await writeFile(file, text, { mode: 0o600 });
    const child = spawn('sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit' });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new EditorFault(`${editor} ended with ${code ?? 'a signal'}: name another editor in the variable EDITOR`);
    return await readFile(file, 'utf8');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
