import { decidingPoliciesOf } from '../../policy/deciding-policies-of.ts';
import { reasonOf } from '../../policy/reason-of.ts';
import { builder } from '../builder.ts';
import { PolicyLevel, PolicyOutcome, StateUpdateAction, Verdict } from './enums.ts';

builder.objectType('EvaluationPreview', {
  description: 'The verdict that an event would get, and how it would come about. Nothing is stored and nobody is asked.',
  fields: (t) => ({
    verdict: t.expose('verdict', { type: Verdict, description: 'What the policies would say. ASK: an elicitation would be raised.' }),
    reason: t.string({ nullable: true, description: 'Why it would be denied, or what would be asked; null on ALLOW.', resolve: reasonOf }),
    decidingPolicies: t.stringList({ description: 'The policy that would deny, or all that would ask, in order. Empty where none objects.', resolve: decidingPoliciesOf }),
    data: t.field({
      type: 'JSON',
      nullable: true,
      description: "The payload that would replace the event's `data`; null: none would, or the event would be denied.",
      resolve: (decision) => (decision.verdict === 'DENY' ? null : decision.data),
    }),
    stateUpdates: t.field({
      type: ['StateUpdate'],
      description: "What would be written to the session's state, in order; on ASK only once a person accepts.",
      resolve: ({ writes }) => writes.stateUpdates,
    }),
    labelWrites: t.field({ type: 'JSONObject', description: 'Label → value that would be written; on ASK only once a person accepts.', resolve: ({ writes }) => writes.labels }),
    steps: t.field({ type: ['PolicyStep'], description: "What each policy would do, in evaluation order, Countersign's own guard `__ask_on_add_policy` last.", resolve: ({ steps }) => steps }),
  }),
});

builder.objectType('PolicyStep', {
  description: 'What one policy does while an event is judged.',
  fields: (t) => ({
    policy: t.exposeString('policy', { description: "The policy's name." }),
    handler: t.exposeString('handler', { description: "Its handler's name." }),
    level: t.expose('level', { type: PolicyLevel, description: 'What the policy is attached to.' }),
    outcome: t.expose('outcome', { type: PolicyOutcome, description: 'What became of it.' }),
    reason: t.exposeString('reason', { nullable: true, description: 'Why it denies or asks, or that it failed; null otherwise.' }),
    durationMicroseconds: t.exposeInt('durationMicroseconds', { description: 'How long it took to judge, in microseconds; 0 where it was skipped.' }),
  }),
});

builder.objectType('StateUpdate', {
  description: "One change of a session's state that a policy wants.",
  fields: (t) => ({
    key: t.exposeString('key', { description: 'The key of the state.' }),
    action: t.expose('action', { type: StateUpdateAction, description: 'What to do with it.' }),
    value: t.field({ type: 'JSON', nullable: true, description: 'What to set, add or append; null with DELETE.', resolve: (update) => ('value' in update ? update.value : null) }),
  }),
});
