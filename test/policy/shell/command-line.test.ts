import { describe, expect, it } from 'vitest';
import { mightBe, mightRun, readCommandLine, supposedCommands, type ShellCommand } from '../../../src/policy/shell/command-line.ts';

function only(line: string, program = 'git'): ShellCommand {
  const commands = readCommandLine(line).commands.filter((command) => command.program === program);
  const [command] = commands;
  if (!command || commands.length > 1) throw new Error(`${commands.length} commands of ${program} in ${line}`);
  return command;
}

const wordsOf = (line: string, program?: string): readonly string[] => only(line, program).words.map((word) => word.text);

describe('the words of a command', () => {
  it.for<[string, readonly string[]]>([
    [`git a 'b c' "d e" f\\ g`, ['a', 'b c', 'd e', 'f g']],
    ['git {a,b}c {1..3}', ['ac', 'bc', '1', '2', '3']],
    ['x="a b"; git $x "$x" \'$x\'', ['a', 'b', 'a b', '$x']],
    ['x=(a "b c"); git "${x[@]}" "${#x[@]}" "${x[*]}"', ['a', 'b c', '2', 'a b c']],
    ['x=abcdef; git ${x:1:2} ${x#a} ${x%f} ${x/c/C} ${x^^} ${#x}', ['bc', 'bcdef', 'abcde', 'abCdef', 'ABCDEF', '6']],
    ['x=a.b.c; git ${x##*.} ${x%%.*} ${x//./-} ${x%.*}', ['c', 'a', 'a-b-c', 'a.b']],
    ['set -- a b; git $1 "$@" $#', ['a', 'a', 'b', '2']],
    ['git $(echo a b) "$(echo c d)" `echo e`', ['a', 'b', 'c d', 'e']],
    ['git $((1 + 2 * 3)) $((x = 4)) $x', ['7', '4', '4']],
    [`git $'a\\tb\\x41' $"c"`, ['a\tbA', 'c']],
    ['git "" \'\' $EMPTY_IS_NOT_KNOWN""', ['', '', '$EMPTY_IS_NOT_KNOWN']],
    ['x=; git $x "$x" a', ['', 'a']],
    ['IFS=:; x=a:b; git $x', ['a', 'b']],
    ['git "~" ~/x', ['./~', '~/x']],
  ])('%s', ([line, words]) => {
    expect(wordsOf(line)).toEqual(words);
  });

  it('are certain where nothing in them is unknown', () => {
    const { words, certain } = only('git a "$X" $Y *.ts b$Z');
    expect(words.map((word) => [word.text, word.certain, word.plural])).toEqual([
      ['a', true, false],
      ['$X', false, false],
      ['$Y', false, true],
      ['*.ts', false, true],
      ['b$Z', false, true],
    ]);
    expect(certain).toBe(false);
    expect(only('git a b').certain).toBe(true);
  });

  it('tell what they might be', () => {
    const [word] = only('git "a${X}b${Y}c"').words;
    if (!word) expect.unreachable();
    expect(word.known).toEqual(['a', 'b', 'c']);
    expect(['abc', 'a1b2c', 'aabcbc'].every((text) => mightBe(word, text))).toBe(true);
    expect(['ab', 'ac', 'xabc', 'abcx', ''].some((text) => mightBe(word, text))).toBe(false);
    const [fixed] = only('git push').words;
    expect(fixed && mightBe(fixed, 'push') && !mightBe(fixed, 'pushx')).toBe(true);
  });
});

describe('the program of a command', () => {
  it.for([['/usr/bin/git x'], ['git.exe x'], ['GIT x'], ['git-x'], ['/usr/lib/git-core/git-x'], ['$(git --exec-path)/git-x'], ['"$X/bin/git" x'], ['=git x'], ['C:\\\\bin\\\\git.exe x']])('is git in %s', ([line = '']) => {
    expect(readCommandLine(line).commands.map(({ program, words }) => [program, words.at(-1)?.text])).toContainEqual(['git', 'x']);
  });

  it('keeps how it is called, since a builtin has no path', () => {
    expect(only('/usr/bin/git x').path).toBe('/usr/bin/git');
    expect(only('./cd x', 'cd').path).toBe('./cd');
    expect(only('cd x', 'cd').path).toBe('cd');
  });

  it('that is not known may be any, as far as its known letters allow', () => {
    const reading = readCommandLine('"$X" push');
    expect(reading.commands.filter((command) => !command.supposed)).toEqual([]);
    expect(mightRun(reading, ['git'])).toBe(false);
    expect(supposedCommands(reading, ['git', 'gh']).map(({ program, words, supposed }) => [program, words[0]?.text, supposed])).toEqual([
      ['git', 'push', true],
      ['gh', 'push', true],
    ]);
    expect(supposedCommands(readCommandLine('"g$X" push'), ['git', 'rm']).map(({ program }) => program)).toEqual(['git']);
    expect(supposedCommands(readCommandLine('/usr/bin/g?t push'), ['git', 'rm']).map(({ program }) => program)).toEqual(['git']);
  });

  it('that may be several words may be any command, or the one behind it', () => {
    const reading = readCommandLine('$X git push');
    expect(mightRun(reading, ['anything'])).toBe(true);
    expect(reading.commands.map(({ program, supposed, certain }) => [program, supposed, certain])).toEqual([['git', true, false]]);
  });
});

