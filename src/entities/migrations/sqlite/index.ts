import type { MigrationObject } from '@mikro-orm/core';
import { Initial } from './0001-initial.ts';
import { Usage } from './0002-usage.ts';
import { ApiKeys } from './0003-api-keys.ts';
import { Audit } from './0004-audit.ts';
import { MaskedEvents } from './0005-masking.ts';
import { Installation } from './0006-installation.ts';
import { Servers } from './0007-servers.ts';
import { SessionEvents } from './0008-session-events.ts';
import { SessionKeys } from './0009-session-keys.ts';
import { InboxEvents } from './0010-inbox-events.ts';
import { SparseIndexes } from './0011-sparse-indexes.ts';

/** In order. A name is stored in every database that has the migration: never rename one, never change one that was released. */
export const sqliteMigrations: MigrationObject[] = [
  { name: '0001-initial', class: Initial },
  { name: '0002-usage', class: Usage },
  { name: '0003-api-keys', class: ApiKeys },
  { name: '0004-audit', class: Audit },
  { name: '0005-masking', class: MaskedEvents },
  { name: '0006-installation', class: Installation },
  { name: '0007-servers', class: Servers },
  { name: '0008-session-events', class: SessionEvents },
  { name: '0009-session-keys', class: SessionKeys },
  { name: '0010-inbox-events', class: InboxEvents },
  { name: '0011-sparse-indexes', class: SparseIndexes },
];
