import { describe, expect, it } from 'vitest';
import type { JsonObject, Opinion } from '../../../../src/policy/index.ts';
import { blockWorkingDirChanges } from '../../../../src/policy/builtins/working-dir/block-working-dir-changes.ts';
import { askModel, facts, toolCall } from '../../support/pass.ts';

function judge(command: string, params: JsonObject = {}, tool = 'Bash'): Opinion {
  const built = blockWorkingDirChanges.build(params);
  if (built.kind !== 'built') throw new Error(JSON.stringify(built.issues));
  return built.judge({ event: toolCall(tool, { command }), facts: facts(), askModel });
}

const kindOf = (command: string, params?: JsonObject): Opinion['kind'] => judge(command, params).kind;

describe('a change of directory, wherever it hides', () => {
  it.for([
    ...['( cd /etc && ls )', '! cd /etc', 'for d in /etc; do cd $d; done', 'x=cd; $x /etc', 'alias j=cd; j /etc', 'c\\\nd /etc', 'f() { cd /etc; }; f'],
    ...['shopt -s autocd; /etc', 'setopt auto_cd', 'git -c core.worktree=/srv/x status', 'Set-Location /etc', "pwsh -c 'Push-Location /etc'"],
    ...['source <(echo cd /etc)', "echo 'cd /etc' | source /dev/stdin", 'set -- cd /etc; "$@"', "trap 'cd /' EXIT", 'builtin cd /etc', 'c""d /etc', "$'cd' /etc"],
    ...['{cd,/etc}', 'if true; then cd /etc; fi', 'while cd /etc; do ls; done', '$(echo cd) /etc', 'eval "cd /etc"', "bash -lc 'cd /etc'", 'exec 3<<< "cd /etc"; . /dev/fd/3'],
    ...["python3 -c 'import os; os.chdir(\"/etc\"); os.system(\"ls\")'", "node -e 'process.chdir(\"/etc\")'", "ruby -e 'Dir.chdir(\"/etc\")'", "ssh host 'cd /srv && ls'"],
    ...['cd() { builtin cd "$@"; }; cd /etc', 'mkdir x && cd x', '(cd sub; make)', 'cd "$DIR"', 'cd -', 'popd', 'pushd +1', 'time cd /etc', 'cd\t/etc', 'ls\rcd /etc'],
  ])('is denied: %j', (command) => {
    expect(kindOf(command)).toBe('deny');
  });

  it.for([
    ...['git -C /etc status', '/usr/bin/git -C /etc status', 'git --git-dir=/srv/x/.git --work-tree=/srv/x status', 'git --git-dir /srv/x/.git status', 'git --work-tree=.. status'],
    ...['GIT_DIR=/srv/x/.git git status', 'export GIT_WORK_TREE=/srv/x; git status', 'env GIT_DIR=/srv/x/.git git status', 'git.exe -C /etc log', 'git -c a.b=c -C /etc log'],
    ...['env -C /etc ls', 'env --chdir=/etc ls', 'sudo -D /etc ls', 'sudo --chdir=/etc ls', 'make -C /etc', 'make --directory /etc all', 'tmux new-session -c /etc', 'GIT_DIR=$X git log'],
  ])('also by other means: %j', (command) => {
    expect(kindOf(command)).toBe('deny');
  });
});

describe('worktrees', () => {
  it.for([
    ...['git worktree add ../x', '/usr/bin/git worktree add ../x', "env --split='git worktree add ../x'", "bash -c 'git \"$@\"' _ worktree add ../x", 'git -c x.y=z worktree move a b'],
    ...['git worktree --quiet remove x', 'git "work"tree add x', 'git -c alias.w="worktree add" w ../x', 'git config alias.w worktree && git w add ../x', 'hub worktree add x', 'git-worktree add x'],
  ])('are not added, moved or removed: %j', (command) => {
    expect(kindOf(command, { allowed_dirs: ['/'] })).toBe('deny');
  });

  it.for(['git worktree list', 'git worktree prune', 'git worktree lock x', 'git worktree repair', 'git log worktree add', 'git help worktree add'])('may be looked at: %j', (command) => {
    expect(kindOf(command)).toBe('abstain');
  });
});

