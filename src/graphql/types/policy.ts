import { isConfigured } from '../../gate/sync-server-policies.ts';
import { builder } from '../builder.ts';
import { Phase, PolicyLevel } from './enums.ts';
import { handlerOf } from './policy-handler.ts';

builder.objectType('Policy', {
  description: 'A handler with its params, attached to the server, an agent or a session. Policies of all levels judge together: one denial denies, and none can be overridden below.',
  interfaces: ['Node'],
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Unique on its target. 1 to 256 characters.' }),
    level: t.expose('level', { type: PolicyLevel, description: 'What it is attached to.' }),
    session: t.field({
      type: 'Session',
      nullable: true,
      description: 'The session that it is attached to; null on the other levels.',
      resolve: ({ session }, _args, context) => (session ? context.loaders().session.find(session) : null),
    }),
    agent: t.field({
      type: 'Agent',
      nullable: true,
      description: 'The agent that it is attached to; null on the other levels.',
      resolve: ({ agent }, _args, context) => (agent ? context.loaders().agent.find(agent) : null),
    }),
    handler: t.field({
      type: 'PolicyHandler',
      description: 'What judges. If the handler is not registered any more, its description says so; until it is, the policy denies whatever it would judge.',
      resolve: (policy, _args, context) => handlerOf(policy, context.gate().registry),
    }),
    params: t.expose('params', { type: 'JSONObject', nullable: true, description: 'What the handler was given; null: nothing.' }),
    on: t.field({ type: ['PolicySelector'], nullable: true, description: "What it judges: events that match any of these; null: all of the handler's phases.", resolve: ({ on }) => on }),
    condition: t.expose('condition', {
      type: 'JSONObject',
      nullable: true,
      description: 'When it judges: label → a value or a list of values. Each label must have the value, or one of the list. A label that the session lacks never matches. null: always.',
    }),
    writableLabels: t.exposeStringList('writableLabels', { nullable: true, description: 'The labels that it may write; null: any that is not reserved.' }),
    askTimeoutSeconds: t.exposeInt('askTimeoutSeconds', { nullable: true, description: "How long its asks wait for a decision, in seconds; null: as long as the agent's. Of several askers the shortest counts." }),
    readOnly: t.boolean({ description: "Whether it comes from the server's configuration: only there can it be changed or deleted.", resolve: (policy) => isConfigured(policy) }),
    enabled: t.exposeBoolean('enabled', { description: 'Whether it judges at all.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
  }),
});

builder.objectType('PolicySelector', {
  description: 'Events of one phase, or of one tool in it.',
  fields: (t) => ({
    phase: t.expose('phase', { type: Phase, description: 'The phase.' }),
    toolName: t.exposeString('toolName', { nullable: true, description: 'In TOOL_CALL and TOOL_RESULT the exact name of the one tool; null: all tools.' }),
  }),
});

export const PolicySelectorInput = builder.inputType('PolicySelectorInput', {
  description: 'Events of one phase, or of one tool in it.',
  fields: (t) => ({
    phase: t.field({ type: Phase, required: true, description: 'The phase.' }),
    toolName: t.string({ description: 'The exact name of one tool, 1 to 256 characters; with TOOL_CALL and TOOL_RESULT only. Omitted: all tools.' }),
  }),
});
