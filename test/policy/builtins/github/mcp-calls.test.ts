import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/policy/index.ts';
import { callVerdict, judge, readSome, writeApp, writeBranches } from './verdict-of.ts';

const app = { owner: 'octo', repo: 'app' };
const evil = { owner: 'evil', repo: 'x' };

describe('a GitHub tool is known under whatever name it is called', () => {
  it.for([
    'mcp__github__create_issue',
    'github__create_issue',
    'mcp__github__github_create_issue',
    'create_issue',
    'github_create_issue',
    'functions.create_issue',
    'functions.mcp__github__create_issue',
    'MCP__GitHub__create_issue',
    ' mcp__github__create_issue',
    'mcp__github__create_issue ',
    'mcp__github__Create_Issue',
    'Create_Issue',
    'ＣＲＥＡＴＥ_issue',
    'create\u200b_issue',
    'mcp__omni__github__create_issue',
    'mcp__gateway__mcp__github__create_issue',
    'mcp_github_create_issue',
    'github.create_issue',
    'github/create_issue',
    'github:create_issue',
    'github-mcp-server-create_issue',
    'mcp__github-mcp__create_issue',
    'mcp__claude_ai_GitHub__create_issue',
    'mcp__plugin_github_github__create_issue',
    'mcp__my_github__transfer_thing',
  ])('%j', (name) => {
    expect(callVerdict(name, evil)).toBe('deny');
  });

  it('also when only the target or only the payload names it', () => {
    const call = { name: 'calculator', arguments: evil };
    expect(judge({ type: 'tool_call', target: 'mcp__github__create_issue', data: call }).verdict).toBe('deny');
    expect(judge({ type: 'tool_call', target: 'calculator', data: { ...call, name: 'create_issue' } }).verdict).toBe('deny');
  });

  it.for(['mcp__gitlab__create_issue', 'mcp__linear__create_issue', 'calculator', 'delete_customer', 'run_query', 'create', '', 'mcp__filesystem__delete_file', 'not_github_thing'])(
    'but not %j, which is another’s',
    (name) => {
      expect(callVerdict(name, evil)).toBe('abstain');
    },
  );
});

describe('a tool without a server’s name counts when its arguments speak of a repository', () => {
  it.for<[string, JsonObject, string]>([
    ['delete_file', { path: 'a.txt' }, 'abstain'],
    ['delete_file', { path: 'a.txt', ...app }, 'deny'],
    ['create_issue', { title: 't', team: 'core' }, 'abstain'],
    ['create_issue', { title: 't', repo: 'evil/x' }, 'deny'],
    ['create_issue', { title: 't', owner: 'octo' }, 'deny'],
    ['create_branch', { name: 'x', project_id: 5 }, 'abstain'],
    ['push_files', { url: 'https://github.com/evil/x' }, 'deny'],
    ['create_gist', { files: {} }, 'deny'],
    ['merge_pull_request', {}, 'deny'],
    ['mcp__github__delete_file', { path: 'a.txt' }, 'deny'],
  ])('%s %j: %s', ([name, args, verdict]) => {
    expect(callVerdict(name, args)).toBe(verdict);
  });
});