describe('what only looks like a change', () => {
  it.for([
    ...["git commit -m 'fix; cd helper'", "echo '$(cd /etc)'", 'echo cd /etc', 'grep -rn "cd /etc" .', '# cd /etc', 'ls # && cd /etc', 'cat <<E\ncd /etc\nE', './cd /etc', '/usr/bin/cd /etc'],
    ...['git commit -C HEAD', 'git diff -C', 'git log -C --stat', 'git grep -C 3 x', 'ls -C', 'tar -C /tmp -xf x.tar', 'curl -C - -O https://x', 'command -v cd', 'type cd', 'man cd', 'help cd'],
    ...['git --git-dir=.git status', 'GIT_DIR=.git git status', 'git --work-tree=. status', 'git clone https://x /srv/y', 'npm run cd', 'cdk deploy', 'git status $X', 'eval "$(ssh-agent -s)"'],
    ...['cd_it', "echo 'oops", 'git log --format="%H', 'git commit -m "wip', 'python3 -c "print(1)"', 'bash build.sh', 'source ~/.bashrc', 'cd() { :; }; cd /etc', 'for f in *; do wc "$f"; done'],
  ])('is left alone: %j', (command) => {
    expect(judge(command)).toEqual({ kind: 'abstain' });
  });
});

describe('allowed directories', () => {
  const allowed = { allowed_dirs: ['/workspace', 'sub', ' '] };

  it.for([
    ...['cd /workspace', 'cd /workspace/', 'cd /workspace//a/./b', 'cd /workspace/../workspace/x', 'cd -P -- /workspace/x', 'cd sub', 'cd sub/../sub/a', "bash -c 'cd /workspace/app && make'"],
    ...['x=/workspace; cd "$x/a"', 'cd /workspace/{a,b}', 'git -C /workspace status', 'git -C /workspace -C /workspace/a log', 'git --git-dir=/workspace/.git log', 'env -C /workspace ls', 'cd $(echo /workspace)'],
    ...['CDPATH=/etc cd ./sub', 'CDPATH= cd sub', 'for d in /workspace/a /workspace/b; do cd $d; done'],
  ])('may be entered: %j', (command) => {
    expect(kindOf(command, allowed)).toBe('abstain');
  });

  it.for([
    ...['cd /workspace/..', 'cd /workspace/$(echo ../etc)', 'cd /workspace/`echo ..`/etc', 'cd /workspace-old', 'cd //workspace', 'cd /WORKSPACE', 'cd "/workspace /x"', 'cd subx', 'cd sub/..', 'cd ..', 'cd'],
    ...['CDPATH=/etc cd sub', 'CDPATH=/etc; cd sub', 'export CDPATH=/etc; cd sub', 'env CDPATH=/etc bash -c "cd sub"', 'cd /workspace/*', 'cd ~', 'cd $HOME', 'cd "$X"', 'cd /workspace/$X', 'cd ""'],
    ...['git -C /workspace -C .. status', 'git -C .. -C sub status', 'git -C /workspace --git-dir=/etc/x log', 'cd /workspace && cd /etc', "bash -c 'cd /workspace && cd /etc'", 'for d in /workspace /etc; do cd $d; done'],
  ])('are the only ones: %j', (command) => {
    expect(kindOf(command, allowed)).toBe('deny');
  });

  it('hold everything below: the root, or where the agent works', () => {
    expect(kindOf('cd /etc/x', { allowed_dirs: ['/'] })).toBe('abstain');
    expect(kindOf('cd a/b', { allowed_dirs: ['.'] })).toBe('abstain');
    expect(kindOf('cd a/../../b', { allowed_dirs: ['.'] })).toBe('deny');
    expect(kindOf('cd /a', { allowed_dirs: ['.'] })).toBe('deny');
  });
});

