/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
type DocumentTypeDecoration<Result, Variables> = { __apiType?: (variables: Variables) => Result };
/** A file that comes with a message. */
export type AttachmentInput = {
  /** Its media type, such as `text/plain`. Omitted: unknown. */
  readonly contentType?: string | null | undefined;
  /** Its name. Omitted: unknown. */
  readonly filename?: string | null | undefined;
  /** Its text, where it is text. Omitted: policies do not see what is in it. */
  readonly text?: string | null | undefined;
};

/** What the audit log records. */
export type AuditAction =
  /** An agent was created. */
  | 'AGENT_CREATED'
  /** An agent was changed. */
  | 'AGENT_UPDATED'
  /** A key was created. */
  | 'API_KEY_CREATED'
  /** A key was revoked. */
  | 'API_KEY_REVOKED'
  /** Nobody decided in time. */
  | 'ELICITATION_EXPIRED'
  /** One more evaluation waits for what a person was asked already. */
  | 'ELICITATION_JOINED'
  /** A person was asked; `actor` is whose evaluation raised it. */
  | 'ELICITATION_REQUESTED'
  /** An elicitation was resolved: `after` has the action, comment, content and edits; `ownApproval` is there and true where the accepting person evaluates on the session as well. */
  | 'ELICITATION_RESOLVED'
  /** An undecided evaluation was withdrawn, or its caller did not come back. */
  | 'EVALUATION_ABANDONED'
  /** After another approval the policies no longer asked; `after` has the verdict. */
  | 'EVALUATION_SETTLED_BY_POLICY'
  /** A caller was refused because of a limit; `after` has the limit and how often within the minute. */
  | 'LIMIT_HIT'
  /** A policy was attached. */
  | 'POLICY_CREATED'
  /** A policy was deleted. */
  | 'POLICY_DELETED'
  /** A policy was changed. */
  | 'POLICY_UPDATED'
  /** A session was ended. */
  | 'SESSION_ENDED'
  /** A session's title, labels or model were changed by a caller. What policies write is not recorded here. */
  | 'SESSION_UPDATED'
  /** A credential was refused; `after` has the address and how often within the minute. */
  | 'SIGN_IN_FAILED'
  | '%future added value';

/** Which entries: those that meet all that is given. */
export type AuditFilter = {
  /** Those of one of these actions. `[]` meets none. */
  readonly actions?: ReadonlyArray<AuditAction> | null | undefined;
  /** What this principal did. */
  readonly actorId?: string | null | undefined;
  /** Not earlier than this. */
  readonly from?: string | null | undefined;
  /** What was done to this. */
  readonly subjectId?: string | null | undefined;
  /** Earlier than this. */
  readonly until?: string | null | undefined;
};

/** A new agent. */
export type CreateAgentInput = {
  /** How long an ask waits for a decision where its policy does not say: 1 to 31,536,000 seconds (a year). Default: 86,400 (a day). */
  readonly askTimeoutSeconds?: number | null | undefined;
  /** For people, at most 4,096 characters. Default: none. */
  readonly description?: string | null | undefined;
  /** The labels that its sessions know, at most 100. Default: none, all labels are free. */
  readonly labelDefinitions?: ReadonlyArray<LabelDefinitionInput> | null | undefined;
  /** Unique in the installation: 1 to 256 characters once trimmed, not beginning with `__`. Taken: ConflictError. */
  readonly name: string;
};

/** A new key. */
export type CreateApiKeyInput = {
  /** Patterns of the names of the agents that it reaches, at most 100, `*` for any text. Default: all. */
  readonly agents?: ReadonlyArray<string> | null | undefined;
  /** From when on it opens nothing, in the future. Default: never by itself. */
  readonly expiresAt?: string | null | undefined;
  /** Unique, also among revoked keys: 1 to 256 characters once trimmed, not beginning with `__`. Taken: ConflictError. */
  readonly name: string;
  /** Whether it reaches only its owner's sessions. An AGENT's key never reaches others. Default: false. */
  readonly ownSessionsOnly?: boolean | null | undefined;
  /** The id of the user behind it, 1 to 256 characters. Give a person's keys the same: nobody approves what another of their keys asks for. Default: a user named like the key. */
  readonly owner?: string | null | undefined;
  /** What it is for. */
  readonly role: Role;
};

/** A new policy. */
export type CreatePolicyInput = {
  /** How long its asks wait for a decision: 1 to 31,536,000 seconds. Default: the agent's, else 86,400. Of several askers the shortest counts. */
  readonly askTimeoutSeconds?: number | null | undefined;
  /** When it judges: label → a value or a list of values, all text. Each label must have the value, or one of the list; a label that the session lacks never matches. Default: always. */
  readonly condition?: Readonly<Record<string, unknown>> | null | undefined;
  /** Whether it judges at all. Default true. */
  readonly enabled?: boolean | null | undefined;
  /** What judges: a name of `policyRegistry`. The longer spelling of a builtin (`omnigent.policies.builtins.…`) is taken, too, and stored short. It decides whether the policy takes params. */
  readonly handler: string;
  /** Unique on its target: 1 to 256 characters once trimmed, not beginning with `__`. Taken: ConflictError. */
  readonly name: string;
  /** What it judges: events that match any of these, 1 to 50. Default: all of the handler's phases. */
  readonly on?: ReadonlyArray<PolicySelectorInput> | null | undefined;
  /** The handler's params, checked against its `paramsSchema` and by building it. Default: those of the handler. Kept and shown as they are: put no secret in them. */
  readonly params?: Readonly<Record<string, unknown>> | null | undefined;
  /** What it is attached to. It never changes. */
  readonly target: PolicyTargetInput;
  /** The labels that it may write, at most 100; what it wants to write elsewhere is dropped. Default: any that is not reserved. */
  readonly writableLabels?: ReadonlyArray<string> | null | undefined;
};

/** A new session. */
export type CreateSessionInput = {
  /** Whose run it is. Unknown: NotFoundError. */
  readonly agentId: string;
  /** The program that runs the agent, such as `claude-code`, 1 to 256 characters. Default: unknown. */
  readonly harness?: string | null | undefined;
  /** What the run is known by where it runs: 1 to 256 characters, once trimmed. Same key, same agent, same owner: the session that was created first, as it is now, and nothing else of the input counts. Omitted: each call is a new session. */
  readonly idempotencyKey?: string | null | undefined;
  /** Label → value, both text: keys of 1 to 128 characters, not reserved, values of at most 256. Default: the initial values of the agent's label definitions; given labels go over them. */
  readonly labels?: Readonly<Record<string, unknown>> | null | undefined;
  /** The language model that it runs with, 1 to 256 characters. Default: unknown. */
  readonly model?: string | null | undefined;
  /** The session that starts this one, for a sub-agent. Unknown: NotFoundError; ended: ConflictError; more than 32 deep: InvalidInputError. Default: none. */
  readonly parentId?: string | null | undefined;
  /** For people: 1 to 256 characters once trimmed. Default: none. */
  readonly title?: string | null | undefined;
};

/** Who or what decided an evaluation. An ask that ran out and one that was declined are never confused. */
export type DecisionSource =
  /** A cancel: by a person, by the end of the session, or because the caller has gone. The verdict is DENY. */
  | 'CANCELLATION'
  /** The deadline: nobody decided in time. The verdict is DENY. */
  | 'EXPIRY'
  /** A policy that failed to judge, or whose writes no longer fit the session. The verdict is DENY; the server's log has more. */
  | 'FAILURE'
  /** A person who accepted or declined the elicitation. */
  | 'PERSON'
  /** The policies, without asking a person. */
  | 'POLICY'
  | '%future added value';

/** Which policy is to go. */
export type DeletePolicyInput = {
  /** The policy. Unknown, or deleted already: NotFoundError. */
  readonly policyId: string;
};

/** A person's answer to an elicitation: the three actions of MCP elicitation (Model Context Protocol), in upper case. */
export type ElicitationAction =
  /** Yes: the waiting evaluations become ALLOW. */
  | 'ACCEPT'
  /** Dismissed without an answer: they become DENY, decided by CANCELLATION. */
  | 'CANCEL'
  /** No: they become DENY, decided by PERSON, with the comment as the reason. */
  | 'DECLINE'
  | '%future added value';

/** Which elicitations: those that meet all that is given. An unknown id meets none. */
export type ElicitationFilter = {
  /** Those of this agent's sessions. */
  readonly agentId?: string | null | undefined;
  /** Those raised later than this moment. */
  readonly requestedAfter?: string | null | undefined;
  /** Those of this session, its descendants not included. */
  readonly sessionId?: string | null | undefined;
  /** Those that stand there now. */
  readonly status?: ElicitationStatus | null | undefined;
};

/** Where an elicitation stands at the moment of reading. All but PENDING are final. */
export type ElicitationStatus =
  /** Resolved with ACCEPT. */
  | 'ACCEPTED'
  /** Resolved with CANCEL: by a person, or by Countersign because nothing waits for it any more. */
  | 'CANCELLED'
  /** Resolved with DECLINE. */
  | 'DECLINED'
  /** The deadline passed without a resolution. */
  | 'EXPIRED'
  /** Not resolved, and its deadline is still ahead. */
  | 'PENDING'
  | '%future added value';

/** Which session is over. */
export type EndSessionInput = {
  /** The session. Unknown: NotFoundError. Ending an ended one changes nothing. */
  readonly sessionId: string;
};

/** What an agent is about to do, and how long the call may take. */
export type EvaluatePolicyInput = {
  /** What is to be judged. */
  readonly event: PolicyEventInput;
  /** The program that the caller runs in now, 1 to 256 characters. Default: the session's. */
  readonly harness?: string | null | undefined;
  /** 1 to 256 characters, once trimmed. Same key, same session, same event: the same evaluation, never a second elicitation, across reconnects and restarts. Same key, other event: IdempotencyKeyReusedError. Omitted: each call is a new evaluation. */
  readonly idempotencyKey?: string | null | undefined;
  /** The language model that the caller runs with now, 1 to 256 characters. Default: the session's. */
  readonly model?: string | null | undefined;
  /** The session that acts. Unknown: NotFoundError; ended: ConflictError. */
  readonly sessionId: string;
  /** How long to hold the call open while a person decides: 0 to 31,536,000 seconds. Omitted: until decided. 0: answer at once. Whoever sets it takes a ticket: the evaluation waits on after the call, and the grace time does not apply. */
  readonly waitSeconds?: number | null | undefined;
};

/** How far an evaluation has come. DECIDED and ABANDONED are final. */
export type EvaluationStatus =
  /** The caller gave up before a decision: it withdrew, or was gone for longer than the grace time. The verdict is DENY, by CANCELLATION. */
  | 'ABANDONED'
  /** A person has to decide. The verdict is ASK. */
  | 'AWAITING_APPROVAL'
  /** The verdict is ALLOW or DENY and stays so. */
  | 'DECIDED'
  | '%future added value';

/** Whether a handler takes params. */
export type HandlerKind =
  /** It takes none. */
  | 'CALLABLE'
  /** It takes params, which `paramsSchema` describes. */
  | 'FACTORY'
  | '%future added value';

/** A label that an agent's sessions know. */
export type LabelDefinitionInput = {
  /** Its value in a new session that does not give one, at most 256 characters. Omitted: absent. Where `values` is given, one of them. */
  readonly initial?: string | null | undefined;
  /** The label: 1 to 128 characters, unique in the list, not reserved. */
  readonly key: string;
  /** The values that policies may write to it: 1 to 100, each at most 256 characters. Omitted: any. */
  readonly values?: ReadonlyArray<string> | null | undefined;
};

/** A request to a language model, before it is sent. What is left out is unknown to the policies. */
export type LlmRequestEventInput = {
  /** The user's latest message. */
  readonly lastUserMessage?: string | null | undefined;
  /** How many messages are sent, at least 0. */
  readonly messagesCount?: number | null | undefined;
  /** The model asked, 1 to 256 characters. */
  readonly model?: string | null | undefined;
  /** The system prompt, or its beginning. */
  readonly systemPromptPreview?: string | null | undefined;
  /** How many tools are offered, at least 0. */
  readonly toolsCount?: number | null | undefined;
};

/** A language model's answer, before the agent gets it. What is left out is unknown to the policies. */
export type LlmResponseEventInput = {
  /** The model that answered, 1 to 256 characters. */
  readonly model?: string | null | undefined;
  /** Its text, or the beginning of it. */
  readonly textPreview?: string | null | undefined;
  /** How many tools it wants to call, at least 0. */
  readonly toolCallsCount?: number | null | undefined;
  /** The answer's usage as the model's API reports it. */
  readonly usage?: Readonly<Record<string, unknown>> | null | undefined;
};

/** The six moments of an agent's loop that can be judged. A policy event's `type` is the phase in lower case. */
export type Phase =
  /** A request to a language model, before it is sent. */
  | 'LLM_REQUEST'
  /** A language model's answer, before the agent gets it. */
  | 'LLM_RESPONSE'
  /** A user's message, before the agent gets it. */
  | 'REQUEST'
  /** The agent's answer, before the user gets it. */
  | 'RESPONSE'
  /** A call of a tool, before it runs. */
  | 'TOOL_CALL'
  /** A tool's result, before the agent gets it. */
  | 'TOOL_RESULT'
  | '%future added value';

