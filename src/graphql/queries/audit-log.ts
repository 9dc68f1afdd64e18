import type { FilterQuery } from '@mikro-orm/core';
import { AuditEntrySchema, type AuditAction as Action, type AuditEntry } from '../../entities/audit-entry.entity.ts';
import { auditEntryId } from '../../entities/id.ts';
import { builder } from '../builder.ts';
import { pageOf } from '../page.ts';
import { AuditEntryConnection } from '../types/connections.ts';
import { AuditAction } from '../types/enums.ts';

const AuditFilter = builder.inputType('AuditFilter', {
  description: 'Which entries: those that meet all that is given.',
  fields: (t) => ({
    actions: t.field({ type: [AuditAction], description: 'Those of one of these actions. `[]` meets none.' }),
    actorId: t.id({ description: 'What this principal did.' }),
    subjectId: t.id({ description: 'What was done to this.' }),
    from: t.field({ type: 'DateTime', description: 'Not earlier than this.' }),
    until: t.field({ type: 'DateTime', description: 'Earlier than this.' }),
  }),
});

builder.queryField('auditLog', (t) =>
  t.connection(
    {
      type: 'AuditEntry',
      description: 'Who did what, newest first.',
      args: { filter: t.arg({ type: AuditFilter, description: 'Which entries. Default: all.' }) },
      resolve: (_root, { filter, ...args }, context) =>
        pageOf(args, auditEntryId, ({ where, options }) => context.gate().em.find(AuditEntrySchema, { $and: [...conditions(filter ?? {}), where] }, options)),
    },
    AuditEntryConnection,
  ),
);

interface Filter {
  readonly actions?: readonly Action[] | null | undefined;
  readonly actorId?: string | null | undefined;
  readonly subjectId?: string | null | undefined;
  readonly from?: Date | null | undefined;
  readonly until?: Date | null | undefined;
}

function conditions({ actions, actorId, subjectId, from, until }: Filter): FilterQuery<AuditEntry>[] {
  return [
    ...(actions ? [{ action: { $in: [...actions] } }] : []),
    ...(actorId == null ? [] : [{ actor: { id: actorId } }]),
    ...(subjectId == null ? [] : [{ subject: subjectId }]),
    ...(from ? [{ at: { $gte: from } }] : []),
    ...(until ? [{ at: { $lt: until } }] : []),
  ] as FilterQuery<AuditEntry>[];
}
