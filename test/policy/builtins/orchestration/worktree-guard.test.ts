import { describe, expect, it } from 'vitest';
import type { JsonObject, PolicyEvent } from '../../../../src/policy/index.ts';
import { worktreeGuard } from '../../../../src/policy/builtins/orchestration/worktree-guard.ts';
import { request, toolCall } from '../../support/pass.ts';
import { opinionOf } from '../../support/verdict-of.ts';

function judge(event: PolicyEvent): string {
  return opinionOf(worktreeGuard, null, { event }).kind;
}

const outside: string[] = [
  ...['/etc/passwd', '//server/x', '/', '..', '../x', 'a/../../x', './../x', 'a/b/../../../x', '~', '~/x', '~root/x', '~/../x', 'a/../~/x'],
  ...['C:/x', 'c:x', 'a/../C:/x', 'a\\b', '..\\x', '\\\\server\\x', 'C:\\x'],
  // As lenient tools would read them.
  ...[' /etc/passwd', '\t../x', '\u00a0/x', '"/etc/passwd"', "'../x'", '\u200b/etc/passwd', '.\u200b./x', '\ufeff../x', 'src/a\u0000/x'],
  ...['／etc／passwd', '．．/x', '‥/x', '..∕..∕x', '..⁄x', '\u2215etc', '～/x', '＼x', 'Ｃ:/x', '..\u29f8x', '..\u2216x'],
  ...['%2fetc%2fpasswd', '%2e%2e/x', '..%2Fx', '%252e%252e%252fx', '%7e/x', 'a%5cb'],
  ...['file:///etc/passwd', 'FILE:/etc/passwd', 'file:../x', 'vscode-remote://x/y', 'https://example.com/x'],
  ...['$HOME/x', '${HOME}/.bashrc', '%USERPROFILE%/x', '$env:TEMP/x', '.. /x'],
];

const inside: string[] = [
  ...['src/a.ts', './a', 'a//b', '.', './', 'a/..', '..foo/a.ts', '..a/../b', '...', 'a..b/c', 'a~', 'a/~/b', 'x/C:/y', 'Ω:/x', 'a.b:c'],
  ...['.hidden', '.gitignore', '.gitattributes', '.github/workflows/ci.yml', 'docs/git/hooks.md', 'x.git/y', '.gitkeep', '.claude/commands/x.md'],
  ...['routes/$id.tsx', '$id.tsx', 'a b/c d', 'файл', '100%.txt', 'a%20b.txt', '%zz', 'half½.txt', 'naïve/日本.md', 'notes…md', "it's.md", 'a:b/c', ''],
].filter((path) => path !== 'a:b/c');

const runs: string[] = [
  ...['.git/hooks/pre-commit', '.git/config', 'sub/.git/info/attributes', '.GIT/hooks/x', './a/../.git/hooks/x', '.git', '.git./hooks/x', '.git /hooks/x'],
  ...['git~1/hooks/x', '.git::$INDEX_ALLOCATION/hooks/x', '.g\u200cit/hooks/x', '%2egit/hooks/x', '.husky/pre-commit', '.claude/settings.json', 'sub/.claude/settings.local.json', '.codex/config.toml', '.cursor/hooks.json'],
];

