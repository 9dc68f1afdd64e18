import { mightRun, supposedCommands, type ShellCommand, type ShellReading, type UnknownPart } from '../../shell/command-line.ts';
import { judgeCd } from './judge-cd.ts';
import { judgeGit } from './judge-git.ts';
import type { Change, Gates } from './gates.ts';

/** The change of directory in a command line that weighs most, or null. */
export function findChange(reading: ShellReading, gates: Gates): Change | null {
  let uncertain: Change | null = null;
  for (const command of reading.commands) {
    const change = judgeCommand(command, gates);
    if (change?.isCertain && !command.supposed) return change;
    if (change) uncertain ??= { ...change, isCertain: false };
  }
  const malformed = reading.unknowns.find((part) => part.isMalformed && mentionsGated(part, gates));
  if (malformed) return { what: malformed.source, isCertain: true };
  if (uncertain) return uncertain;
  const supposed = supposedCommands(reading, programs).find((command) => judgeCommand(command, gates));
  if (supposed) return { what: `the command may be ${[supposed.program, ...supposed.words.map((word) => word.text)].join(' ')}`, isCertain: false };
  const unknowns = reading.unknowns.filter((part) => !part.isMalformed);
  if (!mightRun({ ...reading, unknowns }, gates.blockCd ? programs : ['git'])) return null;
  return { what: unknowns.map((part) => `${part.reason}: ${part.source}`).join('; '), isCertain: false };
}

const programs = ['cd', 'chdir', 'pushd', 'popd', 'git'];

function judgeCommand(command: ShellCommand, gates: Gates): Change | null {
  switch (command.program) {
    case 'cd':
    case 'chdir':
    case 'pushd':
    case 'popd':
      return judgeCd(command, gates);
    case 'git':
      return judgeGit(command, gates);
    default:
      return null;
  }
}

/** Of a part that a shell would refuse, the words that it mentions are all that tells. */
function mentionsGated({ mentions }: UnknownPart, { blockCd, blockWorktree }: Gates): boolean {
  if (blockCd && ['cd', 'chdir', 'pushd', 'popd'].some(mentions)) return true;
  return mentions('git') && ((blockWorktree && mentions('worktree')) || (blockCd && mentions('-C')));
}
