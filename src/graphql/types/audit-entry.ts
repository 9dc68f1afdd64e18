import { builder } from '../builder.ts';
import { AuditAction } from './enums.ts';

builder.objectType('AuditEntry', {
  description: 'One link of the audit chain, which only grows: who did what to what. It never holds a credential.',
  interfaces: ['Node'],
  fields: (t) => ({
    sequence: t.exposeInt('sequence', { description: '1 for the first entry; without a gap.' }),
    at: t.expose('at', { type: 'DateTime', description: 'When it was done.' }),
    actor: t.expose('actor', { type: 'Principal', description: 'Who did it, under the name of that day.' }),
    action: t.expose('action', { type: AuditAction, description: 'What was done.' }),
    subject: t.id({ nullable: true, description: 'The id of what it was done to; null: nothing that has one, as of a failed sign-in.', resolve: ({ subject }) => subject ?? null }),
    before: t.field({ type: 'JSON', nullable: true, description: 'What was there, as far as it was changed; null: nothing.', resolve: ({ before }) => before ?? null }),
    after: t.field({ type: 'JSON', nullable: true, description: 'What is there since; of a resolution: action, comment, content and edits; null: nothing.', resolve: ({ after }) => after ?? null }),
    previousHash: t.exposeString('previousHash', { description: 'The hash of the entry before; of the first: 64 zeros.' }),
    hash: t.exposeString('hash', { description: 'SHA-256, in hexadecimal, over the RFC 8785 JSON of all fields above.' }),
  }),
});
