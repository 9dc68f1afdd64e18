import { defineEntity, p } from '@mikro-orm/core';
import type { ServerId } from './id.ts';

/** A server that runs, or ran until lately. By the database's clock, in milliseconds since 1970: those of the servers may differ. */
export const ServerSchema = defineEntity({
  name: 'Server',
  tableName: 'server',
  properties: {
    id: p.string().$type<ServerId>().primary(),
    startedAt: p.bigint('number'),
    /** When it last said that it lives. */
    seenAt: p.bigint('number'),
  },
});