/** The event to judge: exactly one field. At most 24 levels deep and 1,048,576 bytes. */
export type PolicyEventInput =
  {   /** Phase LLM_REQUEST. */
  readonly llmRequest: LlmRequestEventInput; readonly llmResponse?: never; readonly request?: never; readonly response?: never; readonly toolCall?: never; readonly toolResult?: never; }
  |  { readonly llmRequest?: never;   /** Phase LLM_RESPONSE. */
  readonly llmResponse: LlmResponseEventInput; readonly request?: never; readonly response?: never; readonly toolCall?: never; readonly toolResult?: never; }
  |  { readonly llmRequest?: never; readonly llmResponse?: never;   /** Phase REQUEST. */
  readonly request: RequestEventInput; readonly response?: never; readonly toolCall?: never; readonly toolResult?: never; }
  |  { readonly llmRequest?: never; readonly llmResponse?: never; readonly request?: never;   /** Phase RESPONSE. */
  readonly response: ResponseEventInput; readonly toolCall?: never; readonly toolResult?: never; }
  |  { readonly llmRequest?: never; readonly llmResponse?: never; readonly request?: never; readonly response?: never;   /** Phase TOOL_CALL. */
  readonly toolCall: ToolCallEventInput; readonly toolResult?: never; }
  |  { readonly llmRequest?: never; readonly llmResponse?: never; readonly request?: never; readonly response?: never; readonly toolCall?: never;   /** Phase TOOL_RESULT. */
  readonly toolResult: ToolResultEventInput; };

/** What a policy is attached to, and so which sessions it judges. */
export type PolicyLevel =
  /** An agent: the agent's sessions. */
  | 'AGENT'
  /** The installation: every session. */
  | 'SERVER'
  /** A session: that one and its descendants. */
  | 'SESSION'
  | '%future added value';

/** What became of one policy while an event was judged. */
export type PolicyOutcome =
  /** It judged and has nothing to say. */
  | 'ABSTAINED'
  /** It has no objection; it may have rewritten the payload or want something written. */
  | 'ALLOWED'
  /** It wants a person to decide. */
  | 'ASKED'
  /** It denied, which ended the pass. */
  | 'DENIED'
  /** It failed to judge, which denies. */
  | 'FAILED'
  /** It did not judge: its selectors or condition do not match, or an earlier policy denied. */
  | 'SKIPPED'
  | '%future added value';

/** Events of one phase, or of one tool in it. */
export type PolicySelectorInput = {
  /** The phase. */
  readonly phase: Phase;
  /** The exact name of one tool, 1 to 256 characters; with TOOL_CALL and TOOL_RESULT only. Omitted: all tools. */
  readonly toolName?: string | null | undefined;
};

/** What a policy is attached to: exactly one field. */
export type PolicyTargetInput =
  {   /** An agent; the policy judges all of the agent's sessions. Unknown: NotFoundError. */
  readonly agentId: string; readonly server?: never; readonly sessionId?: never; }
  |  { readonly agentId?: never;   /** The server, with `true`; the policy judges every session. `false` is an InvalidInputError. */
  readonly server: boolean; readonly sessionId?: never; }
  |  { readonly agentId?: never; readonly server?: never;   /** A session; the policy judges it and its descendants. Unknown: NotFoundError; ended: ConflictError. */
  readonly sessionId: string; };

/** An event to try on a session. */
export type PreviewEvaluationInput = {
  /** What would be judged. */
  readonly event: PolicyEventInput;
  /** The session. Unknown: NotFoundError. */
  readonly sessionId: string;
};

/** What kind of caller a principal is. */
export type PrincipalKind =
  /** An agent, by its API key. */
  | 'AGENT_KEY'
  /** Countersign itself. */
  | 'SYSTEM'
  /** A person. */
  | 'USER'
  | '%future added value';

/** What a session has used since its last report: amounts to be added, not totals. */
export type RecordUsageInput = {
  /** Tokens written to a prompt cache. A whole number from 0 to 9,007,199,254,740,991; Float because Int ends at 2,147,483,647. Default: 0. */
  readonly cacheCreationInputTokens?: number | null | undefined;
  /** Tokens read from a prompt cache. A whole number from 0 to 9,007,199,254,740,991; Float because Int ends at 2,147,483,647. Default: 0. */
  readonly cacheReadInputTokens?: number | null | undefined;
  /** What it cost in US dollars, 0 to 9,007,199,254,740,991. 0: it was free. Omitted: its price is not known; budgets ask once about a session tree of which no price was ever known. */
  readonly costUsd?: number | null | undefined;
  /** 1 to 256 characters, once trimmed. Same key, same session, same report: counted once, for good, whatever is retried. Same key, other report: ConflictError. Omitted: each call counts. */
  readonly idempotencyKey?: string | null | undefined;
  /** Tokens sent to models. A whole number from 0 to 9,007,199,254,740,991; Float because Int ends at 2,147,483,647. Default: 0. */
  readonly inputTokens?: number | null | undefined;
  /** Tokens that models produced. A whole number from 0 to 9,007,199,254,740,991; Float because Int ends at 2,147,483,647. Default: 0. */
  readonly outputTokens?: number | null | undefined;
  /** The session that used it. Unknown: NotFoundError. An ended one takes reports, too: what was spent counts. */
  readonly sessionId: string;
  /** All tokens. A whole number from 0 to 9,007,199,254,740,991; Float because Int ends at 2,147,483,647. Default: those sent and those produced. */
  readonly totalTokens?: number | null | undefined;
};

/** A user's message, before the agent gets it. */
export type RequestEventInput = {
  /** What comes with it, at most 100. Default: nothing. */
  readonly attachments?: ReadonlyArray<AttachmentInput> | null | undefined;
  /** The text of the message. */
  readonly content: string;
};

/** A person's answer to an elicitation. */
export type ResolveElicitationInput = {
  /** The answer. */
  readonly action: ElicitationAction;
  /** For the record, at most 4,096 characters; reaches the agent as the reason on DECLINE and CANCEL. Default: none. */
  readonly comment?: string | null | undefined;
  /** The form's values, with ACCEPT only, checked against `requestedSchema`. Default: none. */
  readonly content?: Readonly<Record<string, unknown>> | null | undefined;
  /** What the tool is to get instead, with ACCEPT of a TOOL_CALL only: all arguments anew. The edited call is judged again by all policies; a denial, or an ask that this elicitation does not cover, is EditRefusedError. Default: the arguments stay. */
  readonly editedArguments?: Readonly<Record<string, unknown>> | null | undefined;
  /** The elicitation. Unknown: NotFoundError. */
  readonly elicitationId: string;
  /** The `digest` of what the approver saw. A mismatch is StaleElicitationError and decides nothing. Omitted: not checked. */
  readonly expectedDigest?: string | null | undefined;
};

/** One answer to many elicitations. */
export type ResolveElicitationsInput = {
  /** The answer. An elicitation with a form cannot be accepted this way: InvalidInputError. */
  readonly action: ElicitationAction;
  /** For the record, at most 4,096 characters; reaches the agents as the reason on DECLINE and CANCEL. Default: none. */
  readonly comment?: string | null | undefined;
  /** The elicitations, 1 to 500; one named twice counts once. Unknown: NotFoundError. */
  readonly ids: ReadonlyArray<string>;
};

/** The agent's answer, before the user gets it. */
export type ResponseEventInput = {
  /** The text of the answer. */
  readonly content: string;
};

/** Which key is to open nothing any more. */
export type RevokeApiKeyInput = {
  /** The key. Unknown: NotFoundError. */
  readonly keyId: string;
};

/** What a caller is there for. */
export type Role =
  /** Does everything: policies, agents and keys included. */
  | 'ADMIN'
  /** Acts, and asks before it does: evaluates on its owner's sessions, and sees only these. */
  | 'AGENT'
  /** Decides: sees the sessions that it reaches, and resolves what they ask for. */
  | 'APPROVER'
  /** Only looks. */
  | 'VIEWER'
  | '%future added value';

/** What happened in a session. */
export type SessionEventType =
  /** Nobody decided in time. */
  | 'ELICITATION_EXPIRED'
  /** One more evaluation waits for what a person was asked already. */
  | 'ELICITATION_JOINED'
  /** A person is asked: `elicitation`. */
  | 'ELICITATION_REQUESTED'
  /** It was accepted, declined or cancelled. */
  | 'ELICITATION_RESOLVED'
  /** The caller withdrew the call, or had gone for longer than the grace time. */
  | 'EVALUATION_ABANDONED'
  /** An event was judged: `evaluation`. */
  | 'EVALUATION_JUDGED'
  /** After another approval its policies no longer ask. */
  | 'EVALUATION_SETTLED_BY_POLICY'
  /** A policy was attached to the session: `policy`, `policyName`. */
  | 'POLICY_CREATED'
  /** A policy was taken from the session: `policyName`. */
  | 'POLICY_DELETED'
  /** A policy on the session was changed. */
  | 'POLICY_UPDATED'
  /** What came after the cursor that was given is not all there any more. Read the session anew; what is still there follows. */
  | 'RESYNC'
  /** It takes no more evaluations. */
  | 'SESSION_ENDED'
  /** Title, labels or model were changed. */
  | 'SESSION_UPDATED'
  | '%future added value';

/** Which sessions: those that meet all that is given. An unknown id meets none. */
export type SessionFilter = {
  /** Those of this agent. */
  readonly agentId?: string | null | undefined;
  /** Whether an elicitation waits for a decision in them or in a descendant, as `pendingElicitationCount` counts. */
  readonly hasPending?: boolean | null | undefined;
  /** true: those that have not ended; false: those that have. */
  readonly open?: boolean | null | undefined;
  /** Those that this session started itself. */
  readonly parentId?: string | null | undefined;
  /** A part of the title, upper and lower case alike (on SQLite only for A to Z), or a whole session id. Blank: all. */
  readonly search?: string | null | undefined;
};

/** A handler, an event, and the session as it is to be taken. */
export type SimulatePolicyInput = {
  /** What would be judged. */
  readonly event: PolicyEventInput;
  /** The name of a registered handler. Unknown: InvalidInputError. */
  readonly handler: string;
  /** The session's labels, label → text; reserved ones are taken, too. Default: `{}`. */
  readonly labels?: Readonly<Record<string, unknown>> | null | undefined;
  /** The model that the agent runs with, 1 to 256 characters. Omitted: unknown. */
  readonly model?: string | null | undefined;
  /** Its params. Omitted: none are given, its defaults count. */
  readonly params?: Readonly<Record<string, unknown>> | null | undefined;
  /** The session's state before the event. Default: `{}`. */
  readonly state?: Readonly<Record<string, unknown>> | null | undefined;
  /** What was used so far, in the fields of Usage or as policies see it: `{ totalCostUsd: 4.5 }` or `{ total_cost_usd: 4.5 }`, of the whole tree of sessions; `subtreeUsage`, the same of the session and its descendants; `userDailyCost: { costUsd, askApprovedUsd, userId, day }`. The latter two default to what the first says. Tokens without a cost have a price that nobody knows. Default: nothing was used. */
  readonly usage?: Readonly<Record<string, unknown>> | null | undefined;
};

/** How a policy changes one key of a session's state. */
export type StateUpdateAction =
  /** Add the value at the end of the list; a missing key counts as an empty list. */
  | 'APPEND'
  /** Remove the key; a missing one is fine. */
  | 'DELETE'
  /** Add the number; a missing key counts as 0. */
  | 'INCREMENT'
  /** Put the value there. */
  | 'SET'
  | '%future added value';

/** A call of a tool, before it runs. */
export type ToolCallEventInput = {
  /** Its arguments, whole. Default: `{}`. */
  readonly arguments?: Readonly<Record<string, unknown>> | null | undefined;
  /** The tool's name, 1 to 256 characters, as the agent calls it: `Bash`, `mcp__github__create_issue`. */
  readonly name: string;
};

/** A tool's result, before the agent gets it. */
export type ToolResultEventInput = {
  /** The call that it answers. Default: a call of `name` without arguments. */
  readonly call?: ToolCallEventInput | null | undefined;
  /** The tool's name, 1 to 256 characters. */
  readonly name: string;
  /** What the tool returned. Policies see text: text as it is, anything else as its JSON text, nothing or null as empty text. */
  readonly result?: unknown;
};

/** What is to change of an agent. Omitted fields stay; null clears a field that may be empty. */
export type UpdateAgentInput = {
  /** The agent. Unknown: NotFoundError. */
  readonly agentId: string;
  /** As in CreateAgentInput. What is pending keeps its deadline. */
  readonly askTimeoutSeconds?: number | null | undefined;
  /** As in CreateAgentInput. */
  readonly description?: string | null | undefined;
  /** All definitions anew, as in CreateAgentInput; `[]` for none. Labels of existing sessions stay as they are. */
  readonly labelDefinitions?: ReadonlyArray<LabelDefinitionInput> | null | undefined;
  /** As in CreateAgentInput; cannot be cleared. */
  readonly name?: string | null | undefined;
};

/** What is to change of a policy. Omitted fields stay; null clears a field that may be empty. The target never changes. */
export type UpdatePolicyInput = {
  /** As in CreatePolicyInput. What is pending keeps its deadline. */
  readonly askTimeoutSeconds?: number | null | undefined;
  /** The whole condition anew, as in CreatePolicyInput. */
  readonly condition?: Readonly<Record<string, unknown>> | null | undefined;
  /** Whether it judges at all; cannot be cleared. */
  readonly enabled?: boolean | null | undefined;
  /** As in CreatePolicyInput, of the same kind as before; cannot be cleared. Another kind: InvalidInputError. */
  readonly handler?: string | null | undefined;
  /** As in CreatePolicyInput; cannot be cleared. */
  readonly name?: string | null | undefined;
  /** All selectors anew, as in CreatePolicyInput. */
  readonly on?: ReadonlyArray<PolicySelectorInput> | null | undefined;
  /** All params anew, as in CreatePolicyInput. */
  readonly params?: Readonly<Record<string, unknown>> | null | undefined;
  /** The policy. Unknown: NotFoundError. */
  readonly policyId: string;
  /** All labels anew, as in CreatePolicyInput. */
  readonly writableLabels?: ReadonlyArray<string> | null | undefined;
};

