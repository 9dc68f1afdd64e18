import { cursorOfPlace } from '../../gate/place.ts';
import { builder } from '../builder.ts';
import { SessionEventType } from './enums.ts';

builder.objectType('SessionEvent', {
  description: 'Something that happened in a session. Policies on its agent, its ancestors and the server are not of the session.',
  fields: (t) => ({
    cursor: t.string({ description: 'Give it as `after` to go on behind this event, at any server and after any restart. Opaque.', resolve: ({ place }) => cursorOfPlace(place) }),
    type: t.expose('type', { type: SessionEventType, description: 'What happened.' }),
    at: t.expose('at', { type: 'DateTime', description: 'When.' }),
    actor: t.field({ type: 'Principal', nullable: true, description: 'Who did it, under the name of that day; null: the policies judged, or nobody did.', resolve: ({ actor }) => actor }),
    session: t.field({ type: 'Session', description: 'Where, as it is now.', resolve: ({ sessionId }, _args, context) => context.loaders().session.get(sessionId) }),
    evaluation: t.field({ type: 'Evaluation', nullable: true, description: 'Of EVALUATION_ events: as it is now.', resolve: ({ subject }, _args, context) => (subject === null ? null : context.loaders().evaluation.find(subject)) }),
    elicitation: t.field({ type: 'Elicitation', nullable: true, description: 'Of ELICITATION_ events: as it is now.', resolve: ({ subject }, _args, context) => (subject === null ? null : context.loaders().elicitation.find(subject)) }),
    policy: t.field({ type: 'Policy', nullable: true, description: 'Of POLICY_ events: as it is now; null when it is deleted.', resolve: ({ subject }, _args, context) => (subject === null ? null : context.loaders().policy.find(subject)) }),
    policyName: t.string({ nullable: true, description: 'Of POLICY_ events: its name then.', resolve: ({ name }) => name }),
  }),
});
