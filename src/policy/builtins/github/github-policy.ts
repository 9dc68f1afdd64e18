import { defineHandler } from '../../handler.ts';
import { osToolKind } from '../../os-tools.ts';
import { readShellCall } from '../../shell/shell-call.ts';
import { readToolCall } from '../../tool-call.ts';
import { findTool, toolKeys } from '../../tool-name.ts';
import { abstain, ask, deny, type Opinion } from '../../verdict.ts';
import { strictest, type Finding } from './finding.ts';
import { judgeCommandLines } from './judge-command-lines.ts';
import { judgeMcpCall } from './judge-mcp-call.ts';
import { readMcpTool } from './mcp-tool.ts';
import { githubParams, type GithubParams } from './params.ts';
import { readRules } from './rules.ts';

export const githubPolicy = defineHandler({
  name: 'github.github_policy',
  title: 'Guard GitHub repositories',
  description:
    'Limits which GitHub repositories and branches an agent may read and write, through the tools of a GitHub MCP server and through ' +
    'commands (git, gh, curl and others). Denies deletions, forced pushes and tags unless they are allowed, and asks where a command ' +
    'does not tell what it would write.',
  phases: ['TOOL_CALL'],
  params: githubParams,
  create(params) {
    const rules = readRules(params);
    const shellTools = params.shell_tools === null ? null : toolKeys(params.shell_tools);
    const isShell = (name: string): boolean => (shellTools ? findTool(name, shellTools) !== null : osToolKind(name) === 'shell');
    return ({ event }) => {
      const call = readToolCall(event);
      if (!call) return abstain();
      const mcp = call.names.map((name) => {
        const tool = readMcpTool(name, params.mcp_tool_prefixes);
        return tool && !(tool.bare && isShell(name)) ? judgeMcpCall(tool, call.arguments, rules) : null;
      });
      const lines = judgeCommandLines(readShellCall(event, shellTools), rules);
      return opinionOf(strictest([...mcp, lines]), params);
    };
  },
});

function opinionOf(finding: Finding | null, { on_uncertain, deny_reason }: GithubParams): Opinion {
  if (finding === null) return abstain();
  if (finding.verdict === 'ASK' && on_uncertain === 'ask') return ask(finding.reason);
  return deny(deny_reason ?? finding.reason);
}