/** What is to change of a session. Omitted fields stay; null clears a field that may be empty. */
export type UpdateSessionInput = {
  /** Label → value, as in CreateSessionInput. Each label given is set, the others stay. */
  readonly labels?: Readonly<Record<string, unknown>> | null | undefined;
  /** As in CreateSessionInput. */
  readonly model?: string | null | undefined;
  /** The session. Unknown: NotFoundError; ended: ConflictError. */
  readonly sessionId: string;
  /** As in CreateSessionInput. */
  readonly title?: string | null | undefined;
};

/** What is said of an event. Only ALLOW permits the act. */
export type Verdict =
  /** The act is permitted, exactly as the event states it or, where `data` is given, as that states it. */
  | 'ALLOW'
  /** Undecided: a person must decide first. Until then the act is not permitted. */
  | 'ASK'
  /** The act is not permitted. `reason` says why, in words that an agent can be given. */
  | 'DENY'
  | '%future added value';

/** Which evaluation: either `evaluationId`, or `sessionId` and `idempotencyKey`, for a caller whose call is held and who knows no id yet. Anything else is an InvalidInputError. */
export type WithdrawEvaluationInput = {
  /** The evaluation. Unknown: NotFoundError. */
  readonly evaluationId?: string | null | undefined;
  /** The key that it was called with. Unknown in this session: NotFoundError. */
  readonly idempotencyKey?: string | null | undefined;
  /** The session that it was called for. */
  readonly sessionId?: string | null | undefined;
};

export type PrincipalFieldsFragment = { readonly kind: PrincipalKind, readonly id: string, readonly name: string };

export type AgentFieldsFragment = { readonly id: string, readonly name: string, readonly description: string | null, readonly askTimeoutSeconds: number | null, readonly createdAt: string, readonly updatedAt: string, readonly labelDefinitions: ReadonlyArray<{ readonly key: string, readonly initial: string | null, readonly values: ReadonlyArray<string> | null }> };

export type SessionFieldsFragment = { readonly id: string, readonly title: string | null, readonly labels: Readonly<Record<string, unknown>>, readonly state: Readonly<Record<string, unknown>>, readonly model: string | null, readonly harness: string | null, readonly pendingElicitationCount: number, readonly createdAt: string, readonly endedAt: string | null, readonly agent: { readonly id: string, readonly name: string }, readonly parent: { readonly id: string } | null, readonly owner: { readonly kind: PrincipalKind, readonly id: string, readonly name: string }, readonly usage: { readonly inputTokens: number, readonly outputTokens: number, readonly totalTokens: number, readonly cacheReadInputTokens: number, readonly cacheCreationInputTokens: number, readonly totalCostUsd: number | null } };

export type PolicyFieldsFragment = { readonly id: string, readonly name: string, readonly level: PolicyLevel, readonly params: Readonly<Record<string, unknown>> | null, readonly condition: Readonly<Record<string, unknown>> | null, readonly writableLabels: ReadonlyArray<string> | null, readonly askTimeoutSeconds: number | null, readonly readOnly: boolean, readonly enabled: boolean, readonly createdAt: string, readonly updatedAt: string, readonly session: { readonly id: string } | null, readonly agent: { readonly id: string } | null, readonly handler: { readonly name: string }, readonly on: ReadonlyArray<{ readonly phase: Phase, readonly toolName: string | null }> | null };

export type EvaluationFieldsFragment = { readonly id: string, readonly phase: Phase, readonly event: unknown, readonly maskedPaths: ReadonlyArray<string>, readonly verdict: Verdict, readonly status: EvaluationStatus, readonly decidedBy: DecisionSource | null, readonly reason: string | null, readonly decidingPolicies: ReadonlyArray<string>, readonly data: unknown, readonly createdAt: string, readonly decidedAt: string | null, readonly session: { readonly id: string }, readonly elicitation: { readonly id: string, readonly status: ElicitationStatus, readonly message: string, readonly url: string, readonly expiresAt: string } | null };

export type ElicitationFieldsFragment = { readonly id: string, readonly status: ElicitationStatus, readonly message: string, readonly phase: Phase, readonly policyNames: ReadonlyArray<string>, readonly contentPreview: string, readonly event: unknown, readonly maskedPaths: ReadonlyArray<string>, readonly digest: string, readonly requestedSchema: Readonly<Record<string, unknown>>, readonly url: string, readonly requestedAt: string, readonly expiresAt: string, readonly viewerCanResolve: boolean, readonly viewerCannotResolveReason: string | null, readonly session: { readonly id: string, readonly title: string | null, readonly agent: { readonly id: string, readonly name: string } }, readonly evaluations: ReadonlyArray<{ readonly id: string }>, readonly resolution: { readonly action: ElicitationAction, readonly content: Readonly<Record<string, unknown>> | null, readonly comment: string | null, readonly editedArguments: Readonly<Record<string, unknown>> | null, readonly at: string, readonly by: { readonly kind: PrincipalKind, readonly id: string, readonly name: string } } | null };

export type ApiKeyFieldsFragment = { readonly id: string, readonly name: string, readonly role: Role, readonly agents: ReadonlyArray<string> | null, readonly ownSessionsOnly: boolean, readonly hint: string, readonly createdAt: string, readonly expiresAt: string | null, readonly revokedAt: string | null, readonly lastUsedAt: string | null, readonly owner: { readonly kind: PrincipalKind, readonly id: string, readonly name: string }, readonly createdBy: { readonly kind: PrincipalKind, readonly id: string, readonly name: string } };

export type AuditEntryFieldsFragment = { readonly id: string, readonly sequence: number, readonly at: string, readonly action: AuditAction, readonly subject: string | null, readonly before: unknown, readonly after: unknown, readonly previousHash: string, readonly hash: string, readonly actor: { readonly kind: PrincipalKind, readonly id: string, readonly name: string } };

export type PolicyHandlerFieldsFragment = { readonly name: string, readonly kind: HandlerKind, readonly title: string, readonly description: string, readonly paramsSchema: Readonly<Record<string, unknown>> | null, readonly phases: ReadonlyArray<Phase> };

export type EvaluationPreviewFieldsFragment = { readonly verdict: Verdict, readonly reason: string | null, readonly decidingPolicies: ReadonlyArray<string>, readonly data: unknown, readonly labelWrites: Readonly<Record<string, unknown>>, readonly stateUpdates: ReadonlyArray<{ readonly key: string, readonly action: StateUpdateAction, readonly value: unknown }>, readonly steps: ReadonlyArray<{ readonly policy: string, readonly handler: string, readonly level: PolicyLevel, readonly outcome: PolicyOutcome, readonly reason: string | null, readonly durationMicroseconds: number }> };

export type PageFieldsFragment = { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null };

export type InvalidInputFieldsFragment = { readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string }> };

export type ViewerQueryVariables = Exact<{ [key: string]: never; }>;


export type ViewerQuery = { readonly viewer: { readonly kind: PrincipalKind, readonly id: string, readonly name: string } };

export type ViewerRolesQueryVariables = Exact<{ [key: string]: never; }>;


export type ViewerRolesQuery = { readonly viewerRoles: ReadonlyArray<Role> };

export type ApiKeysQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type ApiKeysQuery = { readonly apiKeys: { readonly pageInfo: { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly id: string, readonly name: string, readonly role: Role, readonly agents: ReadonlyArray<string> | null, readonly ownSessionsOnly: boolean, readonly hint: string, readonly createdAt: string, readonly expiresAt: string | null, readonly revokedAt: string | null, readonly lastUsedAt: string | null, readonly owner: { readonly kind: PrincipalKind, readonly id: string, readonly name: string }, readonly createdBy: { readonly kind: PrincipalKind, readonly id: string, readonly name: string } } }> } };

export type AuditLogQueryVariables = Exact<{
  filter?: AuditFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type AuditLogQuery = { readonly auditLog: { readonly pageInfo: { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly id: string, readonly sequence: number, readonly at: string, readonly action: AuditAction, readonly subject: string | null, readonly before: unknown, readonly after: unknown, readonly previousHash: string, readonly hash: string, readonly actor: { readonly kind: PrincipalKind, readonly id: string, readonly name: string } } }> } };

export type NodeQueryVariables = Exact<{
  id: string;
}>;


export type NodeQuery = { readonly node:
    | { readonly __typename: 'Agent', readonly id: string }
    | { readonly __typename: 'ApiKey', readonly id: string }
    | { readonly __typename: 'AuditEntry', readonly id: string }
    | { readonly __typename: 'Elicitation', readonly id: string }
    | { readonly __typename: 'Evaluation', readonly id: string }
    | { readonly __typename: 'Policy', readonly id: string }
    | { readonly __typename: 'Session', readonly id: string }
   | null };

export type AgentQueryVariables = Exact<{
  id: string;
}>;


export type AgentQuery = { readonly agent: { readonly id: string, readonly name: string, readonly description: string | null, readonly askTimeoutSeconds: number | null, readonly createdAt: string, readonly updatedAt: string, readonly labelDefinitions: ReadonlyArray<{ readonly key: string, readonly initial: string | null, readonly values: ReadonlyArray<string> | null }> } | null };

export type AgentsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type AgentsQuery = { readonly agents: { readonly pageInfo: { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly id: string, readonly name: string, readonly description: string | null, readonly askTimeoutSeconds: number | null, readonly createdAt: string, readonly updatedAt: string, readonly labelDefinitions: ReadonlyArray<{ readonly key: string, readonly initial: string | null, readonly values: ReadonlyArray<string> | null }> } }> } };

export type SessionQueryVariables = Exact<{
  id: string;
}>;


export type SessionQuery = { readonly session: { readonly id: string, readonly title: string | null, readonly labels: Readonly<Record<string, unknown>>, readonly state: Readonly<Record<string, unknown>>, readonly model: string | null, readonly harness: string | null, readonly pendingElicitationCount: number, readonly createdAt: string, readonly endedAt: string | null, readonly agent: { readonly id: string, readonly name: string }, readonly parent: { readonly id: string } | null, readonly owner: { readonly kind: PrincipalKind, readonly id: string, readonly name: string }, readonly usage: { readonly inputTokens: number, readonly outputTokens: number, readonly totalTokens: number, readonly cacheReadInputTokens: number, readonly cacheCreationInputTokens: number, readonly totalCostUsd: number | null } } | null };

export type SessionsQueryVariables = Exact<{
  filter?: SessionFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type SessionsQuery = { readonly sessions: { readonly pageInfo: { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly id: string, readonly title: string | null, readonly labels: Readonly<Record<string, unknown>>, readonly state: Readonly<Record<string, unknown>>, readonly model: string | null, readonly harness: string | null, readonly pendingElicitationCount: number, readonly createdAt: string, readonly endedAt: string | null, readonly agent: { readonly id: string, readonly name: string }, readonly parent: { readonly id: string } | null, readonly owner: { readonly kind: PrincipalKind, readonly id: string, readonly name: string }, readonly usage: { readonly inputTokens: number, readonly outputTokens: number, readonly totalTokens: number, readonly cacheReadInputTokens: number, readonly cacheCreationInputTokens: number, readonly totalCostUsd: number | null } } }> } };

export type PolicyQueryVariables = Exact<{
  id: string;
}>;


export type PolicyQuery = { readonly policy: { readonly id: string, readonly name: string, readonly level: PolicyLevel, readonly params: Readonly<Record<string, unknown>> | null, readonly condition: Readonly<Record<string, unknown>> | null, readonly writableLabels: ReadonlyArray<string> | null, readonly askTimeoutSeconds: number | null, readonly readOnly: boolean, readonly enabled: boolean, readonly createdAt: string, readonly updatedAt: string, readonly session: { readonly id: string } | null, readonly agent: { readonly id: string } | null, readonly handler: { readonly name: string }, readonly on: ReadonlyArray<{ readonly phase: Phase, readonly toolName: string | null }> | null } | null };

export type SessionPoliciesQueryVariables = Exact<{
  id: string;
}>;


export type SessionPoliciesQuery = { readonly session: { readonly id: string, readonly policies: ReadonlyArray<{ readonly id: string, readonly name: string, readonly level: PolicyLevel, readonly params: Readonly<Record<string, unknown>> | null, readonly condition: Readonly<Record<string, unknown>> | null, readonly writableLabels: ReadonlyArray<string> | null, readonly askTimeoutSeconds: number | null, readonly readOnly: boolean, readonly enabled: boolean, readonly createdAt: string, readonly updatedAt: string, readonly session: { readonly id: string } | null, readonly agent: { readonly id: string } | null, readonly handler: { readonly name: string }, readonly on: ReadonlyArray<{ readonly phase: Phase, readonly toolName: string | null }> | null }>, readonly effectivePolicies: ReadonlyArray<{ readonly id: string, readonly name: string, readonly level: PolicyLevel, readonly params: Readonly<Record<string, unknown>> | null, readonly condition: Readonly<Record<string, unknown>> | null, readonly writableLabels: ReadonlyArray<string> | null, readonly askTimeoutSeconds: number | null, readonly readOnly: boolean, readonly enabled: boolean, readonly createdAt: string, readonly updatedAt: string, readonly session: { readonly id: string } | null, readonly agent: { readonly id: string } | null, readonly handler: { readonly name: string }, readonly on: ReadonlyArray<{ readonly phase: Phase, readonly toolName: string | null }> | null }> } | null };

