import { cursorOfPlace } from '../../gate/place.ts';
import { builder } from '../builder.ts';
import { InboxEventType } from './enums.ts';

builder.objectType('InboxEvent', {
  description: 'That a person is asked, or need not decide any more.',
  fields: (t) => ({
    cursor: t.string({ description: 'Give it as `after` to go on behind this event, at any server and after any restart. Opaque.', resolve: ({ place }) => cursorOfPlace(place) }),
    type: t.expose('type', { type: InboxEventType, description: 'What happened.' }),
    at: t.expose('at', { type: 'DateTime', description: 'When.' }),
    actor: t.field({ type: 'Principal', nullable: true, description: 'Who did it, under the name of that day; null: nobody did.', resolve: ({ actor }) => actor }),
    elicitation: t.field({ type: 'Elicitation', nullable: true, description: 'As it is now: one that was asked may be settled meanwhile. Null: of RESYNC.', resolve: ({ elicitation }) => elicitation }),
  }),
});
