import { mightRun, supposedCommands, type ShellCommand, type ShellReading, type UnknownPart } from '../../shell/command-line.ts';
import { judgeCd } from './judge-cd.ts';
import { judgeGit } from './judge-git.ts';
import type { Change, Gates } from './gates.ts';

/** The changes of directory in a command line, certain or not. */
export function findChanges(reading: ShellReading, gates: Gates): readonly Change[] {
  const found: Change[] = [];
  for (const command of reading.commands) {
    const change = judgeCommand(command, gates);
    if (change) found.push(command.supposed ? { ...change, isCertain: false } : change);
  }
  for (const command of supposedCommands(reading, programs)) {
    const change = judgeCommand(command, gates);
    if (change) found.push({ what: `it may be ${change.what}`, isCertain: false });
  }
  for (const part of reading.unknowns) {
    if (part.malformed !== null && !mentionsGated(part, gates)) continue;
    if (part.malformed === 'unclosed') found.push({ what: part.source, isCertain: true });
    else if (mightRun({ commands: [], unknowns: [part] }, gates.blockCd ? programs : ['git'])) found.push({ what: `${part.reason}: ${part.source}`, isCertain: false });
  }
  return found;
}

const programs = ['cd', 'chdir', 'pushd', 'popd', 'git'];

function judgeCommand(command: ShellCommand, gates: Gates): Change | null {
  switch (command.program) {
    case 'cd':
    case 'chdir':
    case 'pushd':
    case 'popd':
    case 'set-location':
    case 'push-location':
    case 'pop-location':
      return judgeCd(command, gates);
    case 'git':
    case 'hub':
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
