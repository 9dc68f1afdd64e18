import { Migration } from '@mikro-orm/migrations';

/** What sessions have used and days have cost, each in rows of its own. The column in which a session's usage would have been was never written. */
export class Usage extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}

/** As MikroORM writes them from the entities, but for the index of a foreign key that is, or begins, the primary key. */
const statements = [
  'alter table `session` drop column `usage`',

  'create table `session_usage` (`session_id` text not null primary key, `input_tokens` double not null, `output_tokens` double not null, `total_tokens` double not null, `cache_read_input_tokens` double not null, `cache_creation_input_tokens` double not null, `total_cost_usd` double null, `subtree_input_tokens` double not null, `subtree_output_tokens` double not null, `subtree_total_tokens` double not null, `subtree_cache_read_input_tokens` double not null, `subtree_cache_creation_input_tokens` double not null, `subtree_total_cost_usd` double null, constraint `session_usage_session_id_foreign` foreign key (`session_id`) references `session` (`id`) on update cascade on delete cascade)',

  'create table `usage_report` (`session_id` text not null, `idempotency_key` text not null, `input_tokens` double not null, `output_tokens` double not null, `total_tokens` double not null, `cache_read_input_tokens` double not null, `cache_creation_input_tokens` double not null, `cost_usd` double null, `created_at` datetime not null, primary key (`session_id`, `idempotency_key`), constraint `usage_report_session_id_foreign` foreign key (`session_id`) references `session` (`id`))',

  'create table `daily_cost` (`owner_kind` text not null, `owner_id` text not null, `day` text not null, `cost_usd` double not null, `ask_approved_usd` double not null, primary key (`owner_kind`, `owner_id`, `day`))',
];
