import { Migration } from '@mikro-orm/migrations';

/** What sessions have used and days have cost, each in rows of its own. The column in which a session's usage would have been was never written. */
export class Usage extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}

/** As MikroORM writes them from the entities, but for the index of a foreign key that is, or begins, the primary key. */
const statements = [
  'alter table "session" drop column "usage"',

  'create table "session_usage" ("session_id" text collate "C" not null primary key, "input_tokens" double precision not null, "output_tokens" double precision not null, "total_tokens" double precision not null, "cache_read_input_tokens" double precision not null, "cache_creation_input_tokens" double precision not null, "total_cost_usd" double precision null, "subtree_input_tokens" double precision not null, "subtree_output_tokens" double precision not null, "subtree_total_tokens" double precision not null, "subtree_cache_read_input_tokens" double precision not null, "subtree_cache_creation_input_tokens" double precision not null, "subtree_total_cost_usd" double precision null, constraint "session_usage_session_id_foreign" foreign key ("session_id") references "session" ("id") on update cascade on delete cascade)',

  'create table "usage_report" ("session_id" text collate "C" not null, "idempotency_key" text collate "C" not null, "input_tokens" double precision not null, "output_tokens" double precision not null, "total_tokens" double precision not null, "cache_read_input_tokens" double precision not null, "cache_creation_input_tokens" double precision not null, "cost_usd" double precision null, "created_at" timestamptz(3) not null, primary key ("session_id", "idempotency_key"), constraint "usage_report_session_id_foreign" foreign key ("session_id") references "session" ("id"))',

  'create table "daily_cost" ("owner_kind" text collate "C" not null, "owner_id" text collate "C" not null, "day" text collate "C" not null, "cost_usd" double precision not null, "ask_approved_usd" double precision not null, primary key ("owner_kind", "owner_id", "day"))',
];
