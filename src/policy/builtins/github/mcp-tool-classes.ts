/** `free`: tells about the server only. `unknown`: a tool of a GitHub server that nobody knows. */
export type ToolClass = 'free' | 'read' | 'write' | 'unknown';

/** What a tool of a GitHub server does, by its name without prefix; null where the name does not tell. */
export function classOfTool(name: string): Exclude<ToolClass, 'unknown'> | null {
  if (name.endsWith('read_api_call')) return 'read';
  if (name.endsWith('write_api_call')) return 'write';
  const tool = name.replace(/^github_/, '');
  const listed = listedTools.get(tool);
  if (listed) return listed;
  if (writingVerbs.test(tool)) return 'write';
  return readingVerbs.test(tool) ? 'read' : null;
}

/** Whether the name alone, without a server's, is that of a GitHub tool. */
export function isListed(name: string): boolean {
  return /(?:read|write)_api_call$/.test(name) || referenceTools.has(name.replace(/^github_/, ''));
}

/** Whether the tool passes a request on to the REST or GraphQL interface. */
export function isApiProxy(name: string): boolean {
  return /(?:read|write)_api_call$/.test(name);
}

/** Tools whose name without a server's may be that of another system's tool: they count only with a repository among the arguments. */
export const ambiguousTools: ReadonlySet<string> = new Set([
  ...['create_or_update_file', 'delete_file', 'get_file_contents', 'push_files', 'create_branch', 'delete_branch'],
  ...['create_issue', 'update_issue', 'issue_read', 'add_issue_comment', 'create_release', 'delete_release', 'run_workflow', 'fork_repository'],
]);

/** Tools that put content on a branch. */
export const contentTools: ReadonlySet<string> = new Set([
  ...['create_or_update_file', 'push_files', 'delete_file', 'create_branch', 'delete_branch', 'update_pull_request_branch'],
]);

const referenceTools = new Set([
  ...['get_service_info', 'get_api_info'],
  ...['get_file_contents', 'get_me', 'pull_request_read', 'issue_read'],
  ...['create_or_update_file', 'push_files', 'delete_file', 'create_repository', 'fork_repository', 'create_branch', 'delete_branch'],
  ...['update_repository', 'create_pull_request', 'update_pull_request', 'merge_pull_request', 'create_pull_request_review'],
  ...['add_pull_request_review_comment_to_pending_review', 'request_copilot_review', 'update_pull_request_branch', 'create_issue'],
  ...['update_issue', 'add_issue_comment', 'create_release', 'delete_release', 'create_gist', 'update_gist', 'run_workflow'],
  ...['rerun_workflow_run', 'rerun_failed_jobs', 'cancel_workflow_run', 'delete_workflow_run_logs', 'assign_copilot_to_issue'],
]);

/** Names whose first word does not tell. */
const listedTools: ReadonlyMap<string, Exclude<ToolClass, 'unknown'>> = new Map([
  ...classed('free', ['get_service_info', 'get_api_info']),
  ...classed('read', ['pull_request_read', 'issue_read', 'label_read', 'actions_get', 'actions_list', 'projects_get', 'projects_list']),
  ...classed('write', ['issue_write', 'sub_issue_write', 'pull_request_review_write', 'label_write', 'projects_write', 'discussion_write']),
  ...classed('write', ['actions_run_trigger', 'mark_all_notifications_read', 'manage_notification_subscription']),
  ...classed('write', ['manage_repository_notification_subscription', 'unstar_repository', 'reprioritize_sub_issue']),
]);

function classed<Class extends ToolClass>(given: Class, names: readonly string[]): [string, Class][] {
  return names.map((name) => [name, given]);
}

const writingVerbs = verbs(
  'create update delete merge push add remove set fork run rerun cancel assign submit request edit close reopen lock unlock ' +
    'resolve unresolve transfer rename dismiss approve enable disable upload star pin',
);

const readingVerbs = verbs('get list search find fetch');

function verbs(words: string): RegExp {
  return new RegExp(`^(?:${words.split(' ').join('|')})_`);
}