describe('what counts for a command', () => {
  it('are the assignments before it, those of env, and exported ones', () => {
    const environmentOf = (line: string): unknown => Object.fromEntries([...only(line).environment].map(([name, word]) => [name, word.text]));
    expect(environmentOf('A=1 B=$X git x')).toEqual({ A: '1', B: '$X' });
    expect(environmentOf('export A=1; B=2; git x')).toEqual({ A: '1' });
    expect(environmentOf('B=2; env A=1 git x')).toEqual({ A: '1' });
    expect(environmentOf("A=1 sh -c 'git x'")).toEqual({ A: '1' });
    expect(environmentOf('sudo A=1 git x')).toEqual({ A: '1' });
    expect(environmentOf('git x')).toEqual({});
  });

  it('are the files that it is redirected to', () => {
    const redirectsOf = (line: string): unknown => only(line).redirects.map(({ operator, target }) => [operator, target.text]);
    expect(redirectsOf('git x > a 2>> "b c" < d')).toEqual([['>', 'a'], ['>>', 'b c'], ['<', 'd']]);
    expect(redirectsOf('git x > /dev/null 2>&1')).toEqual([['>', '/dev/null']]);
    expect(redirectsOf('{ git x; } > a')).toEqual([['>', 'a']]);
    expect(redirectsOf('git x &> $F')).toEqual([['&>', '$F']]);
  });

  it.for(['> a', 'exec > a', 'x=1 > a', '[[ x ]] > a', '(( 1 )) > a', '$X > a', 'alias > a'])('are the redirections alone where no command is: %s', (line) => {
    const [command] = readCommandLine(line).commands;
    expect(command).toMatchObject({ program: '', words: [], redirects: [{ operator: '>', target: { text: 'a' } }] });
  });

  it('is the directory that cd has led to', () => {
    const directoryOf = (line: string): unknown => only(line).directory;
    expect(directoryOf('git x')).toBe('');
    expect(directoryOf('cd a; cd b/..; git x')).toBe('a');
    expect(directoryOf('cd /a && cd ../b && git x')).toBe('/b');
    expect(directoryOf('(cd /a); git x')).toBe('');
    expect(directoryOf('cd $X; git x')).toBeNull();
    expect(directoryOf('if a; then cd /b; fi; git x')).toBeNull();
    expect(directoryOf('cd; git x')).toBe('~');
  });
});

describe('what wrappers do', () => {
  it.for([
    ['env -C /a git x'],
    ['sudo -D /a git x'],
    ['make -C /a'],
    ['systemd-run --working-directory=/a git x'],
    ["python3 -c 'import os; os.chdir(\"/a\")'"],
  ])('stands as a change of directory: %s', ([line = '']) => {
    expect(wordsOf(line, 'cd')).toEqual(['/a']);
  });

  it('is not among the commands', () => {
    expect(readCommandLine('sudo -u x nice -n 5 timeout 9 env A=1 git x').commands.map(({ program }) => program)).toEqual(['git']);
  });
});

describe('a part with wrong syntax', () => {
  it('is said to be unclosed where all of it was read', () => {
    const { commands, unknowns } = readCommandLine('git commit -m "x');
    expect(commands.map(({ program }) => program)).toEqual(['git']);
    expect(unknowns.map(({ malformed, mentions }) => [malformed, mentions('git'), mentions('commit'), mentions('gh')])).toEqual([['unclosed', true, true, false]]);
  });

  it('is said to be broken where something was not understood', () => {
    const { unknowns } = readCommandLine('ls ) g"i"t push');
    expect(unknowns.map(({ malformed, mentions }) => [malformed, mentions('git'), mentions('gh')])).toEqual([['broken', true, false]]);
    expect(readCommandLine('ls ) $x').unknowns[0]?.mentions('git')).toBe(true);
  });
});

describe('bounds', () => {
  const push = 'git push';

  it('take what is nested too deep for unknown', () => {
    let line = push;
    for (let depth = 0; depth < 60; depth += 1) line = `echo $(${line})`;
    expect(mightRun(readCommandLine(line), ['git'])).toBe(true);
    line = push;
    for (let depth = 0; depth < 400; depth += 1) line = `(${line})`;
    expect(mightRun(readCommandLine(line), ['git'])).toBe(true);
  });

  it.for([
    ['too long a line', `${'#'.repeat(300_000)}\n${push}`],
    ['too many commands', `${'a;'.repeat(30_000)}${push}`],
    ['too many here-documents', `${'cat <<E '.repeat(1000)}; ${push}`],
    ['a function that calls itself', `f() { f; ${push}; }; f`],
    ['values that double', `x=aaaaaaaa; ${'x=$x$x;'.repeat(60)} $x`],
    ['too many alternatives', `${Array.from({ length: 12 }, (_, index) => `if a; then v${index}=g; else v${index}=i; fi;`).join('')} $v0$v1$v2$v3$v4$v5$v6$v7$v8$v9 x`],
    ['too many files', Array.from({ length: 9000 }, (_, index) => `echo x > f${index};`).join('') + push],
    ['too many exported variables', Array.from({ length: 6000 }, (_, index) => `export V${index}=a; ls;`).join('') + push],
    ['too many variables behind conditions', Array.from({ length: 6000 }, (_, index) => `a && v${index}=1;`).join('') + push],
    ['too long sequences', `echo ${'{1..99999} '.repeat(9000)}; ${push}`],
    ['too many runners in each other', `${'npx '.repeat(20_000)}${push}`],
    ['too many wrappers in each other', `${'timeout 5 '.repeat(9000)}${push}`],
    ['loops in loops', `${'for i in 1 2 3 4 5 6 7 8 9; do '.repeat(6)}git push${'; done'.repeat(6)}`],
  ])('hold for %s', ([, line = '']) => {
    const startedAt = performance.now();
    const reading = readCommandLine(line);
    expect(mightRun(reading, ['git']) || reading.commands.some(({ program }) => program === 'git')).toBe(true);
    expect(performance.now() - startedAt).toBeLessThan(5000);
  });
});
