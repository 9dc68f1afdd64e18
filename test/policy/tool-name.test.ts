import { describe, expect, it } from 'vitest';
import { findTool, toolKey, toolKeys } from '../../src/policy/index.ts';

const tools = toolKeys(['Bash', 'read_file', 'developer__shell', 'sys_add_policy']);

describe('a tool’s name means', () => {
  it.for([
    ['Bash', 'bash'],
    ['BASH', 'bash'],
    [' bash\t', 'bash'],
    ['ｂａｓｈ', 'bash'],
    ['ba\u200bsh', 'bash'],
    ['\u2066bash\u2069', 'bash'],
    ['bash\u0000', 'bash'],
    ['readFile', 'readfile'],
    ['READ-FILE', 'readfile'],
    ['read_file', 'readfile'],
    ['developer__shell', 'developershell'],
    ['mcp__omni__bash', 'bash'],
    ['mcp__my__nested__server__read_file', 'readfile'],
    ['mcp__a___bash', 'bash'],
    ['mcp__goose__developer__shell', 'developershell'],
    ['MCP__Omni__Bash', 'bash'],
    ['mcp_omni_bash', 'bash'],
    ['mcp_omni_read_file', 'readfile'],
    ['mcp_my_server_sys_add_policy', 'sysaddpolicy'],
    ['github__bash', 'bash'],
    ['functions.bash', 'bash'],
    ['server/bash', 'bash'],
    ['server:read_file', 'readfile'],
    ['mcp__x__ｂash', 'bash'],
  ] as const)('%j: %j', ([name, key]) => {
    expect(findTool(name, tools)).toBe(key);
  });

  it.for(['bashful', 'rebash', 'my_bash', 'bash_2', 'mcp__omni__my_bash', 'mcp__bash__list', 'file', '', '__', 'mcp__', 'read', 'add_policy', 'bаsh' /* Cyrillic */])(
    '%j: none of them',
    (name) => {
      expect(findTool(name, tools)).toBeNull();
    },
  );

  it('nothing new, and soon, when it is a million separators', () => {
    const startedAt = performance.now();
    expect(findTool('a__'.repeat(333_333), tools)).toBeNull();
    expect(findTool(`${'a__'.repeat(333_333)}bash`, tools)).toBe('bash');
    expect(performance.now() - startedAt).toBeLessThan(2000);
  });

  it('the same in every letter case, also beyond ASCII', () => {
    expect(toolKey('STRASSE')).toBe(toolKey('straße'));
    expect(toolKey('ÉTUDE')).toBe(toolKey('e\u0301tude'));
    expect(toolKey('e\u200b\u0301tude')).toBe(toolKey('étude'));
    expect(toolKey('\u0390')).toBe(toolKey('\u0399\u0308\u0301'));
    expect(toolKey('ΟΔΟΣ')).toBe(toolKey('οδος'));
  });
});