export type AgentPoliciesQueryVariables = Exact<{
  id: string;
}>;


export type AgentPoliciesQuery = { readonly agent: { readonly id: string, readonly policies: ReadonlyArray<{ readonly id: string, readonly name: string, readonly level: PolicyLevel, readonly params: Readonly<Record<string, unknown>> | null, readonly condition: Readonly<Record<string, unknown>> | null, readonly writableLabels: ReadonlyArray<string> | null, readonly askTimeoutSeconds: number | null, readonly readOnly: boolean, readonly enabled: boolean, readonly createdAt: string, readonly updatedAt: string, readonly session: { readonly id: string } | null, readonly agent: { readonly id: string } | null, readonly handler: { readonly name: string }, readonly on: ReadonlyArray<{ readonly phase: Phase, readonly toolName: string | null }> | null }> } | null };

export type ServerPoliciesQueryVariables = Exact<{ [key: string]: never; }>;


export type ServerPoliciesQuery = { readonly serverPolicies: ReadonlyArray<{ readonly id: string, readonly name: string, readonly level: PolicyLevel, readonly params: Readonly<Record<string, unknown>> | null, readonly condition: Readonly<Record<string, unknown>> | null, readonly writableLabels: ReadonlyArray<string> | null, readonly askTimeoutSeconds: number | null, readonly readOnly: boolean, readonly enabled: boolean, readonly createdAt: string, readonly updatedAt: string, readonly session: { readonly id: string } | null, readonly agent: { readonly id: string } | null, readonly handler: { readonly name: string }, readonly on: ReadonlyArray<{ readonly phase: Phase, readonly toolName: string | null }> | null }> };

export type PolicyRegistryQueryVariables = Exact<{ [key: string]: never; }>;


export type PolicyRegistryQuery = { readonly policyRegistry: ReadonlyArray<{ readonly name: string, readonly kind: HandlerKind, readonly title: string, readonly description: string, readonly paramsSchema: Readonly<Record<string, unknown>> | null, readonly phases: ReadonlyArray<Phase> }> };

export type ServerLabelDefinitionsQueryVariables = Exact<{ [key: string]: never; }>;


export type ServerLabelDefinitionsQuery = { readonly serverLabelDefinitions: ReadonlyArray<{ readonly key: string, readonly initial: string | null, readonly values: ReadonlyArray<string> | null }> };

export type EvaluationQueryVariables = Exact<{
  id: string;
}>;


export type EvaluationQuery = { readonly evaluation: { readonly id: string, readonly phase: Phase, readonly event: unknown, readonly maskedPaths: ReadonlyArray<string>, readonly verdict: Verdict, readonly status: EvaluationStatus, readonly decidedBy: DecisionSource | null, readonly reason: string | null, readonly decidingPolicies: ReadonlyArray<string>, readonly data: unknown, readonly createdAt: string, readonly decidedAt: string | null, readonly session: { readonly id: string }, readonly elicitation: { readonly id: string, readonly status: ElicitationStatus, readonly message: string, readonly url: string, readonly expiresAt: string } | null } | null };

export type ElicitationQueryVariables = Exact<{
  id: string;
}>;


export type ElicitationQuery = { readonly elicitation: { readonly id: string, readonly status: ElicitationStatus, readonly message: string, readonly phase: Phase, readonly policyNames: ReadonlyArray<string>, readonly contentPreview: string, readonly event: unknown, readonly maskedPaths: ReadonlyArray<string>, readonly digest: string, readonly requestedSchema: Readonly<Record<string, unknown>>, readonly url: string, readonly requestedAt: string, readonly expiresAt: string, readonly viewerCanResolve: boolean, readonly viewerCannotResolveReason: string | null, readonly session: { readonly id: string, readonly title: string | null, readonly agent: { readonly id: string, readonly name: string } }, readonly evaluations: ReadonlyArray<{ readonly id: string }>, readonly resolution: { readonly action: ElicitationAction, readonly content: Readonly<Record<string, unknown>> | null, readonly comment: string | null, readonly editedArguments: Readonly<Record<string, unknown>> | null, readonly at: string, readonly by: { readonly kind: PrincipalKind, readonly id: string, readonly name: string } } | null } | null };

export type ElicitationsQueryVariables = Exact<{
  filter?: ElicitationFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type ElicitationsQuery = { readonly elicitations: { readonly pageInfo: { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly id: string, readonly status: ElicitationStatus, readonly message: string, readonly phase: Phase, readonly policyNames: ReadonlyArray<string>, readonly contentPreview: string, readonly event: unknown, readonly maskedPaths: ReadonlyArray<string>, readonly digest: string, readonly requestedSchema: Readonly<Record<string, unknown>>, readonly url: string, readonly requestedAt: string, readonly expiresAt: string, readonly viewerCanResolve: boolean, readonly viewerCannotResolveReason: string | null, readonly session: { readonly id: string, readonly title: string | null, readonly agent: { readonly id: string, readonly name: string } }, readonly evaluations: ReadonlyArray<{ readonly id: string }>, readonly resolution: { readonly action: ElicitationAction, readonly content: Readonly<Record<string, unknown>> | null, readonly comment: string | null, readonly editedArguments: Readonly<Record<string, unknown>> | null, readonly at: string, readonly by: { readonly kind: PrincipalKind, readonly id: string, readonly name: string } } | null } }> } };

export type PreviewEvaluationQueryVariables = Exact<{
  input: PreviewEvaluationInput;
}>;


export type PreviewEvaluationQuery = { readonly previewEvaluation:
    | { readonly __typename: 'EvaluationPreview', readonly verdict: Verdict, readonly reason: string | null, readonly decidingPolicies: ReadonlyArray<string>, readonly data: unknown, readonly labelWrites: Readonly<Record<string, unknown>>, readonly stateUpdates: ReadonlyArray<{ readonly key: string, readonly action: StateUpdateAction, readonly value: unknown }>, readonly steps: ReadonlyArray<{ readonly policy: string, readonly handler: string, readonly level: PolicyLevel, readonly outcome: PolicyOutcome, readonly reason: string | null, readonly durationMicroseconds: number }> }
    | { readonly __typename: 'ForbiddenError', readonly message: string }
    | { readonly __typename: 'InvalidInputError', readonly message: string, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string }> }
    | { readonly __typename: 'NotFoundError', readonly id: string, readonly message: string }
   };

export type SimulatePolicyQueryVariables = Exact<{
  input: SimulatePolicyInput;
}>;


export type SimulatePolicyQuery = { readonly simulatePolicy:
    | { readonly __typename: 'EvaluationPreview', readonly verdict: Verdict, readonly reason: string | null, readonly decidingPolicies: ReadonlyArray<string>, readonly data: unknown, readonly labelWrites: Readonly<Record<string, unknown>>, readonly stateUpdates: ReadonlyArray<{ readonly key: string, readonly action: StateUpdateAction, readonly value: unknown }>, readonly steps: ReadonlyArray<{ readonly policy: string, readonly handler: string, readonly level: PolicyLevel, readonly outcome: PolicyOutcome, readonly reason: string | null, readonly durationMicroseconds: number }> }
    | { readonly __typename: 'ForbiddenError', readonly message: string }
    | { readonly __typename: 'InvalidInputError', readonly message: string, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string }> }
   };

export type CreateApiKeyMutationVariables = Exact<{
  input: CreateApiKeyInput;
}>;


export type CreateApiKeyMutation = { readonly createApiKey:
    | { readonly __typename: 'ConflictError', readonly message: string }
    | { readonly __typename: 'CreatedApiKey', readonly token: string, readonly key: { readonly id: string, readonly name: string, readonly role: Role, readonly agents: ReadonlyArray<string> | null, readonly ownSessionsOnly: boolean, readonly hint: string, readonly createdAt: string, readonly expiresAt: string | null, readonly revokedAt: string | null, readonly lastUsedAt: string | null, readonly owner: { readonly kind: PrincipalKind, readonly id: string, readonly name: string }, readonly createdBy: { readonly kind: PrincipalKind, readonly id: string, readonly name: string } } }
    | { readonly __typename: 'ForbiddenError', readonly message: string }
    | { readonly __typename: 'InvalidInputError', readonly message: string, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string }> }
    | { readonly __typename: 'RateLimitedError', readonly retryAfterSeconds: number, readonly message: string }
   };

export type RevokeApiKeyMutationVariables = Exact<{
  input: RevokeApiKeyInput;
}>;


export type RevokeApiKeyMutation = { readonly revokeApiKey:
    | { readonly __typename: 'ApiKey', readonly id: string, readonly name: string, readonly role: Role, readonly agents: ReadonlyArray<string> | null, readonly ownSessionsOnly: boolean, readonly hint: string, readonly createdAt: string, readonly expiresAt: string | null, readonly revokedAt: string | null, readonly lastUsedAt: string | null, readonly owner: { readonly kind: PrincipalKind, readonly id: string, readonly name: string }, readonly createdBy: { readonly kind: PrincipalKind, readonly id: string, readonly name: string } }
    | { readonly __typename: 'ForbiddenError', readonly message: string }
    | { readonly __typename: 'NotFoundError', readonly id: string, readonly message: string }
    | { readonly __typename: 'RateLimitedError', readonly retryAfterSeconds: number, readonly message: string }
   };

export type CreateAgentMutationVariables = Exact<{
  input: CreateAgentInput;
}>;


export type CreateAgentMutation = { readonly createAgent:
    | { readonly __typename: 'Agent', readonly id: string, readonly name: string, readonly description: string | null, readonly askTimeoutSeconds: number | null, readonly createdAt: string, readonly updatedAt: string, readonly labelDefinitions: ReadonlyArray<{ readonly key: string, readonly initial: string | null, readonly values: ReadonlyArray<string> | null }> }
    | { readonly __typename: 'ConflictError', readonly message: string }
    | { readonly __typename: 'ForbiddenError', readonly message: string }
    | { readonly __typename: 'InvalidInputError', readonly message: string, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string }> }
    | { readonly __typename: 'RateLimitedError', readonly retryAfterSeconds: number, readonly message: string }
   };

export type UpdateAgentMutationVariables = Exact<{
  input: UpdateAgentInput;
}>;


export type UpdateAgentMutation = { readonly updateAgent:
    | { readonly __typename: 'Agent', readonly id: string, readonly name: string, readonly description: string | null, readonly askTimeoutSeconds: number | null, readonly createdAt: string, readonly updatedAt: string, readonly labelDefinitions: ReadonlyArray<{ readonly key: string, readonly initial: string | null, readonly values: ReadonlyArray<string> | null }> }
    | { readonly __typename: 'ConflictError', readonly message: string }
    | { readonly __typename: 'ForbiddenError', readonly message: string }
    | { readonly __typename: 'InvalidInputError', readonly message: string, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string }> }
    | { readonly __typename: 'NotFoundError', readonly id: string, readonly message: string }
    | { readonly __typename: 'RateLimitedError', readonly retryAfterSeconds: number, readonly message: string }
   };

export type CreateSessionMutationVariables = Exact<{
  input: CreateSessionInput;
}>;


export type CreateSessionMutation = { readonly createSession:
    | { readonly __typename: 'ConflictError', readonly message: string }
    | { readonly __typename: 'ForbiddenError', readonly message: string }
    | { readonly __typename: 'InvalidInputError', readonly message: string, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string }> }
    | { readonly __typename: 'NotFoundError', readonly id: string, readonly message: string }
    | { readonly __typename: 'RateLimitedError', readonly retryAfterSeconds: number, readonly message: string }
    | { readonly __typename: 'Session', readonly id: string, readonly title: string | null, readonly labels: Readonly<Record<string, unknown>>, readonly state: Readonly<Record<string, unknown>>, readonly model: string | null, readonly harness: string | null, readonly pendingElicitationCount: number, readonly createdAt: string, readonly endedAt: string | null, readonly agent: { readonly id: string, readonly name: string }, readonly parent: { readonly id: string } | null, readonly owner: { readonly kind: PrincipalKind, readonly id: string, readonly name: string }, readonly usage: { readonly inputTokens: number, readonly outputTokens: number, readonly totalTokens: number, readonly cacheReadInputTokens: number, readonly cacheCreationInputTokens: number, readonly totalCostUsd: number | null } }
   };

export type UpdateSessionMutationVariables = Exact<{
  input: UpdateSessionInput;
}>;


export type UpdateSessionMutation = { readonly updateSession:
    | { readonly __typename: 'ConflictError', readonly message: string }
    | { readonly __typename: 'ForbiddenError', readonly message: string }
    | { readonly __typename: 'InvalidInputError', readonly message: string, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string }> }
    | { readonly __typename: 'NotFoundError', readonly id: string, readonly message: string }
    | { readonly __typename: 'RateLimitedError', readonly retryAfterSeconds: number, readonly message: string }
    | { readonly __typename: 'Session', readonly id: string, readonly title: string | null, readonly labels: Readonly<Record<string, unknown>>, readonly state: Readonly<Record<string, unknown>>, readonly model: string | null, readonly harness: string | null, readonly pendingElicitationCount: number, readonly createdAt: string, readonly endedAt: string | null, readonly agent: { readonly id: string, readonly name: string }, readonly parent: { readonly id: string } | null, readonly owner: { readonly kind: PrincipalKind, readonly id: string, readonly name: string }, readonly usage: { readonly inputTokens: number, readonly outputTokens: number, readonly totalTokens: number, readonly cacheReadInputTokens: number, readonly cacheCreationInputTokens: number, readonly totalCostUsd: number | null } }
   };

