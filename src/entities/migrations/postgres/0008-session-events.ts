import { Migration } from '@mikro-orm/migrations';

/** What happens in sessions, to be read from any place on. It begins with what is pending. */
export class SessionEvents extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}

const statements = [
  'create table "session_event" ("position" bigserial primary key, "transaction_id" bigint not null default (pg_current_xact_id()::text::bigint), "session_id" text collate "C" not null, "type" text collate "C" not null, "subject" text collate "C" null, "name" text collate "C" null, "actor" json null, "at" bigint not null)',
  'create index "session_event_session_index" on "session_event" ("session_id", "transaction_id", "position")',
  'create index "session_event_order_index" on "session_event" ("transaction_id", "position")',
  'create table "session_event_floor" ("id" int not null primary key, "transaction_id" bigint not null, "position" bigint not null)',
  'insert into "session_event_floor" ("id", "transaction_id", "position") values (1, 0, 0)',
  `insert into "session_event" ("session_id", "type", "subject", "at") select "session_id", 'ELICITATION_REQUESTED', "id", (extract(epoch from "requested_at") * 1000)::bigint from "elicitation" where "settled_at" is null order by "id"`,
  // A trigger, for an evaluation is judged thousands of times a second: a statement of its own took a tenth of that.
  `create function "session_event_of_evaluation"() returns trigger language plpgsql as $$ begin
    insert into "session_event" ("session_id", "type", "subject", "at") select "session_id", 'EVALUATION_JUDGED', "id", (extract(epoch from "created_at") * 1000)::bigint from "judged" order by "id";
    return null;
  end $$`,
  'create trigger "session_event_of_evaluation" after insert on "evaluation" referencing new table as "judged" for each statement execute function "session_event_of_evaluation"()',
];
