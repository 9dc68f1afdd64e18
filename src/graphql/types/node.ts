import { builder } from '../builder.ts';
import type { Loaders } from '../loaders.ts';

/** The prefix of an id names its type. */
const nodeTypes = { agt: 'Agent', ses: 'Session', pol: 'Policy', evl: 'Evaluation', elc: 'Elicitation', key: 'ApiKey', aud: 'AuditEntry' } as const;

const loaderNames = { agt: 'agent', ses: 'session', pol: 'policy', evl: 'evaluation', elc: 'elicitation', key: 'apiKey', aud: 'auditEntry' } as const satisfies Record<keyof typeof nodeTypes, keyof Loaders>;

function prefixOf(id: string): keyof typeof nodeTypes | null {
  const prefix = id.slice(0, id.indexOf('_'));
  return Object.hasOwn(nodeTypes, prefix) ? (prefix as keyof typeof nodeTypes) : null;
}

/** Null: no type has ids like this, or there is no such row. */
export async function findNode(id: string, loaders: Loaders): Promise<{ readonly id: string } | null> {
  const prefix = prefixOf(id);
  return prefix && loaders[loaderNames[prefix]].find(id);
}

builder.interfaceType('Node', {
  description: 'Whatever has a global id (Relay global object identification).',
  resolveType: ({ id }) => {
    const prefix = prefixOf(id);
    return prefix && nodeTypes[prefix];
  },
  fields: (t) => ({
    id: t.exposeID('id', {
      description: 'Global, opaque and ordered by time: a prefix for the type (`agt_`, `ses_`, `pol_`, `evl_`, `elc_`, `key_`, `aud_`), then a UUIDv7 in Crockford base 32 (TypeID). `node` finds it again.',
    }),
  }),
});
