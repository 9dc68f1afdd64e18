import { AgentSchema } from '../../entities/agent.entity.ts';
import { agentId } from '../../entities/id.ts';
import { filters, visible } from '../../gate/visible.ts';
import { builder } from '../builder.ts';
import { pageOf } from '../page.ts';
import { AgentConnection } from '../types/connections.ts';

builder.queryField('agents', (t) =>
  t.connection(
    {
      type: 'Agent',
      description: 'All agents that the caller may see, newest first.',
      resolve: (_root, args, context) => {
        const gate = context.gate();
        return pageOf(args, agentId, ({ where, options }) => gate.em.find(AgentSchema, { $and: [where, ...filters(visible.agents(gate))] }, options));
      },
    },
    AgentConnection,
  ),
);
