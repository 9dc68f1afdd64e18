import { Migration } from '@mikro-orm/migrations';

/** What happens in sessions, to be read from any place on. It begins with what is pending. */
export class SessionEvents extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}

const statements = [
  'create table `session_event` (`position` integer not null primary key autoincrement, `transaction_id` integer not null, `session_id` text not null, `type` text not null, `subject` text null, `name` text null, `actor` json null, `at` integer not null)',
  'create index `session_event_session_index` on `session_event` (`session_id`, `position`)',
  'create table `session_event_floor` (`id` integer not null primary key, `transaction_id` integer not null, `position` integer not null)',
  'insert into `session_event_floor` (`id`, `transaction_id`, `position`) values (1, 0, 0)',
  "insert into `session_event` (`transaction_id`, `session_id`, `type`, `subject`, `at`) select 0, `session_id`, 'ELICITATION_REQUESTED', `id`, `requested_at` from `elicitation` where `settled_at` is null order by `id`",
  // A trigger, for an evaluation is judged thousands of times a second: a statement of its own took a tenth of that.
  `create trigger \`session_event_of_evaluation\` after insert on \`evaluation\` begin
    insert into \`session_event\` (\`transaction_id\`, \`session_id\`, \`type\`, \`subject\`, \`at\`) values (0, new.\`session_id\`, 'EVALUATION_JUDGED', new.\`id\`, new.\`created_at\`);
  end`,
];
