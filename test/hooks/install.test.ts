import { existsSync } from 'node:fs';
import { chmod, lstat, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { hosts } from '../../src/hooks/index.ts';
import { newHome, program, startProgram, type HookResult } from './world.ts';

let home: string;

beforeEach(async () => {
  home = await newHome();
});

const files: Readonly<Record<string, readonly [user: string, project: string]>> = {
  'claude-code': ['.claude/settings.json', '.claude/settings.json'],
  codex: ['.codex/hooks.json', '.codex/hooks.json'],
  cursor: ['.cursor/hooks.json', '.cursor/hooks.json'],
  'gemini-cli': ['.gemini/settings.json', '.gemini/settings.json'],
  opencode: ['.config/opencode/plugin/countersign.js', '.opencode/plugin/countersign.js'],
  copilot: ['.copilot/hooks/countersign.json', '.github/hooks/countersign.json'],
};
const names = hosts.map(({ name }) => name);
const fileOf = (name: string) => path.join(home, files[name]?.[0] ?? '');

/** In a directory of its own below the home directory: the project. */
async function install(...words: string[]): Promise<HookResult> {
  const project = path.join(home, 'project');
  await mkdir(project, { recursive: true });
  return startProgram(['/bin/sh', '-c', `cd project && exec "$@"`, 'sh', ...program, 'hook', 'install', ...words], { stdin: '', env: { HOME: home, PWD: home }, cwd: home }).result;
}

async function write(name: string, text: string): Promise<string> {
  await mkdir(path.dirname(fileOf(name)), { recursive: true });
  await writeFile(fileOf(name), text);
  return fileOf(name);
}

describe.each(names)('hook install %s', (name) => {
  it('writes its settings, changes nothing the second time, and takes out the third what it has put in', async () => {
    expect(await install(name)).toMatchObject({ code: 0, stdout: expect.stringContaining(`wrote ${fileOf(name)}\n`) });
    const text = await readFile(fileOf(name), 'utf8');
    expect(text).toContain(program.at(-1));
    expect(await install(name)).toMatchObject({ code: 0, stdout: expect.stringContaining('is as it should be') });
    expect(await readFile(fileOf(name), 'utf8')).toBe(text);
    expect(await install(name, '--undo')).toMatchObject({ code: 0, stdout: `removed ${fileOf(name)}\n` });
    expect(existsSync(fileOf(name))).toBe(false);
  });

  it("writes a project's settings for everyone who has countersign", async () => {
    expect(await install(name, '--scope', 'project')).toMatchObject({ code: 0 });
    const text = await readFile(path.join(home, 'project', files[name]?.[1] ?? ''), 'utf8');
    expect(text).toMatch(/"countersign",|"countersign hook /);
    expect(text).not.toContain(program.at(-1));
  });

  it('prints what it would write, and writes nothing', async () => {
    const { code, stdout } = await install(name, '--print', '--command', 'npx --no-install countersign');
    expect(code).toBe(0);
    expect(stdout).toContain(name === 'opencode' ? `["npx","--no-install","countersign","hook","opencode"` : `npx --no-install countersign hook ${name} `);
    expect(existsSync(fileOf(name))).toBe(false);
  });
});

describe('settings that are there', () => {
  const mine = '{\n    // mine\n    "model": "opus",\n    "hooks": {\n        "PreToolUse": [\n            {\n                "matcher": "Bash",\n                "hooks": [\n                    {\n                        "type": "command",\n                        "command": "./mine.sh"\n                    }\n                ]\n            }\n        ]\n    }\n}\n';

  it('keep what else is in them, comments and indentation included, and are as they were after --undo', async () => {
    const file = await write('claude-code', mine);
    await chmod(file, 0o600);
    await install('claude-code');
    const text = await readFile(file, 'utf8');
    expect(text.startsWith(mine.slice(0, mine.indexOf('\n        ]\n')))).toBe(true);
    expect(text).toContain('\n        "PermissionRequest": [\n            {\n                "matcher": "*",');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await install('claude-code', '--undo');
    expect(await readFile(file, 'utf8')).toBe(mine);
  });

  it('keep a hook that somebody has put beside ours', async () => {
    await install('claude-code');
    const settings = JSON.parse(await readFile(fileOf('claude-code'), 'utf8'));
    settings.hooks.PreToolUse[0].hooks.push({ type: 'command', command: './mine.sh' });
    await write('claude-code', JSON.stringify(settings));
    await install('claude-code', '--undo');
    expect(JSON.parse(await readFile(fileOf('claude-code'), 'utf8'))).toEqual({ hooks: { PreToolUse: [{ matcher: '*', hooks: [{ type: 'command', command: './mine.sh' }] }] } });
  });

  it('stay a link, where they are one', async () => {
    const file = await write('gemini-cli', '{ "theme": "dark" }');
    const target = path.join(home, 'dotfiles.json');
    await writeFile(target, '{ "theme": "dark" }');
    await mkdir(path.dirname(fileOf('cursor')), { recursive: true });
    await symlink(target, fileOf('cursor'));
    expect(await install('cursor')).toMatchObject({ code: 0 });
    expect((await lstat(fileOf('cursor'))).isSymbolicLink()).toBe(true);
    expect(JSON.parse(await readFile(target, 'utf8'))).toMatchObject({ theme: 'dark', hooks: { preToolUse: [{ failClosed: true }] } });
    expect(await readFile(file, 'utf8')).toBe('{ "theme": "dark" }');
  });

  it.each([
    ['{\n  "hooks": {\n', ':3:1: '],
    ['{\n  "a": 1\n  "b": 2\n}', ':3:3: CommaExpected'],
    ['[]', ' must hold a JSON object'],
    ['{ "hooks": [] }', ': hooks must be an object'],
    ['{ "hooks": { "PreToolUse": {} } }', ': hooks.PreToolUse must be a list'],
  ])('are refused by file and place when they are %j, and stay as they are', async (text, message) => {
    const file = await write('claude-code', text);
    const { code, stderr } = await install('claude-code');
    expect([code, stderr.split('\n').length]).toEqual([2, 2]);
    expect(stderr).toContain(`countersign: ${file}${message}`);
    expect(await readFile(file, 'utf8')).toBe(text);
  });

  it('are refused where a plugin of that name is not ours', async () => {
    await write('opencode', 'export const Other = async () => ({});\n');
    expect(await install('opencode')).toMatchObject({ code: 2, stderr: expect.stringContaining('is there and not ours') });
  });
});

describe('wrong use', () => {
  it.each([
    [['install', 'emacs'], 'There is no hook for "emacs": it must be one of claude-code, codex, cursor, gemini-cli, opencode, copilot'],
    [['install', 'codex', '--scope', 'everyone'], '--scope must be user or project, not "everyone"'],
    [['emacs'], 'There is no hook for "emacs"'],
    [['codex', '--timeout', 'soon'], '--timeout must be a number of seconds'],
  ])('of hook %j is told in one line, with exit code 2, which no host takes for permission', async (words, message) => {
    const { code, stdout, stderr } = await startProgram([...program, 'hook', ...words], { stdin: '{}', env: { HOME: home } }).result;
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});
