import { optionTable, type OptionTable } from './options.ts';

/** How a command of gh reads its options. */
export function ghOptions(group: string, action: string): OptionTable {
  return tables.get(`${group}/${action}`) ?? usualTable;
}

export const ghApiOptions: OptionTable = optionTable(
  'XfFHqtpR',
  'method field raw-field header input jq template preview cache hostname repo',
  'include paginate slurp silent verbose help',
);

/** Letters that take a value in whatever command they stand. */
const usualLetters = 'ABDFHLORSTXbgjklqt';

/** Letters that take a value in these commands, and none in others. */
const valueLetters: Readonly<Record<string, string>> = {
  'pr/create': 'ampr',
  'pr/edit': 'm',
  'pr/list': 'as',
  'pr/close': 'c',
  'pr/reopen': 'c',
  'pr/checks': 'i',
  'issue/create': 'amp',
  'issue/edit': 'm',
  'issue/list': 'ams',
  'issue/close': 'cr',
  'issue/reopen': 'c',
  'issue/lock': 'r',
  'issue/develop': 'n',
  'repo/create': 'dhprs',
  'repo/edit': 'dh',
  'repo/clone': 'u',
  'repo/sync': 's',
  'release/create': 'n',
  'release/edit': 'n',
  'release/download': 'p',
  'run/list': 'cesuw',
  'run/view': 'a',
  'run/watch': 'i',
  'run/download': 'np',
  'workflow/run': 'fr',
  'workflow/view': 'r',
  'secret/set': 'aeforv',
  'secret/delete': 'aeo',
  'secret/list': 'aeo',
  'variable/set': 'eforv',
  'variable/delete': 'eo',
  'variable/get': 'eo',
  'variable/list': 'eo',
  'label/create': 'cd',
  'label/edit': 'cdn',
  'gist/create': 'df',
  'gist/edit': 'adfr',
  'gist/view': 'f',
  'cache/list': 'r',
  'codespace/create': 'dlm',
  'codespace/edit': 'cdm',
  'codespace/ssh': 'cp',
  'codespace/cp': 'cp',
  'codespace/stop': 'cou',
  'codespace/delete': 'cou',
  'codespace/rebuild': 'c',
  'codespace/list': 'ou',
  'project/edit': 'd',
  'ruleset/list': 'o',
  'ruleset/view': 'o',
  'auth/token': 'hu',
  'auth/status': 'h',
};

/** A letter that takes no value here although it does elsewhere. */
const flagInstead: Readonly<Record<string, string>> = { 'issue/develop': 'l', 'auth/status': 't' };

/** Long options that take a value here and none elsewhere. */
const valuesInstead: Readonly<Record<string, readonly string[]>> = {
  'repo/create': ['template', 'source', 'remote'],
  'repo/sync': ['source'],
  'pr/create': ['template'],
  'issue/create': ['template'],
};

const usualValues = (
  'add-assignee add-label add-project add-reviewer add-topic app assignee base body body-file branch codespace color comment commit ' +
  'default-branch desc description display-name env env-file field field-id filename fork-name format gitignore head homepage host ' +
  'hostname id job jq key label license limit machine match-head-commit milestone name notes notes-file notes-start-tag org owner ' +
  'project project-id raw-field reason recover ref remote-name remove-assignee remove-label remove-project remove-reviewer ' +
  'remove-topic repo repos retention-period reviewer search sort state subject tag target target-owner team text title url ' +
  'upstream-remote-name visibility workflow author-email discussion-category parent type'
).split(' ');

const usualFlags: ReadonlySet<string> = new Set(
  (
    'active add-readme admin all allow-forking allow-update-branch allow-write approve archived auto cleanup-tag clear clobber clone ' +
    'confirm debug default-branch-only delete-branch delete-branch-on-merge disable-auto disable-issues disable-wiki draft dry-run ' +
    'edit-last editor enable-auto-merge enable-discussions enable-issues enable-merge-commit enable-projects enable-rebase-merge ' +
    'enable-squash-merge enable-wiki fail-fast failed fill fill-first fill-verbose force fork full generate-notes help ' +
    'include-all-branches insecure-storage internal latest log log-failed merge no-maintainer-edit no-repos-selected no-store ' +
    'notes-from-tag paginate prerelease private public push raw rebase recurse-submodules remove-milestone request-changes required ' +
    'show-token skip-ssh-key squash undo unset verbose verify-tag view watch web yes yaml json exit-status checkout list'
  ).split(' '),
);

const usualTable: OptionTable = { shortValues: usualLetters, longValues: new Set(usualValues), longFlags: usualFlags, abbreviates: false };

const tables: ReadonlyMap<string, OptionTable> = new Map(
  [...Object.keys(valueLetters), ...Object.keys(flagInstead), ...Object.keys(valuesInstead), 'pr/review'].map((key) => [key, tableOf(key)]),
);

function tableOf(key: string): OptionTable {
  const letters = usualLetters + (valueLetters[key] ?? '');
  // In a review it says of what kind the review is.
  const values = key === 'pr/review' ? usualValues.filter((name) => name !== 'comment') : usualValues;
  return {
    shortValues: letters.replace(flagInstead[key] ?? '', ''),
    longValues: new Set([...values, ...(valuesInstead[key] ?? [])]),
    longFlags: usualFlags,
    abbreviates: false,
  };
}
