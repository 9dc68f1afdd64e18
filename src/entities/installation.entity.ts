import { defineEntity, p } from '@mikro-orm/core';

/** What there is once in a database, for all of its servers: one row, with the id 1. */
export const InstallationSchema = defineEntity({
  name: 'Installation',
  tableName: 'installation',
  properties: {
    id: p.integer().primary().autoincrement(false),
    /** Counts the changes of what sessions are judged by, beside the session itself: policies and agents. */
    policyEpoch: p.bigint('number'),
    /** Of the servers' secret key, in hexadecimal, so that one with another key is noticed. Null: no server has started yet. */
    keyFingerprint: p.string().length(64).nullable(),
  },
});