export type EndSessionMutationVariables = Exact<{
  input: EndSessionInput;
}>;


export type EndSessionMutation = { readonly endSession:
    | { readonly __typename: 'ForbiddenError', readonly message: string }
    | { readonly __typename: 'NotFoundError', readonly id: string, readonly message: string }
    | { readonly __typename: 'RateLimitedError', readonly retryAfterSeconds: number, readonly message: string }
    | { readonly __typename: 'Session', readonly id: string, readonly title: string | null, readonly labels: Readonly<Record<string, unknown>>, readonly state: Readonly<Record<string, unknown>>, readonly model: string | null, readonly harness: string | null, readonly pendingElicitationCount: number, readonly createdAt: string, readonly endedAt: string | null, readonly agent: { readonly id: string, readonly name: string }, readonly parent: { readonly id: string } | null, readonly owner: { readonly kind: PrincipalKind, readonly id: string, readonly name: string }, readonly usage: { readonly inputTokens: number, readonly outputTokens: number, readonly totalTokens: number, readonly cacheReadInputTokens: number, readonly cacheCreationInputTokens: number, readonly totalCostUsd: number | null } }
   };

export type RecordUsageMutationVariables = Exact<{
  input: RecordUsageInput;
}>;


export type RecordUsageMutation = { readonly recordUsage:
    | { readonly __typename: 'ConflictError', readonly message: string }
    | { readonly __typename: 'ForbiddenError', readonly message: string }
    | { readonly __typename: 'InvalidInputError', readonly message: string, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string }> }
    | { readonly __typename: 'NotFoundError', readonly id: string, readonly message: string }
    | { readonly __typename: 'RateLimitedError', readonly retryAfterSeconds: number, readonly message: string }
    | { readonly __typename: 'Session', readonly id: string, readonly title: string | null, readonly labels: Readonly<Record<string, unknown>>, readonly state: Readonly<Record<string, unknown>>, readonly model: string | null, readonly harness: string | null, readonly pendingElicitationCount: number, readonly createdAt: string, readonly endedAt: string | null, readonly agent: { readonly id: string, readonly name: string }, readonly parent: { readonly id: string } | null, readonly owner: { readonly kind: PrincipalKind, readonly id: string, readonly name: string }, readonly usage: { readonly inputTokens: number, readonly outputTokens: number, readonly totalTokens: number, readonly cacheReadInputTokens: number, readonly cacheCreationInputTokens: number, readonly totalCostUsd: number | null } }
   };

export type CreatePolicyMutationVariables = Exact<{
  input: CreatePolicyInput;
}>;


export type CreatePolicyMutation = { readonly createPolicy:
    | { readonly __typename: 'ConflictError', readonly message: string }
    | { readonly __typename: 'ForbiddenError', readonly message: string }
    | { readonly __typename: 'InvalidInputError', readonly message: string, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string }> }
    | { readonly __typename: 'NotFoundError', readonly id: string, readonly message: string }
    | { readonly __typename: 'Policy', readonly id: string, readonly name: string, readonly level: PolicyLevel, readonly params: Readonly<Record<string, unknown>> | null, readonly condition: Readonly<Record<string, unknown>> | null, readonly writableLabels: ReadonlyArray<string> | null, readonly askTimeoutSeconds: number | null, readonly readOnly: boolean, readonly enabled: boolean, readonly createdAt: string, readonly updatedAt: string, readonly session: { readonly id: string } | null, readonly agent: { readonly id: string } | null, readonly handler: { readonly name: string }, readonly on: ReadonlyArray<{ readonly phase: Phase, readonly toolName: string | null }> | null }
    | { readonly __typename: 'RateLimitedError', readonly retryAfterSeconds: number, readonly message: string }
   };

export type UpdatePolicyMutationVariables = Exact<{
  input: UpdatePolicyInput;
}>;


export type UpdatePolicyMutation = { readonly updatePolicy:
    | { readonly __typename: 'ConflictError', readonly message: string }
    | { readonly __typename: 'ForbiddenError', readonly message: string }
    | { readonly __typename: 'InvalidInputError', readonly message: string, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string }> }
    | { readonly __typename: 'NotFoundError', readonly id: string, readonly message: string }
    | { readonly __typename: 'Policy', readonly id: string, readonly name: string, readonly level: PolicyLevel, readonly params: Readonly<Record<string, unknown>> | null, readonly condition: Readonly<Record<string, unknown>> | null, readonly writableLabels: ReadonlyArray<string> | null, readonly askTimeoutSeconds: number | null, readonly readOnly: boolean, readonly enabled: boolean, readonly createdAt: string, readonly updatedAt: string, readonly session: { readonly id: string } | null, readonly agent: { readonly id: string } | null, readonly handler: { readonly name: string }, readonly on: ReadonlyArray<{ readonly phase: Phase, readonly toolName: string | null }> | null }
    | { readonly __typename: 'RateLimitedError', readonly retryAfterSeconds: number, readonly message: string }
   };

export type DeletePolicyMutationVariables = Exact<{
  input: DeletePolicyInput;
}>;


export type DeletePolicyMutation = { readonly deletePolicy:
    | { readonly __typename: 'ConflictError', readonly message: string }
    | { readonly __typename: 'DeletedPolicy', readonly id: string }
    | { readonly __typename: 'ForbiddenError', readonly message: string }
    | { readonly __typename: 'NotFoundError', readonly id: string, readonly message: string }
    | { readonly __typename: 'RateLimitedError', readonly retryAfterSeconds: number, readonly message: string }
   };

export type EvaluatePolicyMutationVariables = Exact<{
  input: EvaluatePolicyInput;
}>;


export type EvaluatePolicyMutation = { readonly evaluatePolicy:
    | { readonly __typename: 'ConflictError', readonly message: string }
    | { readonly __typename: 'Evaluation', readonly id: string, readonly phase: Phase, readonly event: unknown, readonly maskedPaths: ReadonlyArray<string>, readonly verdict: Verdict, readonly status: EvaluationStatus, readonly decidedBy: DecisionSource | null, readonly reason: string | null, readonly decidingPolicies: ReadonlyArray<string>, readonly data: unknown, readonly createdAt: string, readonly decidedAt: string | null, readonly session: { readonly id: string }, readonly elicitation: { readonly id: string, readonly status: ElicitationStatus, readonly message: string, readonly url: string, readonly expiresAt: string } | null }
    | { readonly __typename: 'ForbiddenError', readonly message: string }
    | { readonly __typename: 'IdempotencyKeyReusedError', readonly message: string, readonly evaluation: { readonly id: string, readonly phase: Phase, readonly event: unknown, readonly maskedPaths: ReadonlyArray<string>, readonly verdict: Verdict, readonly status: EvaluationStatus, readonly decidedBy: DecisionSource | null, readonly reason: string | null, readonly decidingPolicies: ReadonlyArray<string>, readonly data: unknown, readonly createdAt: string, readonly decidedAt: string | null, readonly session: { readonly id: string }, readonly elicitation: { readonly id: string, readonly status: ElicitationStatus, readonly message: string, readonly url: string, readonly expiresAt: string } | null } }
    | { readonly __typename: 'InvalidInputError', readonly message: string, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string }> }
    | { readonly __typename: 'NotFoundError', readonly id: string, readonly message: string }
    | { readonly __typename: 'RateLimitedError', readonly retryAfterSeconds: number, readonly message: string }
    | { readonly __typename: 'TooManyPendingError', readonly limit: number, readonly message: string }
   };

export type WithdrawEvaluationMutationVariables = Exact<{
  input: WithdrawEvaluationInput;
}>;


export type WithdrawEvaluationMutation = { readonly withdrawEvaluation:
    | { readonly __typename: 'Evaluation', readonly id: string, readonly phase: Phase, readonly event: unknown, readonly maskedPaths: ReadonlyArray<string>, readonly verdict: Verdict, readonly status: EvaluationStatus, readonly decidedBy: DecisionSource | null, readonly reason: string | null, readonly decidingPolicies: ReadonlyArray<string>, readonly data: unknown, readonly createdAt: string, readonly decidedAt: string | null, readonly session: { readonly id: string }, readonly elicitation: { readonly id: string, readonly status: ElicitationStatus, readonly message: string, readonly url: string, readonly expiresAt: string } | null }
    | { readonly __typename: 'ForbiddenError', readonly message: string }
    | { readonly __typename: 'InvalidInputError', readonly message: string, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string }> }
    | { readonly __typename: 'NotFoundError', readonly id: string, readonly message: string }
    | { readonly __typename: 'RateLimitedError', readonly retryAfterSeconds: number, readonly message: string }
   };

export type ResolveElicitationMutationVariables = Exact<{
  input: ResolveElicitationInput;
}>;


export type ResolveElicitationMutation = { readonly resolveElicitation:
    | { readonly __typename: 'AlreadyResolvedError', readonly message: string, readonly elicitation: { readonly id: string, readonly status: ElicitationStatus, readonly message: string, readonly phase: Phase, readonly policyNames: ReadonlyArray<string>, readonly contentPreview: string, readonly event: unknown, readonly maskedPaths: ReadonlyArray<string>, readonly digest: string, readonly requestedSchema: Readonly<Record<string, unknown>>, readonly url: string, readonly requestedAt: string, readonly expiresAt: string, readonly viewerCanResolve: boolean, readonly viewerCannotResolveReason: string | null, readonly session: { readonly id: string, readonly title: string | null, readonly agent: { readonly id: string, readonly name: string } }, readonly evaluations: ReadonlyArray<{ readonly id: string }>, readonly resolution: { readonly action: ElicitationAction, readonly content: Readonly<Record<string, unknown>> | null, readonly comment: string | null, readonly editedArguments: Readonly<Record<string, unknown>> | null, readonly at: string, readonly by: { readonly kind: PrincipalKind, readonly id: string, readonly name: string } } | null } }
    | { readonly __typename: 'EditRefusedError', readonly policy: string | null, readonly message: string, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string }> }
    | { readonly __typename: 'Elicitation', readonly id: string, readonly status: ElicitationStatus, readonly message: string, readonly phase: Phase, readonly policyNames: ReadonlyArray<string>, readonly contentPreview: string, readonly event: unknown, readonly maskedPaths: ReadonlyArray<string>, readonly digest: string, readonly requestedSchema: Readonly<Record<string, unknown>>, readonly url: string, readonly requestedAt: string, readonly expiresAt: string, readonly viewerCanResolve: boolean, readonly viewerCannotResolveReason: string | null, readonly session: { readonly id: string, readonly title: string | null, readonly agent: { readonly id: string, readonly name: string } }, readonly evaluations: ReadonlyArray<{ readonly id: string }>, readonly resolution: { readonly action: ElicitationAction, readonly content: Readonly<Record<string, unknown>> | null, readonly comment: string | null, readonly editedArguments: Readonly<Record<string, unknown>> | null, readonly at: string, readonly by: { readonly kind: PrincipalKind, readonly id: string, readonly name: string } } | null }
    | { readonly __typename: 'ForbiddenError', readonly message: string }
    | { readonly __typename: 'InvalidInputError', readonly message: string, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string }> }
    | { readonly __typename: 'NotFoundError', readonly id: string, readonly message: string }
    | { readonly __typename: 'RateLimitedError', readonly retryAfterSeconds: number, readonly message: string }
    | { readonly __typename: 'StaleElicitationError', readonly message: string, readonly elicitation: { readonly id: string, readonly status: ElicitationStatus, readonly message: string, readonly phase: Phase, readonly policyNames: ReadonlyArray<string>, readonly contentPreview: string, readonly event: unknown, readonly maskedPaths: ReadonlyArray<string>, readonly digest: string, readonly requestedSchema: Readonly<Record<string, unknown>>, readonly url: string, readonly requestedAt: string, readonly expiresAt: string, readonly viewerCanResolve: boolean, readonly viewerCannotResolveReason: string | null, readonly session: { readonly id: string, readonly title: string | null, readonly agent: { readonly id: string, readonly name: string } }, readonly evaluations: ReadonlyArray<{ readonly id: string }>, readonly resolution: { readonly action: ElicitationAction, readonly content: Readonly<Record<string, unknown>> | null, readonly comment: string | null, readonly editedArguments: Readonly<Record<string, unknown>> | null, readonly at: string, readonly by: { readonly kind: PrincipalKind, readonly id: string, readonly name: string } } | null } }
   };

export type ResolveElicitationsMutationVariables = Exact<{
  input: ResolveElicitationsInput;
}>;