describe('the repository is found wherever the arguments name it', () => {
  it.for<JsonObject>([
    evil,
    { Owner: 'Evil', Repo: 'X' },
    { org: 'evil', repo: 'x' },
    { organization: 'evil', repository: 'x' },
    { repo: 'evil/x' },
    { repo: ' evil/x ' },
    { repo: 'https://github.com/evil/x' },
    { repo: 'https://GitHub.com/evil/x/pull/1' },
    { repository: 'git@github.com:evil/x.git' },
    { full_name: 'evil/x' },
    { fullName: 'evil/x' },
    { nameWithOwner: 'evil/x' },
    { repo_name: 'evil/x' },
    { owner: 'evil', repo_name: 'x' },
    { repository: { full_name: 'evil/x' } },
    { repository: { name: 'x', owner: { login: 'evil' } } },
    { repository: { name: 'x', owner: 'evil' } },
    { url: 'https://github.com/evil/x' },
    { html_url: 'https://github.com/evil/x/issues/1' },
    { target: 'ssh://git@github.com/evil/x' },
    { params: evil },
    { arguments: { input: { body: evil } } },
    { params: [app, evil] },
    { owner: 'evil', params: { repo: 'x' } },
    { payload: '{"owner":"evil","repo":"x"}' },
    { repos: ['octo/app', 'evil/x'] },
    { ...app, org: 'evil' },
    { ...app, full_name: 'evil/x' },
    { ...app, url: 'https://github.com/evil/x' },
    { ...app, params: evil },
    { owner: 'octo', repo: 'evil/x' },
    { owner: 'octo', repo: 'app', name_with_owner: 'evil/x' },
    { repo: 'https://github.com/octo/app/../../evil/x' },
  ])('%j', (args) => {
    expect(callVerdict('mcp__github__create_issue', args)).toBe('deny');
    expect(callVerdict('mcp__github__create_issue', args, { write_repos: ['octo/app', 'octo/x', 'evil/x', 'evil/app'] })).toMatch(/^(?:abstain|deny)$/);
  });

  it.for<JsonObject>([
    {},
    { owner: 'octo' },
    { repo: 'app' },
    { owner: 'octo', repo: 5 },
    { owner: 5, repo: 'app' },
    { owner: 'octo', repo: ['app', 5] },
    { owner: 'evil', repo: 'octo/app' },
    { owner: 'octo', repo: 'app\u200b' },
    { owner: 'octo', repo: 'a pp' },
    { owner: 'octo', repo: '..' },
    { owner: 'octo/app', repo: '../evil' },
    { repo: 'https://gitlab.com/octo/app' },
    { repo: 'https://github.com@evil.io/octo/app' },
    { repo: 'https://GITHUB.com/octo/app' },
    { repo: '//github.com/octo/app' },
    { title: 'https://github.com/octo/app' },
    { body: 'https://github.com/octo/app' },
    { owner: Array.from({ length: 50 }, () => 'octo'), repo: 'app' },
  ])('without a readable one it is denied: %j', (args) => {
    expect(callVerdict('mcp__github__create_issue', args)).toBe('deny');
  });

  it.for<JsonObject>([
    app,
    { owner: 'OCTO', repo: 'App' },
    { owner: ' octo ', repo: ' app ' },
    { owner: 'octo', repo: 'octo/app' },
    { owner: 'octo', repo: 'https://github.com/octo/app' },
    { repository: { full_name: 'octo/app', name: 'app', owner: { login: 'octo' } } },
    { ...app, title: 'https://github.com/evil/x', body: 'see https://github.com/evil/x/issues/1' },
    { ...app, body: 'https://github.com/evil/x' },
    { ...app, description: 'git@github.com:evil/x.git', labels: ['evil/x'] },
    { ...app, inputs: { repo: 'evil/x', owner: 'evil' } },
    { ...app, repository: null },
    { ...app, sha: '0123', path: 'repos/evil/x/a.txt' },
    { ...app, files: [{ path: 'a', content: 'https://github.com/evil/x' }] },
  ])('a writable one passes, whatever else the call speaks of: %j', (args) => {
    expect(callVerdict('mcp__github__create_issue', args)).toBe('abstain');
  });
});

