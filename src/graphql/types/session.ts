import { evaluationId } from '../../entities/id.ts';
import { EvaluationSchema } from '../../entities/evaluation.entity.ts';
import { pendingElicitationCount, pendingElicitations } from '../../gate/pending-elicitations.ts';
import { policiesOf } from '../../gate/session-view.ts';
import { builder } from '../builder.ts';
import { pageOf } from '../page.ts';
import { EvaluationConnection } from './connections.ts';

builder.objectType('Session', {
  description: 'One run of an agent: what is judged, and what judging it has left behind. Sub-agents are sessions with a parent.',
  interfaces: ['Node'],
  fields: (t) => ({
    agent: t.field({ type: 'Agent', description: 'Whose run it is.', resolve: ({ agent }, _args, context) => context.loaders().agent.get(agent) }),
    parent: t.field({
      type: 'Session',
      nullable: true,
      description: 'The session that started this one; null: none did, or the caller may not see it. Policies on it judge this session, too.',
      resolve: ({ parent }, _args, context) => (parent ? context.loaders().session.find(parent) : null),
    }),
    title: t.exposeString('title', { nullable: true, description: 'For people, at most 256 characters.' }),
    owner: t.expose('owner', { type: 'Principal', description: 'The user who created it, or whose agent did. Daily budgets count per owner, and a caller may be limited to its own sessions.' }),
    labels: t.expose('labels', { type: 'JSONObject', description: 'Label → value, both text. Conditions of policies read them, policies and `updateSession` write them.' }),
    state: t.expose('state', { type: 'JSONObject', description: 'What policies have noted in this session, such as counters. Only they write it.' }),
    usage: t.field({ type: 'Usage', description: 'Tokens and cost so far, as `recordUsage` has reported them; its descendants not included.', resolve: ({ id }, _args, context) => context.loaders().usageOf(id) }),
    model: t.exposeString('model', { nullable: true, description: 'The language model that it runs with, where a call does not say; null: unknown.' }),
    harness: t.exposeString('harness', { nullable: true, description: 'The program that runs the agent, such as `claude-code`; null: unknown.' }),
    policies: t.field({ type: ['Policy'], description: 'Attached to this session itself, in evaluation order, disabled ones included.', resolve: ({ id }, _args, context) => context.loaders().policiesOn(id) }),
    effectivePolicies: t.field({
      type: ['Policy'],
      description:
        "All that judge this session, in evaluation order: its own, its parent's and so on to the root, its agent's, the server's; disabled ones are left out. After them Countersign's own guard `__ask_on_add_policy` judges, which is not listed.",
      resolve: async (session, _args, context) => (await policiesOf(session, context.gate().em)).filter(({ enabled }) => enabled),
    }),
    pendingElicitations: t.field({
      type: ['Elicitation'],
      description: 'What waits for a decision: its own first, then those of its descendants, each in the order they were raised.',
      args: { includeDescendants: t.arg.boolean({ defaultValue: true, description: 'Also those of sub-agents, at any depth. Default true.' }) },
      resolve: (session, { includeDescendants }, context) => pendingElicitations(context.gate(), session, { includeDescendants: includeDescendants ?? true }),
    }),
    pendingElicitationCount: t.int({
      description: 'How many elicitations wait for a decision, those of descendants included.',
      resolve: (session, _args, context) => pendingElicitationCount(context.gate(), session),
    }),
    evaluations: t.connection(
      {
        type: 'Evaluation',
        description: 'What was judged in this session, newest first, its descendants not included.',
        resolve: ({ id }, args, context) =>
          pageOf(args, evaluationId, ({ where, options }) => context.gate().em.find(EvaluationSchema, { session: id, ...where }, options)),
      },
      EvaluationConnection,
    ),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    endedAt: t.expose('endedAt', { type: 'DateTime', nullable: true, description: 'When it ended; null: it is open. An ended session takes no more evaluations.' }),
  }),
});
