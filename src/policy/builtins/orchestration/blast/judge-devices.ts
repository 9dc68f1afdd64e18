import type { ShellCommand } from '../../../shell/command-line.ts';
import { normalPath } from '../../../shell/path.ts';
import type { Tier } from './tier.ts';

/** Commands that overwrite disks, system files, or stop the machine. */
export function judgeDevices({ program, words, redirects }: ShellCommand): Tier | null {
  const written = redirects.filter(({ operator }) => operator.includes('>')).map(({ target }) => target.text);
  const texts = words.map((word) => word.text);
  if (program === 'dd') written.push(...texts.flatMap((text) => (text.startsWith('of=') ? text.slice(3) : [])));
  if (writers.has(program)) written.push(...texts.filter((text) => !text.startsWith('-')));
  if (program === 'cp' || program === 'install') written.push(...texts.slice(-1));
  const isFormatter = /^mkfs(\.|$)|^newfs|^mke2fs$/.test(program);
  if (program === 'format' && texts.some((text) => /^[a-z]:$/i.test(text))) return 'catastrophic';
  if ((isFormatter || wipers.has(program)) && texts.some((text) => isDevice(text))) return 'catastrophic';
  if (isFormatter) return 'risky';
  if (program === 'diskutil' && texts.some((text) => /^(erase|partition|zero|secureErase)/i.test(text))) return 'catastrophic';
  if (written.some(isDevice)) return 'catastrophic';
  if (stoppers.has(program) || (program === 'systemctl' && texts.some((text) => /^(poweroff|reboot|halt|kexec|emergency|rescue)$/.test(text)))) return 'risky';
  return written.some(isSystemFile) && program !== 'cp' ? 'risky' : null;
}

/** Write to each of their operands. */
const writers = new Set(['tee', 'truncate', 'shred']);

const wipers = new Set(['wipefs', 'blkdiscard', 'fdisk', 'sfdisk', 'sgdisk', 'parted', 'cryptsetup', 'hdparm', 'badblocks', 'mkswap', 'zpool', 'pvcreate', 'nvme']);

const stoppers = new Set(['shutdown', 'reboot', 'poweroff', 'halt']);

function isDevice(path: string): boolean {
  return /^\/dev\/(sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|md|dm-|mapper\/|loop\d|mem|kmem|port|block\/)/.test(normalPath(path));
}

function isSystemFile(path: string): boolean {
  return /^\/(etc|usr|bin|sbin|lib|lib64|boot)\//.test(normalPath(path)) && !normalPath(path).startsWith('/usr/local/');
}
