import { describe, expect, it } from 'vitest';
import type { JsonObject, PolicyEvent } from '../../../../src/policy/index.ts';
import { blockSkills } from '../../../../src/policy/builtins/safety/block-skills.ts';
import { askModel, facts, request, toolCall } from '../../support/pass.ts';

function judge(event: PolicyEvent, blocked: string[] = ['deploy']): string {
  const built = blockSkills.build({ blocked });
  if (built.kind !== 'built') throw new Error(JSON.stringify(built.issues));
  return built.judge({ event, facts: facts(), askModel }).kind;
}

const denied: [string, JsonObject][] = [
  ['load_skill', { name: 'deploy' }],
  ['load_skill', { name: ' DEPLOY\n' }],
  ['load_skill', { name: 'de\u200bploy' }],
  ['load_skill', { name: 'ｄｅｐｌｏｙ' }],
  ['load_skill', { name: './deploy' }],
  ['load_skill', { name: '../skills/deploy/' }],
  ['Skill', { skill: '/deploy' }],
  ['Skill', { command: 'deploy' }],
  ['activate_skill', { name: 'deploy' }],
  ['SlashCommand', { command: '/deploy now' }],
  ['read_skill_file', { skill_name: 'other', path: '../deploy/SKILL.md' }],
  ['Read', { file_path: '.claude/commands/deploy.md' }],
  ['mcp__fs__read_text_file', { path: 'skills/deploy/SKILL.md' }],
  ['Skill', { skill: 'deploy --now' }],
  ['Skill', { skill: 'my-plugin:deploy' }],
  ['skill', { name: 'deploy' }],
  ['mcp__omni__load_skill', { name: 'deploy' }],
  ['LOAD_SKILL', { name: 'deploy' }],
  ['read_skill_file', { skill_name: 'deploy', path: 'x' }],
  ['Read', { file_path: '/home/me/.claude/skills/deploy/SKILL.md' }],
  ['Read', { file_path: 'skills/other/../deploy/notes.md' }],
  ['Read', { file_path: 'C:\\agent\\Skills\\Deploy\\SKILL.md' }],
  ['Read', { file_path: 'deploy/SKILL.md' }],
  ['Read', { file_path: '.opencode/skill/deploy/notes.md' }],
  ['read_many_files', { paths: ['a.md', 'skills/deploy/SKILL.md'] }],
  ['Grep', { pattern: '.', path: 'skills/deploy' }],
  ['developer__text_editor', { command: 'view', path: 'skills/deploy/SKILL.md' }],
  ['Bash', { command: 'cat ~/.claude/skills/deploy/SKILL.md' }],
  ['Bash', { command: 'cat "skills"/de\\ploy/SKILL.md' }],
  ['Bash', { command: 'bash -c "cat skills/deploy/SKILL.md"' }],
  ['shell', { command: ['cat', 'skills/deploy/SKILL.md'] }],
  ['execute_code', { code: "print(open('skills/deploy/SKILL.md').read())" }],
];

const allowed: [string, JsonObject][] = [
  ['load_skill', { name: 'deploy-preview' }],
  ['load_skill', { name: 'redeploy' }],
  ['SlashCommand', { command: '/review deploy' }],
  ['read_skill_file', { skill_name: 'other', path: 'deploy.md' }],
  ['Read', { file_path: 'docs/deploy.md' }],
  ['load_skill', { name: 'please deploy' }],
  ['load_skill', { name: '' }],
  ['load_skill', { name: null }],
  ['load_skill', {}],
  ['Skill', { name: 'deploy' }],
  ['web_search', { name: 'deploy', query: 'skills/deploy/SKILL.md' }],
  ['Read', { file_path: 'src/deploy/index.ts' }],
  ['Read', { file_path: 'skills/other/deploy/notes.md' }],
  ['Write', { file_path: 'docs/list.md', content: 'see skills/deploy/SKILL.md' }],
  ['Bash', { command: 'npm run deploy' }],
  ['Bash', { command: '/usr/bin/deploy' }],
];

describe('a blocked skill', () => {
  it.for(denied)('is denied as %s %j', ([name, args]) => {
    expect(judge(toolCall(name, args))).toBe('deny');
  });

  it.for(['/deploy', ' /deploy now', '/ deploy', '/DEPLOY\tx', '\u200b/deploy', '／deploy', `${' \u200b\u0000'.repeat(2000)}/deploy`, `/deploy ${'x'.repeat(5000)}`, '/my-plugin:deploy', '\n/deploy'])('is denied as the request %j', (text) => {
    expect(judge(request(text))).toBe('deny');
  });

  it.for([7, ['deploy'], { name: 'deploy' }, true])('whose name is %j fails, and so denies', (name) => {
    expect(() => judge(toolCall('load_skill', { name }))).toThrow(TypeError);
  });

  it('may have capitals, blanks and blanks around it in the configuration', () => {
    expect(judge(toolCall('load_skill', { name: 'code review' }), [' Code Review '])).toBe('deny');
  });
});

it.for(['\u0301\u0323', '\uff9e\u0301', '\u0344', '\u200b\u0323\u0301'])('judges a skill’s name soon that piles up %j', (marks) => {
  const startedAt = performance.now();
  expect(judge(toolCall('load_skill', { name: `deploy ${marks.repeat(100_000)}` }))).toBe('deny');
  expect(performance.now() - startedAt).toBeLessThan(2000);
});

describe('what is not blocked', () => {
  it.for(allowed)('passes: %s %j', ([name, args]) => {
    expect(judge(toolCall(name, args))).toBe('abstain');
  });

  it.for(['', '/', '/ ', 'deploy', 'please /deploy', '/deploy-preview', '/model deploy'])('passes: the request %j', (text) => {
    expect(judge(request(text))).toBe('abstain');
  });

  it('is everything when nothing is blocked, blank names included', () => {
    expect(judge(toolCall('load_skill', { name: 'deploy' }), [])).toBe('abstain');
    expect(judge(request('/'), ['', ' '])).toBe('abstain');
    expect(judge(toolCall('load_skill', { name: '/' }), [''])).toBe('abstain');
  });
});

it.for([null, {}, { blocked: 'deploy' }, { blocked: [1] }, { blocked: null }, { blocked: [], extra: 1 }])('refuses the params %j', (params) => {
  expect(blockSkills.build(params).kind).toBe('invalidParams');
});
