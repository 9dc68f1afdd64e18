import { isDeepStrictEqual } from 'node:util';
import type { World } from './ask-fleet.ts';
import { countEvents, follow } from './followers.ts';

const patienceSeconds = 60;

/** Whoever followed a session through everything has read what a reader reads who comes when all is over: each event once, in order. */
export async function brokenReadings(world: World): Promise<string[]> {
  const broken: string[] = [];
  for (const { sessionId, cursors } of world.ledger.readings) {
    const again = await follow(world, sessionId, { staysForSeconds: patienceSeconds, until: AbortSignal.timeout(patienceSeconds * 1000) });
    const stored = await countEvents(world, sessionId);
    if (stored !== again.cursors.length || new Set(again.cursors).size !== again.cursors.length) broken.push(`${sessionId} has ${stored} events, and a late reader was told ${again.cursors.length}, ${new Set(again.cursors).size} of them different`);
    if (!isDeepStrictEqual(cursors, again.cursors)) broken.push(`a reader of ${sessionId} was told ${cursors.length} events, ${new Set(cursors).size} of them different, and a late one ${again.cursors.length}`);
  }
  return broken;
}
