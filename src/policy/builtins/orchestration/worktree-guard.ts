import { z } from 'zod';
import { defineHandler } from '../../handler.ts';
import { readToolCall } from '../../tool-call.ts';
import { abstain, ask, deny } from '../../verdict.ts';
import { writesFiles } from '../../writing-tool.ts';
import { pathReach } from './path-reach.ts';
import { writtenPaths } from './written-paths.ts';

export const worktreeGuard = defineHandler({
  name: 'orchestration.worktree_guard',
  title: 'Keep writes inside the working tree',
  description:
    'Denies the file tools of all known agents, also behind an MCP server, when a path that they write is not relative or leads out ' +
    'of the directory that the agent works in. Asks before they write what others run unasked: git’s hooks and settings, and the ' +
    'hooks of coding agents. Shell commands are not judged.',
  phases: ['TOOL_CALL'],
  params: z.object({
    allowed_root: z.string().default('.worktrees').meta({
      title: 'Allowed root',
      description: 'The directory that holds the working trees. Only for the wording: paths are judged from where the agent works.',
    }),
    deny_reason: z.string().optional().meta({ title: 'Reason for denials', description: 'Text that a denial gives instead of its own reason.' }),
  }),
  judge({ event }, { allowed_root: root, deny_reason: reason }) {
    const call = readToolCall(event);
    if (!call?.names.some((name) => writesFiles(name, call.arguments))) return abstain();
    const paths = writtenPaths(call.arguments).map((path) => ({ path, reach: pathReach(path) }));
    const outside = paths.find(({ reach }) => reach === 'outside');
    if (outside) return deny(reason ?? `Writes must stay inside the working tree under ${root}: ${excerpt(outside.path)} leads elsewhere.`);
    const runs = paths.find(({ reach }) => reach === 'runs');
    return runs ? ask(`The agent wants to write ${excerpt(runs.path)}, which runs unasked later.`) : abstain();
  },
});

function excerpt(path: string): string {
  return path.length > 120 ? `${path.slice(0, 120)}…` : path;
}
