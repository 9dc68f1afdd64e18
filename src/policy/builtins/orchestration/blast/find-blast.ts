import { mightRun, supposedCommands, type ShellCommand, type ShellReading, type UnknownPart } from '../../../shell/command-line.ts';
import { changesNothing } from './changes-nothing.ts';
import { judgeDeployment } from './judge-deployment.ts';
import { judgeDevices } from './judge-devices.ts';
import { judgeGh } from './judge-gh.ts';
import { judgeGit } from './judge-git.ts';
import { judgeRemoval } from './judge-removal.ts';
import { strictest, type Blast, type Tier } from './tier.ts';

/** What in a command line can do harm. */
export function findBlast(reading: ShellReading, gatesRisky: boolean): readonly Blast[] {
  const found: Blast[] = [];
  const note = (command: ShellCommand): void => {
    const tier = judge(command);
    if (tier === null || (tier === 'risky' && !gatesRisky)) return;
    found.push({ tier: command.supposed ? 'uncertain' : tier, what: show(command) });
  };
  for (const command of reading.commands) note(command);
  for (const command of supposedCommands(reading, supposable)) note(command);
  const unknowns = reading.unknowns.filter((part) => part.malformed === null || (part.malformed === 'broken' && mentionsGated(part)));
  if (mightRun({ ...reading, unknowns }, programs)) found.push({ tier: 'uncertain', what: unknowns.map((part) => `${part.reason}: ${part.source}`).join('; ') });
  return found;
}

function judge(command: ShellCommand): Tier | null {
  const tier = strictest([judgeRemoval(command), judgeGit(command), judgeGh(command), judgeDeployment(command), judgeDevices(command)]);
  return tier === null || changesNothing(command) ? null : tier;
}

const programs = ['rm', 'git', 'gh', 'find', 'kubectl', 'helm', 'terraform', 'databricks', 'dd', 'mv', 'shred', 'docker', 'aws', 'gcloud'];

/** Programs that an unknown one with known arguments is tried as. */
const supposable = ['rm', 'git', 'gh', 'kubectl', 'helm', 'terraform', 'dd'];

function show({ program, words }: ShellCommand): string {
  return [program, ...words.map((word) => word.text)].join(' ').slice(0, shownCharsMax);
}

const shownCharsMax = 300;

/** Of a part that a shell would refuse, the words that it mentions are all that tells. */
function mentionsGated({ mentions }: UnknownPart): boolean {
  if (mentions('rm') && ['-r', '-rf', '-fr', '-R', '-Rf', '--recursive'].some(mentions)) return true;
  if (mentions('git') && ['push', 'reset', 'clean'].some(mentions)) return true;
  if (mentions('gh') && ['merge', 'release', 'delete'].some(mentions)) return true;
  return ['kubectl', 'helm', 'terraform', 'databricks'].some(mentions) && ['apply', 'deploy', 'destroy', 'delete'].some(mentions);
}
