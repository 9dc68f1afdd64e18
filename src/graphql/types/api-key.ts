import { builder } from '../builder.ts';
import { Role } from './enums.ts';

builder.objectType('ApiKey', {
  description: 'A credential: who shows its token is let in. The token itself is shown once, when the key is created, and stored nowhere.',
  interfaces: ['Node'],
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Unique, also among revoked keys. 1 to 256 characters.' }),
    role: t.expose('role', { type: Role, description: 'What it is for.' }),
    owner: t.expose('owner', { type: 'Principal', description: "The user behind it. An agent's key acts for this user, any other key acts as this user." }),
    agents: t.exposeStringList('agents', { nullable: true, description: 'Patterns of the names of the agents that it reaches, `*` for any text; null: all.' }),
    ownSessionsOnly: t.exposeBoolean('ownSessionsOnly', { description: "Whether it reaches only its owner's sessions." }),
    hint: t.exposeString('hint', { description: 'The first characters of the token, to tell keys apart.' }),
    createdBy: t.expose('createdBy', { type: 'Principal', description: 'Who created it.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true, description: 'From when on it opens nothing; null: never by itself.' }),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true, description: 'When it was revoked; null: it was not.' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true, description: 'When it was last shown, to the minute; null: never.' }),
  }),
});

builder.objectType('CreatedApiKey', {
  description: 'A new key with its token.',
  fields: (t) => ({
    key: t.expose('key', { type: 'ApiKey', description: 'The key.' }),
    token: t.exposeString('token', { description: 'What its holder sends as `Authorization: Bearer <token>`. Shown here and never again.' }),
  }),
});