export type ResolveElicitationsMutation = { readonly resolveElicitations:
    | { readonly __typename: 'AlreadyResolvedError', readonly message: string, readonly elicitation: { readonly id: string, readonly status: ElicitationStatus, readonly message: string, readonly phase: Phase, readonly policyNames: ReadonlyArray<string>, readonly contentPreview: string, readonly event: unknown, readonly maskedPaths: ReadonlyArray<string>, readonly digest: string, readonly requestedSchema: Readonly<Record<string, unknown>>, readonly url: string, readonly requestedAt: string, readonly expiresAt: string, readonly viewerCanResolve: boolean, readonly viewerCannotResolveReason: string | null, readonly session: { readonly id: string, readonly title: string | null, readonly agent: { readonly id: string, readonly name: string } }, readonly evaluations: ReadonlyArray<{ readonly id: string }>, readonly resolution: { readonly action: ElicitationAction, readonly content: Readonly<Record<string, unknown>> | null, readonly comment: string | null, readonly editedArguments: Readonly<Record<string, unknown>> | null, readonly at: string, readonly by: { readonly kind: PrincipalKind, readonly id: string, readonly name: string } } | null } }
    | { readonly __typename: 'ForbiddenError', readonly message: string }
    | { readonly __typename: 'InvalidInputError', readonly message: string, readonly issues: ReadonlyArray<{ readonly path: ReadonlyArray<string>, readonly message: string }> }
    | { readonly __typename: 'NotFoundError', readonly id: string, readonly message: string }
    | { readonly __typename: 'RateLimitedError', readonly retryAfterSeconds: number, readonly message: string }
    | { readonly __typename: 'ResolvedElicitations', readonly elicitations: ReadonlyArray<{ readonly id: string, readonly status: ElicitationStatus, readonly message: string, readonly phase: Phase, readonly policyNames: ReadonlyArray<string>, readonly contentPreview: string, readonly event: unknown, readonly maskedPaths: ReadonlyArray<string>, readonly digest: string, readonly requestedSchema: Readonly<Record<string, unknown>>, readonly url: string, readonly requestedAt: string, readonly expiresAt: string, readonly viewerCanResolve: boolean, readonly viewerCannotResolveReason: string | null, readonly session: { readonly id: string, readonly title: string | null, readonly agent: { readonly id: string, readonly name: string } }, readonly evaluations: ReadonlyArray<{ readonly id: string }>, readonly resolution: { readonly action: ElicitationAction, readonly content: Readonly<Record<string, unknown>> | null, readonly comment: string | null, readonly editedArguments: Readonly<Record<string, unknown>> | null, readonly at: string, readonly by: { readonly kind: PrincipalKind, readonly id: string, readonly name: string } } | null }> }
   };

export type ElicitationRequestedSubscriptionVariables = Exact<{
  sessionId?: string | null | undefined;
  includeDescendants?: boolean | null | undefined;
}>;


export type ElicitationRequestedSubscription = { readonly elicitationRequested: { readonly id: string, readonly status: ElicitationStatus, readonly message: string, readonly phase: Phase, readonly policyNames: ReadonlyArray<string>, readonly contentPreview: string, readonly event: unknown, readonly maskedPaths: ReadonlyArray<string>, readonly digest: string, readonly requestedSchema: Readonly<Record<string, unknown>>, readonly url: string, readonly requestedAt: string, readonly expiresAt: string, readonly viewerCanResolve: boolean, readonly viewerCannotResolveReason: string | null, readonly session: { readonly id: string, readonly title: string | null, readonly agent: { readonly id: string, readonly name: string } }, readonly evaluations: ReadonlyArray<{ readonly id: string }>, readonly resolution: { readonly action: ElicitationAction, readonly content: Readonly<Record<string, unknown>> | null, readonly comment: string | null, readonly editedArguments: Readonly<Record<string, unknown>> | null, readonly at: string, readonly by: { readonly kind: PrincipalKind, readonly id: string, readonly name: string } } | null } };

export type ElicitationResolvedSubscriptionVariables = Exact<{
  sessionId?: string | null | undefined;
  includeDescendants?: boolean | null | undefined;
}>;


export type ElicitationResolvedSubscription = { readonly elicitationResolved: { readonly id: string, readonly status: ElicitationStatus, readonly message: string, readonly phase: Phase, readonly policyNames: ReadonlyArray<string>, readonly contentPreview: string, readonly event: unknown, readonly maskedPaths: ReadonlyArray<string>, readonly digest: string, readonly requestedSchema: Readonly<Record<string, unknown>>, readonly url: string, readonly requestedAt: string, readonly expiresAt: string, readonly viewerCanResolve: boolean, readonly viewerCannotResolveReason: string | null, readonly session: { readonly id: string, readonly title: string | null, readonly agent: { readonly id: string, readonly name: string } }, readonly evaluations: ReadonlyArray<{ readonly id: string }>, readonly resolution: { readonly action: ElicitationAction, readonly content: Readonly<Record<string, unknown>> | null, readonly comment: string | null, readonly editedArguments: Readonly<Record<string, unknown>> | null, readonly at: string, readonly by: { readonly kind: PrincipalKind, readonly id: string, readonly name: string } } | null } };

export type SessionEventsSubscriptionVariables = Exact<{
  sessionId: string;
  after?: string | null | undefined;
}>;


export type SessionEventsSubscription = { readonly sessionEvents: { readonly cursor: string, readonly type: SessionEventType, readonly at: string, readonly policyName: string | null, readonly actor: { readonly kind: PrincipalKind, readonly id: string, readonly name: string } | null, readonly session: { readonly id: string }, readonly evaluation: { readonly id: string, readonly phase: Phase, readonly event: unknown, readonly maskedPaths: ReadonlyArray<string>, readonly verdict: Verdict, readonly status: EvaluationStatus, readonly decidedBy: DecisionSource | null, readonly reason: string | null, readonly decidingPolicies: ReadonlyArray<string>, readonly data: unknown, readonly createdAt: string, readonly decidedAt: string | null, readonly session: { readonly id: string }, readonly elicitation: { readonly id: string, readonly status: ElicitationStatus, readonly message: string, readonly url: string, readonly expiresAt: string } | null } | null, readonly elicitation: { readonly id: string, readonly status: ElicitationStatus, readonly message: string, readonly phase: Phase, readonly policyNames: ReadonlyArray<string>, readonly contentPreview: string, readonly event: unknown, readonly maskedPaths: ReadonlyArray<string>, readonly digest: string, readonly requestedSchema: Readonly<Record<string, unknown>>, readonly url: string, readonly requestedAt: string, readonly expiresAt: string, readonly viewerCanResolve: boolean, readonly viewerCannotResolveReason: string | null, readonly session: { readonly id: string, readonly title: string | null, readonly agent: { readonly id: string, readonly name: string } }, readonly evaluations: ReadonlyArray<{ readonly id: string }>, readonly resolution: { readonly action: ElicitationAction, readonly content: Readonly<Record<string, unknown>> | null, readonly comment: string | null, readonly editedArguments: Readonly<Record<string, unknown>> | null, readonly at: string, readonly by: { readonly kind: PrincipalKind, readonly id: string, readonly name: string } } | null } | null, readonly policy: { readonly id: string, readonly name: string } | null } };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const AgentFieldsFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment AgentFields on Agent {
  id
  name
  description
  askTimeoutSeconds
  labelDefinitions {
    key
    initial
    values
  }
  createdAt
  updatedAt
}
    `, {"fragmentName":"AgentFields"}) as unknown as TypedDocumentString<AgentFieldsFragment, unknown>;
export const PrincipalFieldsFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment PrincipalFields on Principal {
  kind
  id
  name
}
    `, {"fragmentName":"PrincipalFields"}) as unknown as TypedDocumentString<PrincipalFieldsFragment, unknown>;
export const SessionFieldsFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment SessionFields on Session {
  id
  agent {
    id
    name
  }
  parent {
    id
  }
  title
  owner {
    ...PrincipalFields
  }
  labels
  state
  usage {
    inputTokens
    outputTokens
    totalTokens
    cacheReadInputTokens
    cacheCreationInputTokens
    totalCostUsd
  }
  model
  harness
  pendingElicitationCount
  createdAt
  endedAt
}
    fragment PrincipalFields on Principal {
  kind
  id
  name
}`, {"fragmentName":"SessionFields"}) as unknown as TypedDocumentString<SessionFieldsFragment, unknown>;
export const PolicyFieldsFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment PolicyFields on Policy {
  id
  name
  level
  session {
    id
  }
  agent {
    id
  }
  handler {
    name
  }
  params
  on {
    phase
    toolName
  }
  condition
  writableLabels
  askTimeoutSeconds
  readOnly
  enabled
  createdAt
  updatedAt
}
    `, {"fragmentName":"PolicyFields"}) as unknown as TypedDocumentString<PolicyFieldsFragment, unknown>;
export const EvaluationFieldsFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment EvaluationFields on Evaluation {
  id
  session {
    id
  }
  phase
  event
  maskedPaths
  verdict
  status
  decidedBy
  reason
  decidingPolicies
  data
  elicitation {
    id
    status
    message
    url
    expiresAt
  }
  createdAt
  decidedAt
}
    `, {"fragmentName":"EvaluationFields"}) as unknown as TypedDocumentString<EvaluationFieldsFragment, unknown>;
export const ElicitationFieldsFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment ElicitationFields on Elicitation {
  id
  session {
    id
    title
    agent {
      id
      name
    }
  }
  evaluations {
    id
  }
  status
  message
  phase
  policyNames
  contentPreview
  event
  maskedPaths
  digest
  requestedSchema
  url
  requestedAt
  expiresAt
  viewerCanResolve
  viewerCannotResolveReason
  resolution {
    action
    content
    comment
    editedArguments
    by {
      ...PrincipalFields
    }
    at
  }
}
    fragment PrincipalFields on Principal {
  kind
  id
  name
}`, {"fragmentName":"ElicitationFields"}) as unknown as TypedDocumentString<ElicitationFieldsFragment, unknown>;
export const ApiKeyFieldsFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment ApiKeyFields on ApiKey {
  id
  name
  role
  owner {
    ...PrincipalFields
  }
  agents
  ownSessionsOnly
  hint
  createdBy {
    ...PrincipalFields
  }
  createdAt
  expiresAt
  revokedAt
  lastUsedAt
}
    fragment PrincipalFields on Principal {
  kind
  id
  name
}`, {"fragmentName":"ApiKeyFields"}) as unknown as TypedDocumentString<ApiKeyFieldsFragment, unknown>;
export const AuditEntryFieldsFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment AuditEntryFields on AuditEntry {
  id
  sequence
  at
  actor {
    ...PrincipalFields
  }
  action
  subject
  before
  after
  previousHash
  hash
}
    fragment PrincipalFields on Principal {
  kind
  id
  name
}`, {"fragmentName":"AuditEntryFields"}) as unknown as TypedDocumentString<AuditEntryFieldsFragment, unknown>;
export const PolicyHandlerFieldsFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment PolicyHandlerFields on PolicyHandler {
  name
  kind
  title
  description
  paramsSchema
  phases
}
    `, {"fragmentName":"PolicyHandlerFields"}) as unknown as TypedDocumentString<PolicyHandlerFieldsFragment, unknown>;
export const EvaluationPreviewFieldsFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment EvaluationPreviewFields on EvaluationPreview {
  verdict
  reason
  decidingPolicies
  data
  stateUpdates {
    key
    action
    value
  }
  labelWrites
  steps {
    policy
    handler
    level
    outcome
    reason
    durationMicroseconds
  }
}
    `, {"fragmentName":"EvaluationPreviewFields"}) as unknown as TypedDocumentString<EvaluationPreviewFieldsFragment, unknown>;
export const PageFieldsFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment PageFields on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}
    `, {"fragmentName":"PageFields"}) as unknown as TypedDocumentString<PageFieldsFragment, unknown>;
export const InvalidInputFieldsFragmentDoc = /*#__PURE__*/ new TypedDocumentString(`
    fragment InvalidInputFields on InvalidInputError {
  issues {
    path
    message
  }
}
    `, {"fragmentName":"InvalidInputFields"}) as unknown as TypedDocumentString<InvalidInputFieldsFragment, unknown>;
export const ViewerDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Viewer {
  viewer {
    ...PrincipalFields
  }
}
    fragment PrincipalFields on Principal {
  kind
  id
  name
}`) as unknown as TypedDocumentString<ViewerQuery, ViewerQueryVariables>;
export const ViewerRolesDocument = /*#__PURE__*/ new TypedDocumentString(`
    query ViewerRoles {
  viewerRoles
}
    `) as unknown as TypedDocumentString<ViewerRolesQuery, ViewerRolesQueryVariables>;
