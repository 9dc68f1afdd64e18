import type { ShellCommand, Word } from '../../shell/command-line.ts';
import { doubt, type Finding } from './finding.ts';
import { effectGate, noBranches, writeGate } from './gates.ts';
import { judgeGhApi } from './gh-api.ts';
import { readRepository, unknownRepository } from './repository.ts';
import type { Rules } from './rules.ts';

/** Judges hub, git's forerunner of gh: what is its own. The rest it hands to git; then undefined. */
export function judgeHub({ words }: ShellCommand, rules: Rules): Finding | null | undefined {
  const [verb, ...rest] = words;
  const [action] = rest;
  if (verb?.text === 'api') return judgeGhApi(rest, { rules, mentions: [] });
  if (verb?.text === 'delete') return judgeHubDelete(rest, rules);
  const reading = hubReadings.get(verb?.text ?? '');
  if (reading === undefined) return undefined;
  if (reading.includes('*') || reading.includes(action?.certain ? action.text : '')) return null;
  return doubt(`Which repository hub ${verb?.text ?? ''} writes is not known.`);
}

/** Judges other programs that push for git: Jujutsu, Graphite, Sapling, and those that push many repositories or the home directory's. */
export function judgeOtherPusher(program: string, words: readonly Word[]): Finding | null {
  const texts = words.filter((word) => !word.text.startsWith('-')).map((word) => word.text);
  const isHelp = words.some(({ text }) => text === '--help' || text === '-h' || text === '--dry-run');
  const pushes = pushers.get(program)?.some((verbs) => verbs.every((verb, at) => verb === '*' || texts[at] === verb)) ?? false;
  return pushes && !isHelp ? doubt(`Which repository ${program} ${texts[0] ?? ''} writes is not known.`) : null;
}

/** Programs that push under other names, and the words that make them; `*`: any. */
export const pushers: ReadonlyMap<string, readonly (readonly string[])[]> = new Map([
  ['jj', [['git', 'push']]],
  ['gt', [['submit'], ['ss'], ['stack', 'submit'], ['push']]],
  ['sl', [['push'], ['pr', 'submit']]],
  ['ghstack', [[], ['submit']]],
  ...['yadm', 'dotbare', 'mr'].map((name): [string, string[][]] => [name, [['push']]]),
  ['gita', [['push'], ['super', 'push']]],
  ['vcsh', [['*', 'push']]],
  ['etckeeper', [['vcs', 'push']]],
  ['vcs', [['push'], ['custom', 'push']]],
  ['repo', [['upload']]],
]);

function judgeHubDelete(words: readonly Word[], rules: Rules): Finding | null {
  const what = 'hub delete';
  const names = words.filter((word) => !word.text.startsWith('-'));
  const mentions = names.map((word) => (word.certain ? readRepository(word.text) : unknownRepository));
  return effectGate(rules, { what, deletes: true, tags: false, forces: false }) ?? writeGate(rules, { what, mentions, branches: noBranches, content: false });
}

/** hub's own commands, and those of their actions that only read; `*`: all. */
const hubReadings: ReadonlyMap<string, readonly string[]> = new Map([
  ['pull-request', []],
  ['create', []],
  ['fork', []],
  ['release', ['', 'show', 'download']],
  ['issue', ['', 'show', 'labels']],
  ['pr', ['', 'list', 'show', 'checkout']],
  ['gist', ['show']],
  ['browse', ['*']],
  ['ci-status', ['*']],
  ['compare', ['*']],
  ['version', ['*']],
]);
