import { Migration } from '@mikro-orm/migrations';

/** What a session was created with, so that it is created once. */
export class SessionKeys extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}

const statements = [
  'alter table "session" add column "creation_key" text collate "C" null',
  'create unique index "session_creation_key_unique" on "session" ("creation_key")',
];