export const ApiKeysDocument = /*#__PURE__*/ new TypedDocumentString(`
    query ApiKeys($first: Int, $after: String, $last: Int, $before: String) {
  apiKeys(first: $first, after: $after, last: $last, before: $before) {
    pageInfo {
      ...PageFields
    }
    edges {
      cursor
      node {
        ...ApiKeyFields
      }
    }
  }
}
    fragment PrincipalFields on Principal {
  kind
  id
  name
}
fragment ApiKeyFields on ApiKey {
  id
  name
  role
  owner {
    ...PrincipalFields
  }
  agents
  ownSessionsOnly
  hint
  createdBy {
    ...PrincipalFields
  }
  createdAt
  expiresAt
  revokedAt
  lastUsedAt
}
fragment PageFields on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}`) as unknown as TypedDocumentString<ApiKeysQuery, ApiKeysQueryVariables>;
export const AuditLogDocument = /*#__PURE__*/ new TypedDocumentString(`
    query AuditLog($filter: AuditFilter, $first: Int, $after: String, $last: Int, $before: String) {
  auditLog(
    filter: $filter
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    pageInfo {
      ...PageFields
    }
    edges {
      cursor
      node {
        ...AuditEntryFields
      }
    }
  }
}
    fragment PrincipalFields on Principal {
  kind
  id
  name
}
fragment AuditEntryFields on AuditEntry {
  id
  sequence
  at
  actor {
    ...PrincipalFields
  }
  action
  subject
  before
  after
  previousHash
  hash
}
fragment PageFields on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}`) as unknown as TypedDocumentString<AuditLogQuery, AuditLogQueryVariables>;
export const NodeDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Node($id: ID!) {
  node(id: $id) {
    __typename
    id
  }
}
    `) as unknown as TypedDocumentString<NodeQuery, NodeQueryVariables>;
export const AgentDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Agent($id: ID!) {
  agent(id: $id) {
    ...AgentFields
  }
}
    fragment AgentFields on Agent {
  id
  name
  description
  askTimeoutSeconds
  labelDefinitions {
    key
    initial
    values
  }
  createdAt
  updatedAt
}`) as unknown as TypedDocumentString<AgentQuery, AgentQueryVariables>;
export const AgentsDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Agents($first: Int, $after: String, $last: Int, $before: String) {
  agents(first: $first, after: $after, last: $last, before: $before) {
    pageInfo {
      ...PageFields
    }
    edges {
      cursor
      node {
        ...AgentFields
      }
    }
  }
}
    fragment AgentFields on Agent {
  id
  name
  description
  askTimeoutSeconds
  labelDefinitions {
    key
    initial
    values
  }
  createdAt
  updatedAt
}
fragment PageFields on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}`) as unknown as TypedDocumentString<AgentsQuery, AgentsQueryVariables>;
export const SessionDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Session($id: ID!) {
  session(id: $id) {
    ...SessionFields
  }
}
    fragment PrincipalFields on Principal {
  kind
  id
  name
}
fragment SessionFields on Session {
  id
  agent {
    id
    name
  }
  parent {
    id
  }
  title
  owner {
    ...PrincipalFields
  }
  labels
  state
  usage {
    inputTokens
    outputTokens
    totalTokens
    cacheReadInputTokens
    cacheCreationInputTokens
    totalCostUsd
  }
  model
  harness
  pendingElicitationCount
  createdAt
  endedAt
}`) as unknown as TypedDocumentString<SessionQuery, SessionQueryVariables>;
export const SessionsDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Sessions($filter: SessionFilter, $first: Int, $after: String, $last: Int, $before: String) {
  sessions(
    filter: $filter
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    pageInfo {
      ...PageFields
    }
    edges {
      cursor
      node {
        ...SessionFields
      }
    }
  }
}
    fragment PrincipalFields on Principal {
  kind
  id
  name
}
fragment SessionFields on Session {
  id
  agent {
    id
    name
  }
  parent {
    id
  }
  title
  owner {
    ...PrincipalFields
  }
  labels
  state
  usage {
    inputTokens
    outputTokens
    totalTokens
    cacheReadInputTokens
    cacheCreationInputTokens
    totalCostUsd
  }
  model
  harness
  pendingElicitationCount
  createdAt
  endedAt
}
fragment PageFields on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}`) as unknown as TypedDocumentString<SessionsQuery, SessionsQueryVariables>;
export const PolicyDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Policy($id: ID!) {
  policy(id: $id) {
    ...PolicyFields
  }
}
    fragment PolicyFields on Policy {
  id
  name
  level
  session {
    id
  }
  agent {
    id
  }
  handler {
    name
  }
  params
  on {
    phase
    toolName
  }
  condition
  writableLabels
  askTimeoutSeconds
  readOnly
  enabled
  createdAt
  updatedAt
}`) as unknown as TypedDocumentString<PolicyQuery, PolicyQueryVariables>;
export const SessionPoliciesDocument = /*#__PURE__*/ new TypedDocumentString(`
    query SessionPolicies($id: ID!) {
  session(id: $id) {
    id
    policies {
      ...PolicyFields
    }
    effectivePolicies {
      ...PolicyFields
    }
  }
}
    fragment PolicyFields on Policy {
  id
  name
  level
  session {
    id
  }
  agent {
    id
  }
  handler {
    name
  }
  params
  on {
    phase
    toolName
  }
  condition
  writableLabels
  askTimeoutSeconds
  readOnly
  enabled
  createdAt
  updatedAt
}`) as unknown as TypedDocumentString<SessionPoliciesQuery, SessionPoliciesQueryVariables>;
export const AgentPoliciesDocument = /*#__PURE__*/ new TypedDocumentString(`
    query AgentPolicies($id: ID!) {
  agent(id: $id) {
    id
    policies {
      ...PolicyFields
    }
  }
}
    fragment PolicyFields on Policy {
  id
  name
  level
  session {
    id
  }
  agent {
    id
  }
  handler {
    name
  }
  params
  on {
    phase
    toolName
  }
  condition
  writableLabels
  askTimeoutSeconds
  readOnly
  enabled
  createdAt
  updatedAt
}`) as unknown as TypedDocumentString<AgentPoliciesQuery, AgentPoliciesQueryVariables>;
export const ServerPoliciesDocument = /*#__PURE__*/ new TypedDocumentString(`
    query ServerPolicies {
  serverPolicies {
    ...PolicyFields
  }
}
    fragment PolicyFields on Policy {
  id
  name
  level
  session {
    id
  }
  agent {
    id
  }
  handler {
    name
  }
  params
  on {
    phase
    toolName
  }
  condition
  writableLabels
  askTimeoutSeconds
  readOnly
  enabled
  createdAt
  updatedAt
}`) as unknown as TypedDocumentString<ServerPoliciesQuery, ServerPoliciesQueryVariables>;
export const PolicyRegistryDocument = /*#__PURE__*/ new TypedDocumentString(`
    query PolicyRegistry {
  policyRegistry {
    ...PolicyHandlerFields
  }
}
    fragment PolicyHandlerFields on PolicyHandler {
  name
  kind
  title
  description
  paramsSchema
  phases
}`) as unknown as TypedDocumentString<PolicyRegistryQuery, PolicyRegistryQueryVariables>;
export const ServerLabelDefinitionsDocument = /*#__PURE__*/ new TypedDocumentString(`
    query ServerLabelDefinitions {
  serverLabelDefinitions {
    key
    initial
    values
  }
}
    `) as unknown as TypedDocumentString<ServerLabelDefinitionsQuery, ServerLabelDefinitionsQueryVariables>;
export const EvaluationDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Evaluation($id: ID!) {
  evaluation(id: $id) {
    ...EvaluationFields
  }
}
    fragment EvaluationFields on Evaluation {
  id
  session {
    id
  }
  phase
  event
  maskedPaths
  verdict
  status
  decidedBy
  reason
  decidingPolicies
  data
  elicitation {
    id
    status
    message
    url
    expiresAt
  }
  createdAt
  decidedAt
}`) as unknown as TypedDocumentString<EvaluationQuery, EvaluationQueryVariables>;
export const ElicitationDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Elicitation($id: ID!) {
  elicitation(id: $id) {
    ...ElicitationFields
  }
}
    fragment PrincipalFields on Principal {
  kind
  id
  name
}
fragment ElicitationFields on Elicitation {
  id
  session {
    id
    title
    agent {
      id
      name
    }
  }
  evaluations {
    id
  }
  status
  message
  phase
  policyNames
  contentPreview
  event
  maskedPaths
  digest
  requestedSchema
  url
  requestedAt
  expiresAt
  viewerCanResolve
  viewerCannotResolveReason
  resolution {
    action
    content
    comment
    editedArguments
    by {
      ...PrincipalFields
    }
    at
  }
}`) as unknown as TypedDocumentString<ElicitationQuery, ElicitationQueryVariables>;
export const ElicitationsDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Elicitations($filter: ElicitationFilter, $first: Int, $after: String, $last: Int, $before: String) {
  elicitations(
    filter: $filter
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    pageInfo {
      ...PageFields
    }
    edges {
      cursor
      node {
        ...ElicitationFields
      }
    }
  }
}
    fragment PrincipalFields on Principal {
  kind
  id
  name
}
fragment ElicitationFields on Elicitation {
  id
  session {
    id
    title
    agent {
      id
      name
    }
  }
  evaluations {
    id
  }
  status
  message
  phase
  policyNames
  contentPreview
  event
  maskedPaths
  digest
  requestedSchema
  url
  requestedAt
  expiresAt
  viewerCanResolve
  viewerCannotResolveReason
  resolution {
    action
    content
    comment
    editedArguments
    by {
      ...PrincipalFields
    }
    at
  }
}
fragment PageFields on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}`) as unknown as TypedDocumentString<ElicitationsQuery, ElicitationsQueryVariables>;
export const PreviewEvaluationDocument = /*#__PURE__*/ new TypedDocumentString(`
    query PreviewEvaluation($input: PreviewEvaluationInput!) {
  previewEvaluation(input: $input) {
    __typename
    ...EvaluationPreviewFields
    ...InvalidInputFields
    ... on NotFoundError {
      id
    }
    ... on Error {
      message
    }
  }
}
    fragment EvaluationPreviewFields on EvaluationPreview {
  verdict
  reason
  decidingPolicies
  data
  stateUpdates {
    key
    action
    value
  }
  labelWrites
  steps {
    policy
    handler
    level
    outcome
    reason
    durationMicroseconds
  }
}
fragment InvalidInputFields on InvalidInputError {
  issues {
    path
    message
  }
}`) as unknown as TypedDocumentString<PreviewEvaluationQuery, PreviewEvaluationQueryVariables>;
export const SimulatePolicyDocument = /*#__PURE__*/ new TypedDocumentString(`
    query SimulatePolicy($input: SimulatePolicyInput!) {
  simulatePolicy(input: $input) {
    __typename
    ...EvaluationPreviewFields
    ...InvalidInputFields
    ... on Error {
      message
    }
  }
}
    fragment EvaluationPreviewFields on EvaluationPreview {
  verdict
  reason
  decidingPolicies
  data
  stateUpdates {
    key
    action
    value
  }
  labelWrites
  steps {
    policy
    handler
    level
    outcome
    reason
    durationMicroseconds
  }
}
fragment InvalidInputFields on InvalidInputError {
  issues {
    path
    message
  }
}`) as unknown as TypedDocumentString<SimulatePolicyQuery, SimulatePolicyQueryVariables>;
export const CreateApiKeyDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation CreateApiKey($input: CreateApiKeyInput!) {
  createApiKey(input: $input) {
    __typename
    ... on CreatedApiKey {
      token
      key {
        ...ApiKeyFields
      }
    }
    ...InvalidInputFields
    ... on RateLimitedError {
      retryAfterSeconds
    }
    ... on Error {
      message
    }
  }
}
    fragment PrincipalFields on Principal {
  kind
  id
  name
}
fragment ApiKeyFields on ApiKey {
  id
  name
  role
  owner {
    ...PrincipalFields
  }
  agents
  ownSessionsOnly
  hint
  createdBy {
    ...PrincipalFields
  }
  createdAt
  expiresAt
  revokedAt
  lastUsedAt
}
fragment InvalidInputFields on InvalidInputError {
  issues {
    path
    message
  }
}`) as unknown as TypedDocumentString<CreateApiKeyMutation, CreateApiKeyMutationVariables>;
export const RevokeApiKeyDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation RevokeApiKey($input: RevokeApiKeyInput!) {
  revokeApiKey(input: $input) {
    __typename
    ...ApiKeyFields
    ... on NotFoundError {
      id
    }
    ... on RateLimitedError {
      retryAfterSeconds
    }
    ... on Error {
      message
    }
  }
}
    fragment PrincipalFields on Principal {
  kind
  id
  name
}
fragment ApiKeyFields on ApiKey {
  id
  name
  role
  owner {
    ...PrincipalFields
  }
  agents
  ownSessionsOnly
  hint
  createdBy {
    ...PrincipalFields
  }
  createdAt
  expiresAt
  revokedAt
  lastUsedAt
}`) as unknown as TypedDocumentString<RevokeApiKeyMutation, RevokeApiKeyMutationVariables>;
export const CreateAgentDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation CreateAgent($input: CreateAgentInput!) {
  createAgent(input: $input) {
    __typename
    ...AgentFields
    ...InvalidInputFields
    ... on RateLimitedError {
      retryAfterSeconds
    }
    ... on Error {
      message
    }
  }
}
    fragment AgentFields on Agent {
  id
  name
  description
  askTimeoutSeconds
  labelDefinitions {
    key
    initial
    values
  }
  createdAt
  updatedAt
}
fragment InvalidInputFields on InvalidInputError {
  issues {
    path
    message
  }
}`) as unknown as TypedDocumentString<CreateAgentMutation, CreateAgentMutationVariables>;
export const UpdateAgentDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation UpdateAgent($input: UpdateAgentInput!) {
  updateAgent(input: $input) {
    __typename
    ...AgentFields
    ...InvalidInputFields
    ... on NotFoundError {
      id
    }
    ... on RateLimitedError {
      retryAfterSeconds
    }
    ... on Error {
      message
    }
  }
}
    fragment AgentFields on Agent {
  id
  name
  description
  askTimeoutSeconds
  labelDefinitions {
    key
    initial
    values
  }
  createdAt
  updatedAt
}
fragment InvalidInputFields on InvalidInputError {
  issues {
    path
    message
  }
}`) as unknown as TypedDocumentString<UpdateAgentMutation, UpdateAgentMutationVariables>;
export const CreateSessionDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation CreateSession($input: CreateSessionInput!) {
  createSession(input: $input) {
    __typename
    ...SessionFields
    ...InvalidInputFields
    ... on NotFoundError {
      id
    }
    ... on RateLimitedError {
      retryAfterSeconds
    }
    ... on Error {
      message
    }
  }
}
    fragment PrincipalFields on Principal {
  kind
  id
  name
}
fragment SessionFields on Session {
  id
  agent {
    id
    name
  }
  parent {
    id
  }
  title
  owner {
    ...PrincipalFields
  }
  labels
  state
  usage {
    inputTokens
    outputTokens
    totalTokens
    cacheReadInputTokens
    cacheCreationInputTokens
    totalCostUsd
  }
  model
  harness
  pendingElicitationCount
  createdAt
  endedAt
}
fragment InvalidInputFields on InvalidInputError {
  issues {
    path
    message
  }
}`) as unknown as TypedDocumentString<CreateSessionMutation, CreateSessionMutationVariables>;
export const UpdateSessionDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation UpdateSession($input: UpdateSessionInput!) {
  updateSession(input: $input) {
    __typename
    ...SessionFields
    ...InvalidInputFields
    ... on NotFoundError {
      id
    }
    ... on RateLimitedError {
      retryAfterSeconds
    }
    ... on Error {
      message
    }
  }
}
    fragment PrincipalFields on Principal {
  kind
  id
  name
}
fragment SessionFields on Session {
  id
  agent {
    id
    name
  }
  parent {
    id
  }
  title
  owner {
    ...PrincipalFields
  }
  labels
  state
  usage {
    inputTokens
    outputTokens
    totalTokens
    cacheReadInputTokens
    cacheCreationInputTokens
    totalCostUsd
  }
  model
  harness
  pendingElicitationCount
  createdAt
  endedAt
}
fragment InvalidInputFields on InvalidInputError {
  issues {
    path
    message
  }
}`) as unknown as TypedDocumentString<UpdateSessionMutation, UpdateSessionMutationVariables>;
export const EndSessionDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation EndSession($input: EndSessionInput!) {
  endSession(input: $input) {
    __typename
    ...SessionFields
    ... on NotFoundError {
      id
    }
    ... on RateLimitedError {
      retryAfterSeconds
    }
    ... on Error {
      message
    }
  }
}
    fragment PrincipalFields on Principal {
  kind
  id
  name
}
fragment SessionFields on Session {
  id
  agent {
    id
    name
  }
  parent {
    id
  }
  title
  owner {
    ...PrincipalFields
  }
  labels
  state
  usage {
    inputTokens
    outputTokens
    totalTokens
    cacheReadInputTokens
    cacheCreationInputTokens
    totalCostUsd
  }
  model
  harness
  pendingElicitationCount
  createdAt
  endedAt
}`) as unknown as TypedDocumentString<EndSessionMutation, EndSessionMutationVariables>;
export const RecordUsageDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation RecordUsage($input: RecordUsageInput!) {
  recordUsage(input: $input) {
    __typename
    ...SessionFields
    ...InvalidInputFields
    ... on NotFoundError {
      id
    }
    ... on RateLimitedError {
      retryAfterSeconds
    }
    ... on Error {
      message
    }
  }
}
    fragment PrincipalFields on Principal {
  kind
  id
  name
}
fragment SessionFields on Session {
  id
  agent {
    id
    name
  }
  parent {
    id
  }
  title
  owner {
    ...PrincipalFields
  }
  labels
  state
  usage {
    inputTokens
    outputTokens
    totalTokens
    cacheReadInputTokens
    cacheCreationInputTokens
    totalCostUsd
  }
  model
  harness
  pendingElicitationCount
  createdAt
  endedAt
}
fragment InvalidInputFields on InvalidInputError {
  issues {
    path
    message
  }
}`) as unknown as TypedDocumentString<RecordUsageMutation, RecordUsageMutationVariables>;
export const CreatePolicyDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation CreatePolicy($input: CreatePolicyInput!) {
  createPolicy(input: $input) {
    __typename
    ...PolicyFields
    ...InvalidInputFields
    ... on NotFoundError {
      id
    }
    ... on RateLimitedError {
      retryAfterSeconds
    }
    ... on Error {
      message
    }
  }
}
    fragment PolicyFields on Policy {
  id
  name
  level
  session {
    id
  }
  agent {
    id
  }
  handler {
    name
  }
  params
  on {
    phase
    toolName
  }
  condition
  writableLabels
  askTimeoutSeconds
  readOnly
  enabled
  createdAt
  updatedAt
}
fragment InvalidInputFields on InvalidInputError {
  issues {
    path
    message
  }
}`) as unknown as TypedDocumentString<CreatePolicyMutation, CreatePolicyMutationVariables>;
export const UpdatePolicyDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation UpdatePolicy($input: UpdatePolicyInput!) {
  updatePolicy(input: $input) {
    __typename
    ...PolicyFields
    ...InvalidInputFields
    ... on NotFoundError {
      id
    }
    ... on RateLimitedError {
      retryAfterSeconds
    }
    ... on Error {
      message
    }
  }
}
    fragment PolicyFields on Policy {
  id
  name
  level
  session {
    id
  }
  agent {
    id
  }
  handler {
    name
  }
  params
  on {
    phase
    toolName
  }
  condition
  writableLabels
  askTimeoutSeconds
  readOnly
  enabled
  createdAt
  updatedAt
}
fragment InvalidInputFields on InvalidInputError {
  issues {
    path
    message
  }
}`) as unknown as TypedDocumentString<UpdatePolicyMutation, UpdatePolicyMutationVariables>;
export const DeletePolicyDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation DeletePolicy($input: DeletePolicyInput!) {
  deletePolicy(input: $input) {
    __typename
    ... on DeletedPolicy {
      id
    }
    ... on NotFoundError {
      id
    }
    ... on RateLimitedError {
      retryAfterSeconds
    }
    ... on Error {
      message
    }
  }
}
    `) as unknown as TypedDocumentString<DeletePolicyMutation, DeletePolicyMutationVariables>;
