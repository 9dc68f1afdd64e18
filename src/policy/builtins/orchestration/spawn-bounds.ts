import { z } from 'zod';
import { fingerprint } from '../../fingerprint.ts';
import { defineHandler } from '../../handler.ts';
import { storedInteger } from '../../stored-integer.ts';
import { readToolCall } from '../../tool-call.ts';
import { findTool, toolKeys } from '../../tool-name.ts';
import { turnKeyPrefix } from '../../turn-key.ts';
import { abstain, allow, deny, increment, remove } from '../../verdict.ts';

export const spawnBounds = defineHandler({
  name: 'orchestration.spawn_bounds',
  title: 'Limit dispatches per turn',
  description:
    'Counts how often the agent dispatches work to other sessions within one turn, and denies what is above the maximum. A turn ' +
    'begins with each request of the person.',
  phases: ['TOOL_CALL', 'REQUEST'],
  needs: ['state'],
  params: z.object({
    max_dispatches_per_turn: z.int().default(5).meta({
      title: 'Dispatches per turn',
      description: 'How many dispatches a turn may have. 0 or less: none.',
    }),
    dispatch_tools: z.array(z.string()).nullable().default(['sys_session_send']).meta({
      title: 'Dispatching tools',
      description: 'Names of the tools that count as a dispatch, whatever server they are behind.',
    }),
  }),
  create({ max_dispatches_per_turn: max, dispatch_tools: tools }) {
    const dispatching = toolKeys(tools ?? ['sys_session_send']);
    // Policies that count other tools count apart.
    const countKey = `${turnKeyPrefix}spawn_bounds:${fingerprint([...dispatching].sort()).slice(0, 16)}`;
    return ({ event, facts }) => {
      if (event.type === 'request') return Object.hasOwn(facts.state, countKey) ? allow({ stateUpdates: [remove(countKey)] }) : abstain();
      const names = readToolCall(event)?.names ?? [];
      if (!names.some((name) => findTool(name, dispatching) !== null)) return abstain();
      const count = storedInteger(Object.hasOwn(facts.state, countKey) ? facts.state[countKey] : 0);
      if (count >= max) return deny(`This turn has used up its ${Math.max(0, max)} dispatches to other sessions.`);
      return allow({ stateUpdates: [increment(countKey, 1)] });
    };
  },
});