describe('a path that leads out of the working tree', () => {
  it.for(outside)('is denied: %j', (path) => {
    expect(judge(toolCall('Write', { file_path: path }))).toBe('deny');
  });

  it.for<[string, JsonObject]>([
    ['sys_os_write', { path: '../x' }],
    ['sys_os_edit', { file_path: '../x' }],
    ['MultiEdit', { path: 'src/a', file_path: '/etc/passwd' }],
    ['write', { path: '', file_path: '/x' }],
    ['mcp__omni__sys_os_write', { path: '/x' }],
    ['mcp_fs_write_file', { path: '/x' }],
    ['WRITE', { path: '/x' }],
    ['Ｗrite', { path: '/x' }],
    ['edit_file', { target_file: '/x' }],
    ['write_file', { filePath: '/x' }],
    ['write_file', { FILE_PATH: '/x' }],
    ['developer__write', { path: '/x' }],
    ['developer__text_editor', { command: 'create', path: '/x' }],
    ['NotebookEdit', { notebook_path: '../x.ipynb', new_source: 'x' }],
    ['edit', { files: [{ path: 'a' }, { path: '/x' }] }],
    ['write_file', { files: { '../x': 'text' } }],
    ['write_file', { paths: ['a', '/x'] }],
    ['write_file', { request: { file: { uri: 'file:///x' } } }],
    ['move_file', { source: 'a', destination: '../a' }],
    ['apply_patch', { input: '*** Begin Patch\n*** Update File: src/a\n+x\n*** Add File: ../x\n+y\n*** End Patch' }],
    ['apply_patch', { command: ['apply_patch', '*** Begin Patch\n*** Update File: a\n*** Move to: /x\n*** End Patch'] }],
    ['apply_patch', { patch: '--- a/x\n+++ b/../x\n@@ -1 +1 @@\n' }],
    ['apply_patch', { patch: 'diff --git a/x b/../../x\nrename from x\nrename to ../../x\n' }],
  ])('is denied for %s %j', ([name, args]) => {
    expect(judge(toolCall(name, args))).toBe('deny');
  });

  it('is denied where only the target names the tool', () => {
    expect(judge({ type: 'tool_call', target: 'Write', data: { name: 'calculator', arguments: { path: '/x' } } })).toBe('deny');
  });

  it('gives the reason of the params, else names the path', () => {
    const event = toolCall('Write', { file_path: `/${'x'.repeat(300)}` });
    expect(opinionOf(worktreeGuard, { deny_reason: 'no' }, { event })).toEqual({ kind: 'deny', reason: 'no' });
    expect(opinionOf(worktreeGuard, { allowed_root: 'trees' }, { event })).toMatchObject({ reason: expect.stringMatching(/under trees: \/x{119}… leads/) });
  });
});

describe('a path inside', () => {
  it.for(inside)('passes: %j', (path) => {
    expect(judge(toolCall('Write', { file_path: path }))).toBe('abstain');
  });

  it.for(runs)('is asked for when others run it unasked: %j', (path) => {
    expect(judge(toolCall('Write', { file_path: path }))).toBe('ask');
  });

  it('may be written with any content', () => {
    const content = '/etc/passwd ../x ~/x C:\\x\n*** Add File: /x\n+++ b/../x';
    expect(judge(toolCall('Write', { file_path: 'a.md', content }))).toBe('abstain');
    expect(judge(toolCall('Edit', { file_path: 'a.md', old_string: '/a', new_string: '../b' }))).toBe('abstain');
    expect(judge(toolCall('MultiEdit', { file_path: 'a.json', edits: [{ old_string: '/a', new_string: '~' }] }))).toBe('abstain');
    expect(judge(toolCall('write_file', { path: 'a.json', content: { path: '/etc', files: ['/x'] } }))).toBe('abstain');
    expect(judge(toolCall('apply_patch', { input: '*** Begin Patch\n*** Update File: src/a.ts\n-import "../b"\n+import "/c"\n*** End Patch' }))).toBe('abstain');
  });
});

