import { setTimeout } from 'node:timers/promises';
import type { Fleet } from './fleet.ts';
import { openHandles, usedMegabytes } from './footprint.ts';

const growthMax = 1.3;
/** What a heap may keep of the moment in which it was measured. */
const slackMegabytes = 10;
/** A pool opens its connections as it needs them, ten at most; a collected socket is closed a moment later. */
const slackHandles = 14;
const quietSeconds = 20;

/** What must be so once nobody is there any more: nothing waits in the servers, nothing has leaked, and the audit log is whole. */
export async function brokenRest(fleet: Fleet, { firstMegabytes }: { firstMegabytes: number }): Promise<{ figures: string; broken: string[] }> {
  const broken: string[] = [];
  const figures: string[] = [];
  await setTimeout(quietSeconds * 1000);
  for (const { name, program, handlesAtStart } of [fleet.elder, fleet.younger]) {
    const handles = await openHandles(program);
    const megabytes = await usedMegabytes(program, fleet.tokens.root);
    figures.push(`${name}: ${handlesAtStart} → ${handles} handles, ${name === 'elder' ? `${firstMegabytes.toFixed(0)} → ` : ''}${megabytes.toFixed(0)} MB`);
    if (handles > handlesAtStart + slackHandles) broken.push(`the ${name} server has ${handles} files and sockets open, and had ${handlesAtStart} when it began`);
    if (name === 'elder' && megabytes > firstMegabytes * growthMax + slackMegabytes) broken.push(`the elder server uses ${megabytes.toFixed(0)} MB, and used ${firstMegabytes.toFixed(0)} MB after a quarter of the time`);
    const response = await fetch(`${program.origin}/metrics`, { headers: { authorization: `Bearer ${fleet.tokens.root}` } });
    const parked = /^countersign_parked_calls (\d+)/m.exec(await response.text())?.[1];
    if (parked !== '0') broken.push(`the ${name} server holds ${parked ?? 'an unknown number of'} calls, and nobody is there`);
  }
  const { code, stdout, stderr } = await fleet.verifyAudit();
  figures.push(stdout.trim());
  if (code !== 0) broken.push(`the audit log does not verify: ${stdout}${stderr}`);
  return { figures: figures.join('; '), broken };
}