describe('what a tool does is read from its name and its method', () => {
  it.for<[string, JsonObject, string]>([
    ['issue_write', app, 'abstain'],
    ['issue_write', evil, 'deny'],
    ['sub_issue_write', evil, 'deny'],
    ['pull_request_review_write', { ...app, method: 'create' }, 'abstain'],
    ['pull_request_review_write', { ...app, method: 'delete_pending' }, 'abstain'],
    ['label_write', { ...app, method: 'delete' }, 'deny'],
    ['projects_write', { ...app, method: 'delete_project_item' }, 'deny'],
    ['actions_run_trigger', { ...app, method: 'delete_workflow_run_logs' }, 'deny'],
    ['issue_read', { ...evil, method: 'get_comments' }, 'abstain'],
    ['get_me', {}, 'abstain'],
    ['get_service_info', {}, 'abstain'],
    ['list_issues', evil, 'abstain'],
    ['actions_list', evil, 'abstain'],
    ['delete_file', app, 'deny'],
    ['delete_repository', app, 'deny'],
    ['create_release', app, 'deny'],
    ['create_release', evil, 'deny'],
    ['create_ref', { ...app, ref: 'refs/tags/v1' }, 'deny'],
    ['update_ref', { ...app, ref: 'heads/main', force: true }, 'deny'],
    ['update_ref', { ...app, ref: 'heads/main', force: false }, 'abstain'],
    ['run_workflow', { ...app, ref: 'refs/tags/v1' }, 'abstain'],
    ['frobnicate', app, 'deny'],
    ['', app, 'deny'],
  ])('%s %j: %s', ([name, args, verdict]) => {
    expect(callVerdict(`mcp__github__${name}`, args)).toBe(verdict);
  });

  it('and deletions and releases pass where the params allow them', () => {
    const free = { ...writeApp, allow_destructive: true, deny_tag_push: false };
    expect(callVerdict('mcp__github__delete_file', app, free)).toBe('abstain');
    expect(callVerdict('mcp__github__create_release', app, free)).toBe('abstain');
    expect(callVerdict('mcp__github__delete_file', evil, free)).toBe('deny');
  });
});

describe('a tool that passes requests on is judged by its request', () => {
  it.for<[string, JsonObject, string]>([
    ['github_read_api_call', { path: '/repos/evil/x' }, 'abstain'],
    ['github_read_api_call', { path: '/repos/evil/x', method: 'get' }, 'abstain'],
    ['github_read_api_call', { path: '/repos/evil/x', method: 'DELETE' }, 'deny'],
    ['github_read_api_call', { params: { ...evil, method: 'POST' } }, 'deny'],
    ['github_read_api_call', { query: 'query { viewer { login } }' }, 'abstain'],
    ['github_read_api_call', { query: 'mutation { deleteIssue }' }, 'deny'],
    ['github_write_api_call', { path: '/repos/octo/app/issues', method: 'POST' }, 'abstain'],
    ['github_write_api_call', { path: '/repos/{owner}/{repo}/issues', method: 'POST', params: app }, 'abstain'],
    ['github_write_api_call', { path: '/repos/{owner}/{repo}/issues', method: 'POST', params: evil }, 'deny'],
    ['github_write_api_call', { path: '/repos/evil/x/issues', method: 'POST', params: app }, 'deny'],
    ['github_write_api_call', { path: '/repos/octo/app/../../evil/x/issues', method: 'POST' }, 'deny'],
    ['github_write_api_call', { endpoint: 'https://api.github.com/repos/evil/x', method: 'PATCH' }, 'deny'],
    ['github_write_api_call', { path: '/user/repos', method: 'POST', params: app }, 'deny'],
    ['github_write_api_call', { path: '/repos/octo/app', method: 'DELETE' }, 'deny'],
    ['github_write_api_call', { path: '/repos/octo/app/issues/1/labels/bug', method: 'DELETE' }, 'abstain'],
    ['github_write_api_call', { path: '/repos/octo/app/git/refs/tags/v1', method: 'PATCH' }, 'deny'],
    ['github_write_api_call', { path: Array.from({ length: 20 }, () => '/repos/octo/app') }, 'deny'],
    ['github_write_api_call', {}, 'deny'],
  ])('%s %j: %s', ([name, args, verdict]) => {
    expect(callVerdict(`github__${name}`, args)).toBe(verdict);
  });
});

