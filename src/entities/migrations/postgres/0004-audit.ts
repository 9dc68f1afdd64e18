import { Migration } from '@mikro-orm/migrations';

/** The audit chain, and its end. */
export class Audit extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}

/** As MikroORM writes them from the entities, and the end of a chain that has no entry yet. */
const statements = [
  'create table "audit_entry" ("id" text collate "C" not null primary key, "sequence" bigint not null, "at" timestamptz(3) not null, "actor" json not null, "action" text collate "C" not null, "subject" text collate "C" null, "before" json null, "after" json null, "previous_hash" text collate "C" not null, "hash" text collate "C" not null)',
  'create unique index "audit_entry_sequence_unique" on "audit_entry" ("sequence")',
  'create table "audit_head" ("id" int not null primary key, "sequence" bigint not null, "hash" text collate "C" not null)',
  `insert into "audit_head" ("id", "sequence", "hash") values (1, 0, '${'0'.repeat(64)}')`,
];
