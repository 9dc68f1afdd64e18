import { Migration } from '@mikro-orm/migrations';

/** Agents, sessions, policies, elicitations, evaluations. */
export class Initial extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}

/**
 * As MikroORM writes them from the entities, with three differences (test/entities/migrations.test.ts lists them): checks that keep
 * a wrong verdict out whoever writes it, partial indexes for what is looked for all the time, and no index of a foreign key that
 * is the beginning of another index.
 */
const statements = [
  'create table "agent" ("id" text collate "C" not null primary key, "name" text collate "C" not null, "description" text collate "C" null, "ask_timeout_seconds" int null, "label_definitions" json not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null)',
  'create unique index "agent_name_unique" on "agent" ("name")',

  'create table "session" ("id" text collate "C" not null primary key, "agent_id" text collate "C" not null, "parent_id" text collate "C" null, "path" text collate "C" not null, "title" text collate "C" null, "owner" json not null, "labels" json not null, "state" json not null, "usage" json not null, "model" text collate "C" null, "harness" text collate "C" null, "evaluators" json not null, "version" text collate "C" not null, "created_at" timestamptz(3) not null, "ended_at" timestamptz(3) null, constraint "session_agent_id_foreign" foreign key ("agent_id") references "agent" ("id"), constraint "session_parent_id_foreign" foreign key ("parent_id") references "session" ("id") on delete set null)',
  'create index "session_path_index" on "session" ("path")',
  'create index "session_agent_id_id_index" on "session" ("agent_id", "id")',
  'create index "session_parent_id_id_index" on "session" ("parent_id", "id")',

  `create table "policy" ("id" text collate "C" not null primary key, "level" text collate "C" not null, "agent_id" text collate "C" null, "session_id" text collate "C" null, "target" text collate "C" not null, "name" text collate "C" not null, "handler" text collate "C" not null, "params" json null, "on" json null, "condition" json null, "writable_labels" json null, "ask_timeout_seconds" int null, "enabled" boolean not null, "created_by" json not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, constraint "policy_agent_id_foreign" foreign key ("agent_id") references "agent" ("id") on delete set null, constraint "policy_session_id_foreign" foreign key ("session_id") references "session" ("id") on delete set null,
    constraint "policy_target_is_level" check (case "level" when 'SERVER' then "target" = 'server' and "agent_id" is null and "session_id" is null when 'AGENT' then "target" = "agent_id" and "session_id" is null when 'SESSION' then "target" = "session_id" and "agent_id" is null else false end))`,
  'create index "policy_agent_id_index" on "policy" ("agent_id")',
  'create index "policy_session_id_index" on "policy" ("session_id")',
  'create index "policy_target_id_index" on "policy" ("target", "id")',
  'create unique index "policy_target_name_unique" on "policy" ("target", "name")',

  `create table "elicitation" ("id" text collate "C" not null primary key, "session_id" text collate "C" not null, "message" text collate "C" not null, "phase" text collate "C" not null, "policy_names" json not null, "content_preview" text collate "C" not null, "event" json not null, "digest" text collate "C" not null, "requested_schema" json not null, "checkpoint" text collate "C" null, "requested_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, "settled_at" timestamptz(3) null, "action" text collate "C" null, "content" json null, "comment" text collate "C" null, "edited_arguments" json null, "resolved_by" json null, constraint "elicitation_session_id_foreign" foreign key ("session_id") references "session" ("id"),
    constraint "elicitation_action_known" check ("action" is null or "action" in ('ACCEPT', 'DECLINE', 'CANCEL')),
    constraint "elicitation_pending_has_no_action" check ("settled_at" is not null or "action" is null),
    constraint "elicitation_action_has_author" check (("action" is null) = ("resolved_by" is null)))`,
  'create index "elicitation_session_id_id_index" on "elicitation" ("session_id", "id")',
  'create unique index "elicitation_pending_checkpoint_unique" on "elicitation" ("session_id", "checkpoint") where "settled_at" is null and "checkpoint" is not null',
  'create index "elicitation_pending_session_index" on "elicitation" ("session_id", "id") where "settled_at" is null',
  'create index "elicitation_pending_expires_at_index" on "elicitation" ("expires_at") where "settled_at" is null',

  `create table "evaluation" ("id" text collate "C" not null primary key, "session_id" text collate "C" not null, "principal" json not null, "phase" text collate "C" not null, "event" json not null, "idempotency_key" text collate "C" null, "model" text collate "C" null, "harness" text collate "C" null, "verdict" text collate "C" not null, "status" text collate "C" not null, "decided_by" text collate "C" null, "reason" text collate "C" null, "deciding_policies" json not null, "data" json null, "withheld" json null, "elicitation_id" text collate "C" null, "ticket" boolean not null, "abandon_at" timestamptz(3) null, "created_at" timestamptz(3) not null, "decided_at" timestamptz(3) null, constraint "evaluation_session_id_foreign" foreign key ("session_id") references "session" ("id"), constraint "evaluation_elicitation_id_foreign" foreign key ("elicitation_id") references "elicitation" ("id") on delete set null,
    constraint "evaluation_status_fits_verdict" check (case "status" when 'AWAITING_APPROVAL' then "verdict" = 'ASK' when 'DECIDED' then "verdict" in ('ALLOW', 'DENY') when 'ABANDONED' then "verdict" = 'DENY' else false end),
    constraint "evaluation_undecided_has_no_decision" check (("verdict" = 'ASK') = ("decided_at" is null) and ("verdict" = 'ASK') = ("decided_by" is null)),
    constraint "evaluation_decision_fits_verdict" check ("decided_by" is null or "decided_by" in ('POLICY', 'PERSON') or ("verdict" = 'DENY' and "decided_by" in ('EXPIRY', 'CANCELLATION', 'FAILURE'))),
    constraint "evaluation_undecided_has_elicitation" check ("verdict" <> 'ASK' or "elicitation_id" is not null))`,
  'create index "evaluation_session_id_id_index" on "evaluation" ("session_id", "id")',
  'create index "evaluation_elicitation_id_index" on "evaluation" ("elicitation_id")',
  'create unique index "evaluation_session_id_idempotency_key_unique" on "evaluation" ("session_id", "idempotency_key")',
  `create index "evaluation_awaiting_session_index" on "evaluation" ("session_id", "id") where "status" = 'AWAITING_APPROVAL'`,
  'create index "evaluation_abandon_at_index" on "evaluation" ("abandon_at") where "abandon_at" is not null',
];
