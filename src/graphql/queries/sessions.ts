import { sessionId } from '../../entities/id.ts';
import { SessionSchema } from '../../entities/session.entity.ts';
import { filters, visible } from '../../gate/visible.ts';
import { builder } from '../builder.ts';
import { pageOf } from '../page.ts';
import { sessionsWhere } from '../sessions-where.ts';
import { SessionConnection } from '../types/connections.ts';

const SessionFilter = builder.inputType('SessionFilter', {
  description: 'Which sessions: those that meet all that is given. An unknown id meets none.',
  fields: (t) => ({
    agentId: t.id({ description: 'Those of this agent.' }),
    parentId: t.id({ description: 'Those that this session started itself.' }),
    open: t.boolean({ description: 'true: those that have not ended; false: those that have.' }),
    hasPending: t.boolean({ description: 'Whether an elicitation waits for a decision in them or in a descendant, as `pendingElicitationCount` counts.' }),
    search: t.string({
      description: 'A part of the title, upper and lower case alike (on SQLite only for A to Z), or a whole session id. Blank: all.',
    }),
  }),
});

builder.queryField('sessions', (t) =>
  t.connection(
    {
      type: 'Session',
      description: 'Sessions that the caller may see, newest first.',
      args: { filter: t.arg({ type: SessionFilter, description: 'Which sessions. Default: all.' }) },
      resolve: (_root, { filter, ...args }, context) => {
        const gate = context.gate();
        const at = gate.now();
        return pageOf(args, sessionId, ({ where, options }) => gate.em.find(SessionSchema, { $and: [...sessionsWhere(filter ?? {}, at), ...filters(visible.sessions(gate)), where] }, options));
      },
    },
    SessionConnection,
  ),
);
