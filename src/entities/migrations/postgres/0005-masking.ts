import { Migration } from '@mikro-orm/migrations';

/** What of an event is stored masked. What was stored before is not. */
export class MaskedEvents extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}

const statements = [
  'alter table "evaluation" add column "digest" text collate "C" null',
  'alter table "evaluation" add column "masked_paths" json null',
  'alter table "evaluation" add column "data_digest" text collate "C" null',
  'alter table "elicitation" add column "masked_paths" json null',
];
