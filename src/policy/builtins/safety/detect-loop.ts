import { z } from 'zod';
import { fingerprint } from '../../fingerprint.ts';
import { defineHandler } from '../../handler.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { InvalidParams } from '../../params-issues.ts';
import { abstain, allow, ask, set, type Effects } from '../../verdict.ts';

export const detectLoop = defineHandler({
  name: 'safety.detect_loop',
  title: 'Notice calls that repeat',
  description:
    'Asks when the agent makes the same tool call, with the same arguments, so often among its last calls that it may be going in ' +
    'circles. The order of arguments, Unicode forms and characters that nobody sees make no difference.',
  phases: ['TOOL_CALL'],
  needs: ['state'],
  params: z.object({
    window: z.int().max(1000).default(10).meta({ title: 'Window', description: 'Among how many of the last calls repetitions are counted. Below 1 counts as 1.' }),
    // Without a default of the schema's, since only a threshold that somebody gave can be a mistake.
    threshold: z.int().max(1000).optional().meta({ title: 'Repetitions', description: 'From how many equal calls on to ask. At most the window; below 1 counts as 1.', default: 3 }),
  }),
  create({ window: windowGiven, threshold: thresholdGiven }) {
    const window = Math.max(1, windowGiven);
    const threshold = Math.max(1, thresholdGiven ?? 3);
    if (thresholdGiven !== undefined && threshold > window) {
      throw new InvalidParams([{ path: ['threshold'], message: `So many equal calls do not fit into a window of ${window}: it would never ask.` }]);
    }
    return ({ event, facts }) => {
      if (event.type !== 'tool_call') return abstain();
      const call = membersOf(event.data);
      if (!call) return abstain();
      const hash = fingerprintOf(call);
      const hashes = [...storedHashes(facts.state[hashesKey]), hash].slice(-window);
      const effects: Effects = { stateUpdates: [set(hashesKey, hashes)] };
      const count = hashes.filter((known) => known === hash).length;
      if (count < threshold) return allow(effects);
      return ask(`The agent made the same call ${count} times among its last ${hashes.length}: it may be going in circles.`, effects);
    };
  },
});

const known = new WeakMap<JsonObject, string>();

/** Taken once, however many policies of this kind there are: of a megabyte it takes 25 ms. Only of what cannot change any more. */
function fingerprintOf(call: JsonObject): string {
  const hash = known.get(call) ?? fingerprint([call['name'] ?? '', call['arguments'] === undefined ? {} : call['arguments']]);
  if (Object.isFrozen(call)) known.set(call, hash);
  return hash;
}

/** The reference's key. */
const hashesKey = '_policy_loop_recent_hashes';

/** Null where the payload has another form than a call's. */
function membersOf(data: unknown): JsonObject | null {
  const payload = data as Json;
  return isJsonObject(payload) ? payload : null;
}

/** What is no list of fingerprints is left out. */
function storedHashes(stored: Json | undefined): readonly string[] {
  return isJsonList(stored) ? stored.filter((item) => typeof item === 'string') : [];
}
