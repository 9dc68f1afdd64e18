import { z } from 'zod';
import { defineHandler } from '../../handler.ts';
import { InvalidParams } from '../../params-issues.ts';
import { readShellCall } from '../../shell/shell-call.ts';
import { toolKeys } from '../../tool-name.ts';
import { abstain, ask, deny } from '../../verdict.ts';
import { findChanges } from './find-changes.ts';
import { readAllowedDirs } from './allowed-dirs.ts';

export const blockWorkingDirChanges = defineHandler({
  name: 'working_dir.block_working_dir_changes',
  title: 'Block changes of the working directory',
  description:
    'Denies, or asks for, shell commands that leave the working directory (cd, chdir, pushd, popd, git -C and its equivalents), or that ' +
    'add, move or remove git worktrees. Paths are compared as they are written, without looking at the disk. Tool names are compared ' +
    'without letter case, invisible characters, underscores and dashes, also behind the name of an MCP server.',
  phases: ['TOOL_CALL'],
  params: z.object({
    block_cd: z.boolean().default(true).meta({
      title: 'Block changes of directory',
      description: 'Gate cd, chdir, pushd, popd, git -C and what has the same effect: GIT_DIR, git --work-tree, env -C, sudo -D, make -C.',
    }),
    block_worktree: z.boolean().default(true).meta({ title: 'Block worktrees', description: 'Gate git worktree add, move and remove.' }),
    allowed_dirs: z.array(z.string()).nullable().default(null).meta({
      title: 'Allowed directories',
      description: 'Where a change of directory may lead, with everything below. A relative one allows that relative path. None: nowhere.',
    }),
    action: z.enum(['deny', 'ask']).default('deny').meta({ title: 'Action', description: 'The verdict on what is gated.' }),
    on_uncertain: z.enum(['ask', 'deny']).default('ask').meta({
      title: 'When it is not certain',
      description: 'The verdict on a command that cannot be read for certain, and that may do what is gated.',
    }),
    shell_tools: z.array(z.string()).nullable().default(null).meta({
      title: 'Shell tools',
      description: 'The tools whose command is judged. Omitted: the shells of all known agents. An empty list: none.',
    }),
  }),
  create({ block_cd: blockCd, block_worktree: blockWorktree, allowed_dirs: dirs, action, on_uncertain: onUncertain, shell_tools: shells }) {
    if (!blockCd && !blockWorktree) {
      throw new InvalidParams([{ path: [], message: 'With block_cd and block_worktree both off there is nothing to gate. Turn one on.' }]);
    }
    const tools = shells && toolKeys(shells);
    const gates = { blockCd, blockWorktree, allowed: readAllowedDirs(dirs ?? []) };
    return ({ event }) => {
      const changes = readShellCall(event, tools).flatMap((reading) => findChanges(reading, gates));
      const certain = changes.find((change) => change.isCertain);
      const uncertain = changes.find((change) => !change.isCertain);
      if (certain && action === 'deny') return deny(`This changes the working directory, which is not allowed: ${certain.what}`);
      if (uncertain && onUncertain === 'deny') return deny(`This may change the working directory, which is not allowed: ${uncertain.what}`);
      if (certain) return ask(`The agent wants to change the working directory: ${certain.what}`);
      return uncertain ? ask(`This may change the working directory: ${uncertain.what}`) : abstain();
    };
  },
});