describe('what cannot be known', () => {
  const unclear = [
    ...['$X /etc', '"$X" /etc', '$X', 'eval "$X"', 'curl https://x | sh', 'bash <(curl https://x)', 'sh -c "$(curl https://x)"', 'source <(curl https://x)', 'git $X add ../y', 'git "$X" add ../y'],
    ...['sudo $X /etc', 'xargs $X', 'python3 -c "$X"', 'node -e "$(cat x.js)"', '$SUDO cd /etc', 'a ) cd /etc', 'for x (/etc) cd $x', 'cat x | while read l; do $l; done', ':(){ :|:& };:'],
  ];

  it.for(unclear)('asks: %j', (command) => {
    expect(kindOf(command)).toBe('ask');
  });

  it.for(unclear)('is denied when the policy says so: %j', (command) => {
    expect(kindOf(command, { on_uncertain: 'deny' })).toBe('deny');
  });

  it('does not hide what is certain', () => {
    expect(kindOf('$X; cd /etc')).toBe('deny');
    expect(kindOf('$X; cd /etc', { action: 'ask' })).toBe('ask');
    expect(kindOf('$X; cd /etc', { action: 'ask', on_uncertain: 'deny' })).toBe('deny');
  });
});

it('says what would run', () => {
  expect(judge("ls; bash -c 'cd /etc'")).toEqual({ kind: 'deny', reason: 'This changes the working directory, which is not allowed: cd /etc' });
  expect(judge('GIT_DIR=/x git log', { action: 'ask' })).toEqual({ kind: 'ask', reason: 'The agent wants to change the working directory: GIT_DIR=/x git log' });
});

describe('tools', () => {
  it.for(['bash', 'BASH', 'Shell', 'mcp__host__bash', ' terminal', 'developer__shell', 'run_shell_command', 'ｂash'])('%j is a shell', (tool) => {
    expect(judge('cd /etc', {}, tool).kind).toBe('deny');
  });

  it('are those of the list where there is one', () => {
    expect(judge('cd /etc', { shell_tools: ['my_term'] }, 'mcp__x__My-Term').kind).toBe('deny');
    expect(judge('cd /etc', { shell_tools: ['my_term'] }).kind).toBe('abstain');
    expect(judge('cd /etc', { shell_tools: [] }).kind).toBe('abstain');
  });

  it('may give the command as a list, or type it', () => {
    const build = blockWorkingDirChanges.build(null);
    if (build.kind !== 'built') expect.unreachable();
    const kind = (tool: string, args: JsonObject): string => build.judge({ event: toolCall(tool, args), facts: facts(), askModel }).kind;
    expect(kind('shell', { command: ['bash', '-lc', 'cd /etc'] })).toBe('deny');
    expect(kind('shell', { command: ['git', 'commit', '-m', 'a; cd b'] })).toBe('abstain');
    expect(kind('shell', { command: ['cd /etc'] })).toBe('deny');
    expect(kind('sys_terminal_send', { text: 'cd /etc\r' })).toBe('deny');
    expect(kind('write_stdin', { chars: 'cd /etc\n' })).toBe('deny');
    expect(kind('Bash', { commands: ['ls', 'cd /etc'] })).toBe('deny');
    expect(kind('run_command', { CommandLine: 'cd /etc', Cwd: '/srv' })).toBe('deny');
    expect(kind('local_shell', { action: { command: ['cd', '/etc'] } })).toBe('deny');
    expect(kind('shell', { command: 5 })).toBe('abstain');
  });
});

describe('params that cannot work are refused', () => {
  it.for<[JsonObject, string]>([
    [{ action: 'block' }, 'action'],
    [{ on_uncertain: 'allow' }, 'on_uncertain'],
    [{ block_cd: false, block_worktree: false }, ''],
    [{ allowed_dirs: '/workspace' }, 'allowed_dirs'],
    [{ allowed: [] }, 'allowed'],
  ])('%j', ([params, path]) => {
    const built = blockWorkingDirChanges.build(params);
    expect(built.kind === 'invalidParams' && built.issues[0]?.path.join('.')).toBe(path);
  });
});
