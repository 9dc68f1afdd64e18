import { Migration } from '@mikro-orm/migrations';

/** What concerns the inbox is one event of many: without an index of its own a reader would pass every judged call. */
export class InboxEvents extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}

const statements = [
  "create index `session_event_inbox_index` on `session_event` (`position`) where `type` in ('ELICITATION_REQUESTED', 'ELICITATION_RESOLVED', 'ELICITATION_EXPIRED')",
  "create index `session_event_asked_index` on `session_event` (`subject`) where `type` = 'ELICITATION_REQUESTED'",
];