export const EvaluatePolicyDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation EvaluatePolicy($input: EvaluatePolicyInput!) {
  evaluatePolicy(input: $input) {
    __typename
    ...EvaluationFields
    ...InvalidInputFields
    ... on NotFoundError {
      id
    }
    ... on IdempotencyKeyReusedError {
      evaluation {
        ...EvaluationFields
      }
    }
    ... on TooManyPendingError {
      limit
    }
    ... on RateLimitedError {
      retryAfterSeconds
    }
    ... on Error {
      message
    }
  }
}
    fragment EvaluationFields on Evaluation {
  id
  session {
    id
  }
  phase
  event
  maskedPaths
  verdict
  status
  decidedBy
  reason
  decidingPolicies
  data
  elicitation {
    id
    status
    message
    url
    expiresAt
  }
  createdAt
  decidedAt
}
fragment InvalidInputFields on InvalidInputError {
  issues {
    path
    message
  }
}`) as unknown as TypedDocumentString<EvaluatePolicyMutation, EvaluatePolicyMutationVariables>;
export const WithdrawEvaluationDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation WithdrawEvaluation($input: WithdrawEvaluationInput!) {
  withdrawEvaluation(input: $input) {
    __typename
    ...EvaluationFields
    ...InvalidInputFields
    ... on NotFoundError {
      id
    }
    ... on RateLimitedError {
      retryAfterSeconds
    }
    ... on Error {
      message
    }
  }
}
    fragment EvaluationFields on Evaluation {
  id
  session {
    id
  }
  phase
  event
  maskedPaths
  verdict
  status
  decidedBy
  reason
  decidingPolicies
  data
  elicitation {
    id
    status
    message
    url
    expiresAt
  }
  createdAt
  decidedAt
}
fragment InvalidInputFields on InvalidInputError {
  issues {
    path
    message
  }
}`) as unknown as TypedDocumentString<WithdrawEvaluationMutation, WithdrawEvaluationMutationVariables>;
export const ResolveElicitationDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation ResolveElicitation($input: ResolveElicitationInput!) {
  resolveElicitation(input: $input) {
    __typename
    ...ElicitationFields
    ...InvalidInputFields
    ... on NotFoundError {
      id
    }
    ... on AlreadyResolvedError {
      elicitation {
        ...ElicitationFields
      }
    }
    ... on StaleElicitationError {
      elicitation {
        ...ElicitationFields
      }
    }
    ... on EditRefusedError {
      issues {
        path
        message
      }
      policy
    }
    ... on RateLimitedError {
      retryAfterSeconds
    }
    ... on Error {
      message
    }
  }
}
    fragment PrincipalFields on Principal {
  kind
  id
  name
}
fragment ElicitationFields on Elicitation {
  id
  session {
    id
    title
    agent {
      id
      name
    }
  }
  evaluations {
    id
  }
  status
  message
  phase
  policyNames
  contentPreview
  event
  maskedPaths
  digest
  requestedSchema
  url
  requestedAt
  expiresAt
  viewerCanResolve
  viewerCannotResolveReason
  resolution {
    action
    content
    comment
    editedArguments
    by {
      ...PrincipalFields
    }
    at
  }
}
fragment InvalidInputFields on InvalidInputError {
  issues {
    path
    message
  }
}`) as unknown as TypedDocumentString<ResolveElicitationMutation, ResolveElicitationMutationVariables>;
export const ResolveElicitationsDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation ResolveElicitations($input: ResolveElicitationsInput!) {
  resolveElicitations(input: $input) {
    __typename
    ... on ResolvedElicitations {
      elicitations {
        ...ElicitationFields
      }
    }
    ...InvalidInputFields
    ... on NotFoundError {
      id
    }
    ... on AlreadyResolvedError {
      elicitation {
        ...ElicitationFields
      }
    }
    ... on RateLimitedError {
      retryAfterSeconds
    }
    ... on Error {
      message
    }
  }
}
    fragment PrincipalFields on Principal {
  kind
  id
  name
}
fragment ElicitationFields on Elicitation {
  id
  session {
    id
    title
    agent {
      id
      name
    }
  }
  evaluations {
    id
  }
  status
  message
  phase
  policyNames
  contentPreview
  event
  maskedPaths
  digest
  requestedSchema
  url
  requestedAt
  expiresAt
  viewerCanResolve
  viewerCannotResolveReason
  resolution {
    action
    content
    comment
    editedArguments
    by {
      ...PrincipalFields
    }
    at
  }
}
fragment InvalidInputFields on InvalidInputError {
  issues {
    path
    message
  }
}`) as unknown as TypedDocumentString<ResolveElicitationsMutation, ResolveElicitationsMutationVariables>;
export const ElicitationRequestedDocument = /*#__PURE__*/ new TypedDocumentString(`
    subscription ElicitationRequested($sessionId: ID, $includeDescendants: Boolean) {
  elicitationRequested(
    sessionId: $sessionId
    includeDescendants: $includeDescendants
  ) {
    ...ElicitationFields
  }
}
    fragment PrincipalFields on Principal {
  kind
  id
  name
}
fragment ElicitationFields on Elicitation {
  id
  session {
    id
    title
    agent {
      id
      name
    }
  }
  evaluations {
    id
  }
  status
  message
  phase
  policyNames
  contentPreview
  event
  maskedPaths
  digest
  requestedSchema
  url
  requestedAt
  expiresAt
  viewerCanResolve
  viewerCannotResolveReason
  resolution {
    action
    content
    comment
    editedArguments
    by {
      ...PrincipalFields
    }
    at
  }
}`) as unknown as TypedDocumentString<ElicitationRequestedSubscription, ElicitationRequestedSubscriptionVariables>;
export const ElicitationResolvedDocument = /*#__PURE__*/ new TypedDocumentString(`
    subscription ElicitationResolved($sessionId: ID, $includeDescendants: Boolean) {
  elicitationResolved(
    sessionId: $sessionId
    includeDescendants: $includeDescendants
  ) {
    ...ElicitationFields
  }
}
    fragment PrincipalFields on Principal {
  kind
  id
  name
}
fragment ElicitationFields on Elicitation {
  id
  session {
    id
    title
    agent {
      id
      name
    }
  }
  evaluations {
    id
  }
  status
  message
  phase
  policyNames
  contentPreview
  event
  maskedPaths
  digest
  requestedSchema
  url
  requestedAt
  expiresAt
  viewerCanResolve
  viewerCannotResolveReason
  resolution {
    action
    content
    comment
    editedArguments
    by {
      ...PrincipalFields
    }
    at
  }
}`) as unknown as TypedDocumentString<ElicitationResolvedSubscription, ElicitationResolvedSubscriptionVariables>;
export const SessionEventsDocument = /*#__PURE__*/ new TypedDocumentString(`
    subscription SessionEvents($sessionId: ID!, $after: String) {
  sessionEvents(sessionId: $sessionId, after: $after) {
    cursor
    type
    at
    actor {
      ...PrincipalFields
    }
    session {
      id
    }
    evaluation {
      ...EvaluationFields
    }
    elicitation {
      ...ElicitationFields
    }
    policy {
      id
      name
    }
    policyName
  }
}
    fragment PrincipalFields on Principal {
  kind
  id
  name
}
fragment EvaluationFields on Evaluation {
  id
  session {
    id
  }
  phase
  event
  maskedPaths
  verdict
  status
  decidedBy
  reason
  decidingPolicies
  data
  elicitation {
    id
    status
    message
    url
    expiresAt
  }
  createdAt
  decidedAt
}
fragment ElicitationFields on Elicitation {
  id
  session {
    id
    title
    agent {
      id
      name
    }
  }
  evaluations {
    id
  }
  status
  message
  phase
  policyNames
  contentPreview
  event
  maskedPaths
  digest
  requestedSchema
  url
  requestedAt
  expiresAt
  viewerCanResolve
  viewerCannotResolveReason
  resolution {
    action
    content
    comment
    editedArguments
    by {
      ...PrincipalFields
    }
    at
  }
}`) as unknown as TypedDocumentString<SessionEventsSubscription, SessionEventsSubscriptionVariables>;
