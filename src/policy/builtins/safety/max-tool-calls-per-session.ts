import { z } from 'zod';
import { defineHandler } from '../../handler.ts';
import { storedInteger } from '../../stored-integer.ts';
import { abstain, allow, deny, increment } from '../../verdict.ts';

export const maxToolCallsPerSession = defineHandler({
  name: 'safety.max_tool_calls_per_session',
  title: 'Limit the tool calls of a session',
  description: 'Counts the tool calls of a session and denies every call from the limit on. A limit of 0 or less denies all.',
  phases: ['TOOL_CALL'],
  needs: ['state'],
  params: z.object({
    limit: z.int().default(100).meta({ title: 'Limit', description: 'How many tool calls a session may make.' }),
  }),
  judge({ event, facts }, { limit }) {
    if (event.type !== 'tool_call') return abstain();
    if (storedInteger(facts.state[countKey]) >= limit) {
      return deny(`This session has used up its ${Math.max(0, limit)} tool calls.`);
    }
    return allow({ stateUpdates: [increment(countKey, 1)] });
  },
});

/** The reference's key, so that its sessions go on counting where they were. */
const countKey = '_policy_tool_call_count';
