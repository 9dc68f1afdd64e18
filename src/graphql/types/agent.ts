import { builder } from '../builder.ts';

builder.objectType('Agent', {
  description: 'A named program that acts through sessions. Its policies judge all of them.',
  interfaces: ['Node'],
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Unique in the installation. 1 to 256 characters.' }),
    description: t.exposeString('description', { nullable: true, description: 'For people, at most 4,096 characters.' }),
    askTimeoutSeconds: t.exposeInt('askTimeoutSeconds', {
      nullable: true,
      description: 'How long an ask waits for a decision where its policy does not say, in seconds; null: 86,400, which is a day.',
    }),
    labelDefinitions: t.field({ type: ['LabelDefinition'], description: 'The labels that its sessions know. Labels without a definition are free.', resolve: (agent) => agent.labelDefinitions }),
    policies: t.field({ type: ['Policy'], description: 'Attached to this agent, in evaluation order, disabled ones included.', resolve: ({ id }, _args, context) => context.loaders().policiesOn(id) }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
  }),
});

builder.objectType('LabelDefinition', {
  description: "A label that an agent's sessions know.",
  fields: (t) => ({
    key: t.exposeString('key', { description: 'The label. 1 to 128 characters.' }),
    initial: t.exposeString('initial', { nullable: true, description: 'Its value in a new session that does not give one; null: absent.' }),
    values: t.exposeStringList('values', { nullable: true, description: 'The values that policies may write to it; null: any.' }),
  }),
});

export const LabelDefinitionInput = builder.inputType('LabelDefinitionInput', {
  description: "A label that an agent's sessions know.",
  fields: (t) => ({
    key: t.string({ required: true, description: 'The label: 1 to 128 characters, unique in the list, not reserved.' }),
    initial: t.string({ description: 'Its value in a new session that does not give one, at most 256 characters. Omitted: absent. Where `values` is given, one of them.' }),
    values: t.stringList({ description: 'The values that policies may write to it: 1 to 100, each at most 256 characters. Omitted: any.' }),
  }),
});
