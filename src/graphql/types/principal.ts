import { builder } from '../builder.ts';
import { PrincipalKind } from './enums.ts';

builder.objectType('Principal', {
  description: 'Who calls or called: always taken from the credential, never from an input. Records keep the name that it had then.',
  fields: (t) => ({
    kind: t.expose('kind', { type: PrincipalKind, description: 'A person, an agent or Countersign itself.' }),
    id: t.exposeString('id', { description: 'Stable for the same caller. `local` is the one user of a server without credentials, `system` is Countersign itself.' }),
    name: t.exposeString('name', { description: 'For people.' }),
  }),
});
