import { mightRun, readCommandLine, supposedCommands, type ShellCommand, type ShellReading, type Word } from '../../shell/command-line.ts';
import { atMostDoubt, doubt, strictest, type Finding } from './finding.ts';
import { anySetting, type ConfigEntry } from './git-config.ts';
import { httpClients, readHttpRequests } from './http-request.ts';
import { ghAliasOf, judgeGh } from './judge-gh.ts';
import { judgeGit, settingsOf } from './judge-git.ts';
import { judgeHttp } from './judge-http.ts';
import { judgeHub, judgeOtherPusher, pushers } from './judge-other-clients.ts';
import type { Nested } from './nested.ts';
import type { Rules } from './rules.ts';

/** Judges what command lines would run. */
export function judgeCommandLines(readings: readonly ShellReading[], rules: Rules): Finding | null {
  return strictest(readings.map((reading) => new LineJudge(rules, reading).judge()));
}

/** Judges one command line, and the lines within it under the same settings. */
class LineJudge implements Nested {
  readonly #rules: Rules;
  readonly #reading: ShellReading;
  readonly #settings: readonly ConfigEntry[];
  readonly #ghAliases: ReadonlyMap<string, Word>;
  #depth = 0;
  #charsLeft = nestedCharsMax;

  constructor(rules: Rules, reading: ShellReading) {
    this.#rules = rules;
    this.#reading = reading;
    const settings = reading.commands.filter(({ program }) => program === 'git' || program === 'hub').flatMap(settingsOf);
    // Each call of git is judged with all of them.
    this.#settings = settings.length > settingsMax ? [anySetting] : settings;
    const aliases = reading.commands.filter(({ program }) => program === 'gh').map(ghAliasOf);
    this.#ghAliases = new Map(aliases.filter((alias) => alias !== null));
  }

  judge(): Finding | null {
    return this.#judgeReading(this.#reading);
  }

  judgeLine(line: string, words: readonly Word[]): Finding | null {
    this.#charsLeft -= line.length;
    if (this.#depth >= depthMax || this.#charsLeft < 0) return doubt('The command hides in too many others to be read.');
    const { commands, unknowns } = readCommandLine(line);
    const last = commands.at(-1);
    const extended = last ? [...commands.slice(0, -1), { ...last, words: [...last.words, ...words] }] : commands;
    this.#depth += 1;
    const found = this.#judgeReading({ commands: extended, unknowns });
    this.#depth -= 1;
    return found;
  }

  #judgeReading(reading: ShellReading): Finding | null {
    return strictest([
      ...reading.commands.map((command) => this.#judgeCommand(command)),
      ...supposedCommands(reading, supposable).map((command) => this.#judgeCommand(command)),
      mightRun(reading, programs) ? doubt('A part of the command cannot be known, and it may run git or gh.') : null,
    ]);
  }

  #judgeCommand(command: ShellCommand): Finding | null {
    const found = this.#judgeProgram(command);
    return command.supposed ? atMostDoubt(found) : found;
  }

  #judgeProgram(command: ShellCommand): Finding | null {
    const { program, words } = command;
    switch (program) {
      case 'git':
        return judgeGit(command, { rules: this.#rules, settings: this.#settings });
      case 'gh':
        return judgeGh(command, { rules: this.#rules, aliases: this.#ghAliases, nested: this });
      case 'hub': {
        const found = judgeHub(command, this.#rules);
        return found === undefined ? judgeGit(command, { rules: this.#rules, settings: this.#settings }) : found;
      }
      default: {
        if (pushers.has(program)) return judgeOtherPusher(program, words);
        const requests = readHttpRequests(program, words);
        return requests && judgeHttp(requests, this.#rules);
      }
    }
  }
}

/** Programs whose unknown calls are asked about. */
const programs = ['git', 'gh', 'hub'];

const supposable = [...programs, ...httpClients];

const depthMax = 6;

const settingsMax = 100;

/** Over all lines within one. */
const nestedCharsMax = 20_000;
