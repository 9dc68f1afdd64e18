import { z } from 'zod';
import type { PolicyEvent } from '../../event.ts';
import { defineHandler } from '../../handler.ts';
import { readShellCall } from '../../shell/shell-call.ts';
import { readToolCall } from '../../tool-call.ts';
import { abstain, ask, deny, type Opinion } from '../../verdict.ts';
import { writesFiles } from '../../writing-tool.ts';
import { pathReach } from './path-reach.ts';
import { shellWrites } from './shell-writes.ts';
import { writtenPaths } from './written-paths.ts';

export const worktreeGuard = defineHandler({
  name: 'orchestration.worktree_guard',
  title: 'Keep writes inside the working tree',
  description:
    'Denies the file tools of all known agents, also behind an MCP server, when a path that they write is not relative or leads out ' +
    'of the directory that the agent works in. Asks before they write what others run unasked: git’s hooks and settings, and the ' +
    'hooks of coding agents. Of shell commands and of code, redirections, git, the common programs that write files and ' +
    'what a short program in another language writes are judged alike; temporary files pass.',
  phases: ['TOOL_CALL'],
  params: z.object({
    allowed_root: z.string().default('.worktrees').meta({
      title: 'Allowed root',
      description: 'The directory that holds the working trees. Only for the wording: paths are judged from where the agent works.',
    }),
    deny_reason: z.string().nullish().meta({ title: 'Reason for denials', description: 'Text that a denial gives instead of its own reason.' }),
  }),
  judge({ event }, { allowed_root: root, deny_reason: reason }) {
    const writes = [...toolWrites(event), ...readShellCall(event).flatMap(shellWrites)];
    const outside = writes.find(({ reach }) => reach === 'outside');
    if (outside) return deny(reason ?? `Writes must stay inside the working tree under ${root}: ${excerpt(outside.what)} leads elsewhere.`);
    const [doubtful] = writes;
    return doubtful ? askAbout(doubtful) : abstain();
  },
});

interface Write {
  readonly what: string;
  readonly reach: 'outside' | 'runs' | 'uncertain';
}

function toolWrites(event: PolicyEvent): readonly Write[] {
  const call = readToolCall(event);
  if (!call?.names.some((name) => writesFiles(name, call.arguments))) return [];
  return writtenPaths(call.arguments).flatMap((path): Write[] => {
    const reach = pathReach(path);
    return reach === 'inside' ? [] : [{ what: path, reach }];
  });
}

function askAbout({ what, reach }: Write): Opinion {
  if (reach === 'runs') return ask(`The agent wants to write ${excerpt(what)}, which runs unasked later.`);
  return ask(`This may write outside the working tree: ${excerpt(what)}`);
}

function excerpt(path: string): string {
  return path.length > 120 ? `${path.slice(0, 120)}…` : path;
}