describe('branches', () => {
  it.for<[string, JsonObject, string]>([
    ['push_files', { branch: 'main' }, 'abstain'],
    ['push_files', { branch: 'refs/heads/dev' }, 'abstain'],
    ['push_files', { branch: 'prod' }, 'deny'],
    ['push_files', { Branch: 'prod' }, 'deny'],
    ['push_files', { branch: 'main', body: { ref: 'prod' } }, 'deny'],
    ['push_files', {}, 'deny'],
    ['push_files', { branch: 5 }, 'deny'],
    ['create_pull_request', { base: 'main', head: 'prod' }, 'abstain'],
    ['create_pull_request', { base: 'octo:prod' }, 'deny'],
    ['merge_pull_request', { pullNumber: 5 }, 'ask'],
    ['merge_pull_request', { pullNumber: 5, base: 'prod' }, 'deny'],
    ['create_issue', {}, 'abstain'],
    ['run_workflow', { ref: 'main', inputs: { branch: 'prod' } }, 'abstain'],
    ['github_write_api_call', { path: '/repos/octo/app/git/refs/heads/prod', method: 'PATCH' }, 'deny'],
    ['github_write_api_call', { path: '/repos/octo/app/contents/a', method: 'PUT', body: { branch: 'main' } }, 'abstain'],
    ['github_write_api_call', { path: '/repos/octo/app/contents/a', method: 'PUT', body: {} }, 'deny'],
  ])('%s %j: %s', ([name, args, verdict]) => {
    expect(callVerdict(`mcp__github__${name}`, { ...app, ...args }, writeBranches)).toBe(verdict);
  });
});

describe('reading where it is limited', () => {
  it.for<[string, JsonObject, string]>([
    ['mcp__github__get_file_contents', { owner: 'octo', repo: 'docs' }, 'abstain'],
    ['mcp__github__get_file_contents', evil, 'deny'],
    ['mcp__github__search_code', {}, 'deny'],
    ['mcp__github__get_api_info', {}, 'abstain'],
    ['get_file_contents', { path: 'a.txt' }, 'abstain'],
    ['get_file_contents', evil, 'deny'],
    ['github__github_read_api_call', { path: '/repos/evil/x' }, 'deny'],
    ['github__github_read_api_call', { path: '/repos/octo/docs/issues' }, 'abstain'],
  ])('%s %j: %s', ([name, args, verdict]) => {
    expect(callVerdict(name, args, readSome)).toBe(verdict);
  });
});

describe('other prefixes', () => {
  const params = { ...writeApp, mcp_tool_prefixes: ['mcp__ghe__'] };
  it.for([
    ['mcp__ghe__create_issue', 'deny'],
    ['MCP__GHE__create_issue', 'deny'],
    ['mcp__omni__mcp__ghe__create_issue', 'deny'],
    ['mcp__ghe__frobnicate', 'deny'],
    ['mcp__github__create_issue', 'abstain'],
    ['create_issue', 'deny'],
  ] as const)('%s: %s', ([name, verdict]) => {
    expect(callVerdict(name, evil, params)).toBe(verdict);
  });
});

it('judges a million characters of arguments soon', () => {
  const startedAt = performance.now();
  let nested: JsonObject = evil;
  for (let level = 0; level < 200; level += 1) nested = { params: nested };
  expect(callVerdict('mcp__github__create_issue', { params: nested, ...app })).toBe('deny');
  expect(callVerdict('mcp__github__create_issue', { ...app, body: 'github.com/'.repeat(100_000) })).toBe('abstain');
  expect(callVerdict('mcp__github__create_issue', { ...app, url: `https://${'@'.repeat(1_000_000)}` })).toBe('abstain');
  expect(callVerdict('mcp__github__create_issue', { owner: 'octo', repo: Array.from({ length: 100_000 }, () => 'app') })).toBe('abstain');
  expect(callVerdict('github__'.repeat(100_000), app)).toBe('deny');
  expect(performance.now() - startedAt).toBeLessThan(3000);
});