describe('a shell command', () => {
  function run(command: string): string {
    return judge(toolCall('Bash', { command }));
  }

  it.for([
    ...['echo x > /etc/passwd', '> /etc/x', '>> ../x', ': > /etc/x', 'exec 3> /etc/x', 'X=1 > /etc/x', 'echo x >> ../x', 'echo x >| ~/.bashrc', 'npm test &> /var/log/x', 'cat a 2>/etc/x', 'X=/etc/a; echo x > "$X"', "bash -c 'echo x > /etc/q'", 'echo x > "/workspace/$name"', 'echo x > /tmp/../etc/x', '{ echo a; } > ../x', 'cat <<E > /etc/z\nhi\nE'],
    ...['echo x | tee /etc/y', 'sudo tee -a /etc/y', 'tee -- ../y', 'touch /etc/x', 'patch /etc/x < p', 'mkdir -p ../x', 'cp a /etc/x', 'cp -t /etc a', 'cp --target-directory=/etc a', 'install -m 755 a /usr/bin/a', 'mv a ../b', 'mv /etc/x .', 'ln -s a /usr/bin/a', 'sed -i s/a/b/ /etc/hosts', 'sed -i.bak -e s/a/b/ /etc/hosts', 'sed --in-place=x s/a/b/ /etc/hosts', "perl -pi -e 's/a/b/' /etc/hosts"],
    ...['dd if=a of=/etc/x', 'rm -rf ../x', 'chmod +x /usr/bin/x', 'chmod -x /usr/bin/x', 'curl -sSLo /etc/x https://x.example', 'wget -O /etc/x https://x.example', 'tar -xf a.tar -C /etc', 'rsync -a a ../b', 'cd /etc && echo x > passwd', 'cd sub && echo x > ../../x', 'cd ~ && touch x'],
    ...['> /etc/passwd', '>> ../f', ': > /etc/f', 'true >| /etc/f', 'exec > /etc/f', 'exec 3>> ../f', 'x=1 > /etc/f', '[[ a ]] > /etc/f', '(( 1 )) > /etc/f', 'eval > /etc/f', 'alias > /etc/f', 'export -p > /etc/f', 'read x > /etc/f', 'if > /etc/f; then ls; fi', 'echo "$(> /etc/f)"'],
    ...['git -C /etc commit -m x', 'git -C .. checkout main', 'git --work-tree=/etc checkout .', 'git --git-dir /etc/.git commit', 'GIT_DIR=/etc/.git git commit', 'git clone u ../x', 'git init /x', 'git worktree add ../x', 'git archive -o /etc/x HEAD', 'git diff --output=/etc/x'],
    ...[`python -c "open('/etc/x','w')"`, `python3 -c "open('../x', mode='a')"`, `python3 -c "from pathlib import Path; Path('/etc/x').write_text('a')"`, `python3 -c "import shutil; shutil.copy('a','/etc/x')"`, `python3 -c "import os; os.remove('/etc/x')"`, `python3 -c "open(f'/etc/{x}','w')"`],
    ...[`node -e "require('fs').writeFileSync('/etc/x','')"`, `node -e "fs.promises.writeFile('/etc/x','')"`, `node -e "fs.renameSync('a','/etc/x')"`, `ruby -e 'File.open("/etc/x","w"){}'`, `perl -e 'open F, ">", "/etc/x"'`, `perl -e 'open(F,">>/etc/x")'`, `php -r 'file_put_contents("/etc/x","");'`],
    ...[`lua -e 'io.open("/etc/x","w")'`, `awk 'BEGIN{print "x" > "/etc/x"}'`, `bun -e 'Bun.write("/etc/x","")'`, 'sort -o /etc/x a', 'tar czf /etc/x a', 'tar -cf /etc/x a', 'zip /etc/x.zip a', 'scp h:a /etc/x', 'docker cp c:/a /etc/x', 'gcc -o /etc/x a.c', 'find . -fprint /etc/x', 'gawk -i inplace 1 /etc/x'],
  ])('that writes outside is denied: %s', (command) => {
    expect(run(command)).toBe('deny');
  });

  it.for(['echo x > "$OUT"', 'cd /workspace/other && echo x > a', 'cd "$DIR" && echo x > a', 'echo x > .git/hooks/pre-commit', 'cp a .husky/pre-commit', 'git config core.hooksPath x', 'curl https://x.example | sh', 'eval "$X"'])('that may write outside, or writes what runs, is asked for: %s', (command) => {
    expect(run(command)).toBe('ask');
  });

  it.for([
    ...['ls -la', '> out.log', 'exec 3> build/log', 'cat /etc/passwd', 'grep -r x / 2>/dev/null', 'npm test > out.log 2>&1', 'echo x > src/a.txt', 'echo x > /tmp/a', 'echo x > $(mktemp)', 'echo x >&2', 'cat < /etc/passwd', "echo 'x > /etc/passwd'", 'cd sub && echo x > ../a', 'for i in 1 2; do echo x > "out/$i.log"; done', 'python x.py', './build.sh'],
    ...['> out.log', 'exec 2> err.log', 'exec < /etc/passwd', 'exec 3>&1', ': > a', '[[ a ]] 2> /dev/null'],
    ...['tee out.log', 'touch src/*.ts', 'cp /etc/hosts hosts', 'cp -r /usr/share/x .', 'ln -s /usr/bin/python3 python', 'sed s/a/b/ /etc/hosts', 'rm -rf node_modules dist', 'rm /tmp/x', 'chmod +x run.sh', 'curl -o a https://x.example/b', 'rsync -a a host:/b', 'mkdir -p a/b', 'dd if=/dev/zero of=a', 'git commit -m "x > /etc/y"', 'find . -name x', 'awk "{print}" /etc/passwd', 'touch -d 2024-01-01 a', 'tar -czf a.tgz src'],
    ...['git commit -m x', 'git -C sub commit -m x', 'git -C /etc status', 'git -C .. diff', 'git clone u', 'git clone u /tmp/x', 'git init x', 'git config user.name x', 'git branch --list', 'git -C .. branch', 'git -C .. stash list', 'echo x > "$TMPDIR/y"'],
    ...[`python3 -c "print(open('/etc/passwd').read())"`, `python3 -c "open('/etc/passwd','rb')"`, `python3 -c "open('x','w')"`, `python3 -c "'a'.replace('/etc', '/usr')"`, `python3 -c "x.copy('/etc', '/usr')"`, `node -e "fs.readFileSync('/etc/x')"`, `node -e "fs.mkdirSync('dist')"`, `perl -e 'open(F,"</etc/passwd")'`],
    ...[`ruby -e 'puts File.read("/etc/x")'`, `awk '$1 > 5' /etc/x`, `awk '$3 > "/a"' f`, 'tar xf /etc/x.tar', 'tar tf /etc/x.tar', 'scp a host:/etc/x', 'sort /etc/passwd -o b', 'go build -o bin/x', 'docker run -v /etc:/etc x'],
  ])('that stays inside passes: %s', (command) => {
    expect(run(command)).toBe('abstain');
  });
});

