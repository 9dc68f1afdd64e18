import { Migration } from '@mikro-orm/migrations';

/** Most evaluations have no elicitation and no idempotency key: what is absent is not indexed, which was a quarter of each insert. */
export class SparseIndexes extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}

const statements = [
  'drop index "evaluation_elicitation_id_index"',
  'create index "evaluation_elicitation_id_index" on "evaluation" ("elicitation_id") where "elicitation_id" is not null',
  'drop index "evaluation_session_id_idempotency_key_unique"',
  'create unique index "evaluation_session_id_idempotency_key_unique" on "evaluation" ("session_id", "idempotency_key") where "idempotency_key" is not null',
];
