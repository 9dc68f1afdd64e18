import { Migration } from '@mikro-orm/migrations';

/** Which servers run, and which of them holds a call. */
export class Servers extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}

const statements = [
  'create table "server" ("id" text collate "C" not null primary key, "started_at" bigint not null, "seen_at" bigint not null)',
  'alter table "evaluation" add column "held_by" text collate "C" null',
];