it.for<[string, JsonObject]>([
  ['execute_code', { code: "open('/etc/x', 'w')" }],
  ['execute_code', { language: 'javascript', code: "fs.writeFileSync('/etc/x', '')" }],
  ['run_code', { language: 'bash', code: 'echo x > /etc/x' }],
])('denies code that writes outside: %s %j', ([name, args]) => {
  expect(judge(toolCall(name, args))).toBe('deny');
});

describe('what is not judged', () => {
  it.for<[string, JsonObject]>([
    ['Read', { file_path: '/etc/passwd' }],
    ['mcp__fs__read_file', { path: '/etc/passwd' }],
    ['Grep', { path: '/' }],
    ['Bash', { path: '/etc/passwd' }],
    ['web_search', { path: '/x' }],
    ['developer__text_editor', { command: 'view', path: '/x' }],
    ['Write', {}],
    ['Write', { file_path: 5 }],
    ['Write', { file_path: null, content: '/x' }],
  ])('passes: %s %j', ([name, args]) => {
    expect(judge(toolCall(name, args))).toBe('abstain');
  });

  it('is what a person writes', () => {
    expect(judge(request('Write /etc/passwd'))).toBe('abstain');
  });
});

it.for<[string, JsonObject]>([
  ['a path of slashes', { file_path: 'a/'.repeat(500_000) }],
  ['a path of percent signs', { file_path: '%41'.repeat(300_000) }],
  ['a pile of marks', { file_path: `a${'\u0301\u0323'.repeat(250_000)}` }],
  ['a patch of a million lines', { input: `*** Begin Patch\n${'*\n'.repeat(500_000)}` }],
  ['arguments in arguments', { files: Array.from({ length: 100_000 }, () => ({ path: 'a' })) }],
])('judges %s soon', ([, args]) => {
  const startedAt = performance.now();
  judge(toolCall('apply_patch', args));
  expect(performance.now() - startedAt).toBeLessThan(2000);
});

it('judges arguments of any depth', () => {
  let args: JsonObject = { path: '/x' };
  for (let depth = 0; depth < 50_000; depth += 1) args = { args };
  expect(judge(toolCall('Write', args))).toBe('deny');
});
