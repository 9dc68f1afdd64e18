/** What a command of gh does to GitHub. */
export interface GhCommandKind {
  readonly writes: boolean;
  /** Deletes what is missed. */
  readonly deletes: boolean;
}

/**
 * What a command does, by its group and action; `null`: the group is none of gh's. An action that is not listed reads,
 * unless its verb says that it does not.
 */
export function ghCommandKind(group: string, action: string): GhCommandKind | null {
  const listed = writingActions.get(group);
  if (!listed) return readingGroups.has(group) ? { writes: false, deletes: false } : null;
  const known = listed.get(action);
  if (known) return known;
  const [verb = ''] = (action.split('/').at(-1) ?? '').split('-');
  return { writes: writingVerbs.has(verb), deletes: deletingVerbs.has(verb) };
}

/** Groups that touch no repository. */
export const localGroups: ReadonlySet<string> = new Set(
  (
    'config alias extension completion browse copilot licenses search status version help actions environment reference ' +
    'exit-codes formatting mintty accessibility a11y preview credits'
  ).split(' '),
);

/** Other names of groups and actions. */
export const groupAliases: ReadonlyMap<string, string> = new Map([
  ['cs', 'codespace'],
  ['rs', 'ruleset'],
  ['at', 'attestation'],
  ['ext', 'extension'],
  ['extensions', 'extension'],
  ['agent', 'agent-task'],
  ['agents', 'agent-task'],
  ['agent-tasks', 'agent-task'],
]);

export const actionAliases: ReadonlyMap<string, string> = new Map([
  ['new', 'create'],
  ['remove', 'delete'],
  ['rm', 'delete'],
  ['ls', 'list'],
]);

/** Groups within groups. */
export const innerGroups: ReadonlySet<string> = new Set(['repo/deploy-key', 'repo/autolink', 'repo/gitignore', 'repo/license', 'codespace/ports']);

const readingGroups = new Set(['attestation', 'org', 'ruleset', 'co']);

const writingVerbs = new Set(
  (
    'create add delete remove set edit update new rename archive unarchive merge close reopen lock unlock pin unpin transfer link ' +
    'unlink enable disable upload approve cancel rerun fork sync copy import move convert restore revert mark review comment publish submit'
  ).split(' '),
);

const deletingVerbs = new Set(['delete', 'remove']);

/** An exclamation mark: what it deletes is missed. */
const writingActions: ReadonlyMap<string, ReadonlyMap<string, GhCommandKind>> = new Map(
  Object.entries({
    pr: 'create merge close edit comment review ready reopen lock unlock revert update-branch',
    issue: 'create edit close comment reopen delete! lock unlock transfer pin unpin develop',
    repo:
      'create delete! fork edit rename archive unarchive sync set-default ' +
      'deploy-key/add deploy-key/delete! autolink/create autolink/delete!',
    release: 'create delete! delete-asset! edit upload',
    run: 'rerun cancel delete!',
    workflow: 'run enable disable',
    secret: 'set delete!',
    variable: 'set delete!',
    label: 'create delete! edit clone',
    gist: 'create edit delete! rename',
    cache: 'delete!',
    codespace: 'create delete! stop rebuild edit cp ports/visibility',
    project:
      'create delete! edit close copy link unlink mark-template field-create field-delete! item-add item-archive item-create ' +
      'item-delete! item-edit',
    'ssh-key': 'add delete!',
    'gpg-key': 'add delete!',
    'agent-task': 'create',
    discussion: 'create edit close comment delete!',
  }).map(([group, actions]) => [group, kindsOf(actions)]),
);

function kindsOf(actions: string): ReadonlyMap<string, GhCommandKind> {
  return new Map(
    actions.split(' ').map((action) => [action.replace('!', ''), { writes: true, deletes: action.endsWith('!') }] as const),
  );
}
