import { ElicitationSchema } from '../../entities/elicitation.entity.ts';
import { elicitationId } from '../../entities/id.ts';
import { filters, visible } from '../../gate/visible.ts';
import { builder } from '../builder.ts';
import { elicitationsWhere } from '../elicitations-where.ts';
import { pageOf } from '../page.ts';
import { ElicitationConnection } from '../types/connections.ts';
import { ElicitationStatus } from '../types/enums.ts';

const ElicitationFilter = builder.inputType('ElicitationFilter', {
  description: 'Which elicitations: those that meet all that is given. An unknown id meets none.',
  fields: (t) => ({
    status: t.field({ type: ElicitationStatus, description: 'Those that stand there now.' }),
    sessionId: t.id({ description: 'Those of this session, its descendants not included.' }),
    agentId: t.id({ description: "Those of this agent's sessions." }),
    requestedAfter: t.field({ type: 'DateTime', description: 'Those raised later than this moment.' }),
  }),
});

builder.queryField('elicitations', (t) =>
  t.connection(
    {
      type: 'Elicitation',
      description: 'Elicitations of all sessions that the caller may see, newest first.',
      args: { filter: t.arg({ type: ElicitationFilter, description: 'Which elicitations. Default: all.' }) },
      resolve: (_root, { filter, ...args }, context) => {
        const gate = context.gate();
        const at = gate.now();
        return pageOf(args, elicitationId, ({ where, options }) => gate.em.find(ElicitationSchema, { $and: [...elicitationsWhere(filter ?? {}, at), ...filters(visible.ofSessions(gate)), where] }, options));
      },
    },
    ElicitationConnection,
  ),
);
