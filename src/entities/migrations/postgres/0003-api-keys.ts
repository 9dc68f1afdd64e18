import { Migration } from '@mikro-orm/migrations';

/** Credentials, and who owns a session as a condition. */
export class ApiKeys extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}

/** As MikroORM writes them from the entities, but for the index of what a condition looks for inside of JSON. */
const statements = [
  'create table "api_key" ("id" text collate "C" not null primary key, "name" text collate "C" not null, "role" text collate "C" not null, "owner" json not null, "agents" json null, "own_sessions_only" boolean not null, "hash" text collate "C" not null, "hint" text collate "C" not null, "created_by" json not null, "created_at" timestamptz(3) not null, "expires_at" timestamptz(3) null, "revoked_at" timestamptz(3) null, "last_used_at" timestamptz(3) null)',
  'create unique index "api_key_name_unique" on "api_key" ("name")',
  'create unique index "api_key_hash_unique" on "api_key" ("hash")',
  `create index "session_owner_id_index" on "session" (("owner" ->> 'id'))`,
];
