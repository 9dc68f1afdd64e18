import SchemaBuilder from '@pothos/core';
import RelayPlugin from '@pothos/plugin-relay';
import type { Agent, LabelDefinition } from '../entities/agent.entity.ts';
import type { ApiKey } from '../entities/api-key.entity.ts';
import type { AuditEntry } from '../entities/audit-entry.entity.ts';
import type { Elicitation } from '../entities/elicitation.entity.ts';
import type { Evaluation } from '../entities/evaluation.entity.ts';
import type { Policy } from '../entities/policy.entity.ts';
import type { Principal } from '../entities/principal.ts';
import type { Session } from '../entities/session.entity.ts';
import type { Usage } from '../entities/session-usage.entity.ts';
import type { InputIssue } from '../gate/outcome.ts';
import type { InboxEvent } from '../gate/watch-inbox-events.ts';
import type { SessionEvent } from '../gate/watch-session-events.ts';
import type { Decision, PolicySelector, PolicyStep } from '../policy/pass.ts';
import type { Handler } from '../policy/handler.ts';
import type { JsonObject } from '../policy/json.ts';
import type { StateUpdate } from '../policy/verdict.ts';
import type { GraphQLContext } from './context.ts';
import type { ErrorShapes } from './error-types.ts';

/** A handler as clients see it; for a stored policy also one that is not registered any more. */
export type PolicyHandler = Pick<Handler, 'name' | 'kind' | 'title' | 'description' | 'paramsSchema' | 'phases'>;

/** A resolved elicitation, with the part of it that the resolution has set. */
export type Resolution = Pick<Elicitation, 'content' | 'comment' | 'editedArguments'> & {
  readonly action: NonNullable<Elicitation['action']>;
  readonly by: Principal;
  readonly at: Date;
};

/** The object types that the success member of a result can be, and what stands behind each. */
export interface SuccessShapes {
  Agent: Agent;
  ApiKey: ApiKey;
  CreatedApiKey: { readonly key: ApiKey; readonly token: string };
  Session: Session;
  Policy: Policy;
  DeletedPolicy: { readonly id: string };
  Evaluation: Evaluation;
  Elicitation: Elicitation;
  ResolvedElicitations: { readonly elicitations: readonly Elicitation[] };
  EvaluationPreview: Decision;
}

interface PartShapes {
  AuditEntry: AuditEntry;
  InboxEvent: InboxEvent;
  InputIssue: InputIssue;
  LabelDefinition: LabelDefinition;
  PolicyHandler: PolicyHandler;
  PolicySelector: PolicySelector;
  PolicyStep: PolicyStep;
  SessionEvent: SessionEvent;
  Principal: Principal;
  Resolution: Resolution;
  StateUpdate: StateUpdate;
  Usage: Usage;
}

/**
 * The one builder. Types are named here with the TypeScript type behind each and refer to each other by name, so that the
 * files that give them their fields need not import each other. A name without such a file fails when the schema is built.
 */
export const builder = new SchemaBuilder<{
  Context: GraphQLContext;
  DefaultFieldNullability: false;
  DefaultEdgesNullability: false;
  DefaultNodeNullability: false;
  Scalars: {
    ID: { Input: string; Output: string };
    DateTime: { Input: Date; Output: Date };
    JSON: { Input: unknown; Output: unknown };
    JSONObject: { Input: JsonObject; Output: Readonly<Record<string, unknown>> };
  };
  Interfaces: { Node: { readonly id: string }; Error: { readonly message: string } };
  Objects: SuccessShapes & ErrorShapes & PartShapes;
}>({
  plugins: [RelayPlugin],
  defaultFieldNullability: false,
  relay: {
    nodeQueryOptions: false,
    nodesQueryOptions: false,
    nodeTypeOptions: { name: 'RelayNode' },
    pageInfoTypeOptions: { description: 'Where a page lies in its list, as the Relay cursor connections specification defines it.' },
    hasNextPageFieldOptions: { description: 'Whether older items follow this page.' },
    hasPreviousPageFieldOptions: { description: 'Whether newer items precede this page.' },
    startCursorFieldOptions: { description: "The first edge's cursor; null on an empty page." },
    endCursorFieldOptions: { description: "The last edge's cursor, to be given as `after` for the next page; null on an empty page." },
    pageInfoFieldOptions: { description: 'Where this page lies in the list.' },
    edgesFieldOptions: { nullable: false, description: 'The items of this page, newest first, each with its cursor.' },
    nodeFieldOptions: { nullable: false, description: 'The item.' },
    cursorFieldOptions: { description: "The item's place in the list, opaque. It stays good when the item is gone." },
    firstArgOptions: { description: 'How many items from the start, which is the newest: 1 to 100, default 20. Not together with `last`. Any other number is a BAD_USER_INPUT error.' },
    afterArgOptions: { description: 'Only items after the one of this cursor. A cursor of another list is a BAD_USER_INPUT error.' },
    lastArgOptions: { description: 'How many items from the end, which is the oldest: 1 to 100. Not together with `first`. Any other number is a BAD_USER_INPUT error.' },
    beforeArgOptions: { description: 'Only items before the one of this cursor. A cursor of another list is a BAD_USER_INPUT error.' },
  },
});

builder.queryType({ description: 'What can be read. A field whose type can be null is null for what is not there, not an error.' });
builder.mutationType({
  description:
    'What can be changed. Each field answers with a union: the changed object, or an error type that tells what was wrong. Ask for `... on Error { message }` to catch them all.',
});
builder.subscriptionType({ description: 'What can be watched: over graphql-ws (the graphql-transport-ws protocol), or over HTTP as server-sent events.' });
