import type { AuditAction as Act } from '../../entities/audit-entry.entity.ts';
import type { ElicitationAction as Action, ElicitationStatus as Status } from '../../entities/elicitation.entity.ts';
import type { DecisionSource as Source, EvaluationStatus as State } from '../../entities/evaluation.entity.ts';
import type { PrincipalKind as Kind } from '../../entities/principal.ts';
import type { Role as Part } from '../../entities/role.ts';
import type { InboxEvent } from '../../gate/watch-inbox-events.ts';
import type { SessionEvent } from '../../gate/watch-session-events.ts';
import type { PolicyLevel as Level, PolicyOutcome as Outcome } from '../../policy/pass.ts';
import type { Phase as Moment } from '../../policy/event.ts';
import type { Handler } from '../../policy/handler.ts';
import type { StateUpdate, Verdict as Answer } from '../../policy/verdict.ts';
import { builder } from '../builder.ts';

/** A description for each value of a union of strings: the compiler notices a missing and a surplus one. */
type Described<Value extends string> = { readonly [Name in Value]: { readonly description: string } };

export const Phase = builder.enumType('Phase', {
  description: "The six moments of an agent's loop that can be judged. A policy event's `type` is the phase in lower case.",
  values: {
    REQUEST: { description: "A user's message, before the agent gets it." },
    RESPONSE: { description: "The agent's answer, before the user gets it." },
    TOOL_CALL: { description: 'A call of a tool, before it runs.' },
    TOOL_RESULT: { description: "A tool's result, before the agent gets it." },
    LLM_REQUEST: { description: 'A request to a language model, before it is sent.' },
    LLM_RESPONSE: { description: "A language model's answer, before the agent gets it." },
  } satisfies Described<Moment>,
});

export const SessionEventType = builder.enumType('SessionEventType', {
  description: 'What happened in a session.',
  values: {
    EVALUATION_JUDGED: { description: 'An event was judged: `evaluation`.' },
    EVALUATION_ABANDONED: { description: 'The caller withdrew the call, or had gone for longer than the grace time.' },
    EVALUATION_SETTLED_BY_POLICY: { description: 'After another approval its policies no longer ask.' },
    ELICITATION_REQUESTED: { description: 'A person is asked: `elicitation`.' },
    ELICITATION_JOINED: { description: 'One more evaluation waits for what a person was asked already.' },
    ELICITATION_RESOLVED: { description: 'It was accepted, declined or cancelled.' },
    ELICITATION_EXPIRED: { description: 'Nobody decided in time.' },
    POLICY_CREATED: { description: 'A policy was attached to the session: `policy`, `policyName`.' },
    POLICY_UPDATED: { description: 'A policy on the session was changed.' },
    POLICY_DELETED: { description: 'A policy was taken from the session: `policyName`.' },
    SESSION_UPDATED: { description: 'Title, labels or model were changed.' },
    SESSION_ENDED: { description: 'It takes no more evaluations.' },
    RESYNC: { description: 'What came after the cursor that was given is not all there any more. Read the session anew; what is still there follows.' },
  } satisfies Described<SessionEvent['type']>,
});

export const InboxEventType = builder.enumType('InboxEventType', {
  description: 'What happened to an elicitation.',
  values: {
    ELICITATION_REQUESTED: { description: 'A person is asked.' },
    ELICITATION_RESOLVED: { description: 'It was accepted, declined or cancelled.' },
    ELICITATION_EXPIRED: { description: 'Nobody decided in time.' },
    RESYNC: { description: 'What came after the cursor that was given is not all there any more. Read what is pending anew; what is still there follows.' },
  } satisfies Described<InboxEvent['type']>,
});

export const Verdict = builder.enumType('Verdict', {
  description: 'What is said of an event. Only ALLOW permits the act.',
  values: {
    ALLOW: { description: 'The act is permitted, exactly as the event states it or, where `data` is given, as that states it.' },
    DENY: { description: 'The act is not permitted. `reason` says why, in words that an agent can be given.' },
    ASK: { description: 'Undecided: a person must decide first. Until then the act is not permitted.' },
  } satisfies Described<Answer>,
});

export const EvaluationStatus = builder.enumType('EvaluationStatus', {
  description: 'How far an evaluation has come. DECIDED and ABANDONED are final.',
  values: {
    AWAITING_APPROVAL: { description: 'A person has to decide. The verdict is ASK.' },
    DECIDED: { description: 'The verdict is ALLOW or DENY and stays so.' },
    ABANDONED: { description: 'The caller gave up before a decision: it withdrew, or was gone for longer than the grace time. The verdict is DENY, by CANCELLATION.' },
  } satisfies Described<State>,
});

export const DecisionSource = builder.enumType('DecisionSource', {
  description: 'Who or what decided an evaluation. An ask that ran out and one that was declined are never confused.',
  values: {
    POLICY: { description: 'The policies, without asking a person.' },
    PERSON: { description: 'A person who accepted or declined the elicitation.' },
    EXPIRY: { description: 'The deadline: nobody decided in time. The verdict is DENY.' },
    CANCELLATION: { description: 'A cancel: by a person, by the end of the session, or because the caller has gone. The verdict is DENY.' },
    FAILURE: { description: "A policy that failed to judge, or whose writes no longer fit the session. The verdict is DENY; the server's log has more." },
  } satisfies Described<Source>,
});

export const ElicitationStatus = builder.enumType('ElicitationStatus', {
  description: 'Where an elicitation stands at the moment of reading. All but PENDING are final.',
  values: {
    PENDING: { description: 'Not resolved, and its deadline is still ahead.' },
    ACCEPTED: { description: 'Resolved with ACCEPT.' },
    DECLINED: { description: 'Resolved with DECLINE.' },
    CANCELLED: { description: 'Resolved with CANCEL: by a person, or by Countersign because nothing waits for it any more.' },
    EXPIRED: { description: 'The deadline passed without a resolution.' },
  } satisfies Described<Status>,
});

export const ElicitationAction = builder.enumType('ElicitationAction', {
  description: "A person's answer to an elicitation: the three actions of MCP elicitation (Model Context Protocol), in upper case.",
  values: {
    ACCEPT: { description: 'Yes: the waiting evaluations become ALLOW.' },
    DECLINE: { description: 'No: they become DENY, decided by PERSON, with the comment as the reason.' },
    CANCEL: { description: 'Dismissed without an answer: they become DENY, decided by CANCELLATION.' },
  } satisfies Described<Action>,
});

export const PolicyLevel = builder.enumType('PolicyLevel', {
  description: 'What a policy is attached to, and so which sessions it judges.',
  values: {
    SERVER: { description: 'The installation: every session.' },
    AGENT: { description: "An agent: the agent's sessions." },
    SESSION: { description: 'A session: that one and its descendants.' },
  } satisfies Described<Level>,
});

export const PolicyOutcome = builder.enumType('PolicyOutcome', {
  description: 'What became of one policy while an event was judged.',
  values: {
    SKIPPED: { description: 'It did not judge: its selectors or condition do not match, or an earlier policy denied.' },
    ABSTAINED: { description: 'It judged and has nothing to say.' },
    ALLOWED: { description: 'It has no objection; it may have rewritten the payload or want something written.' },
    ASKED: { description: 'It wants a person to decide.' },
    DENIED: { description: 'It denied, which ended the pass.' },
    FAILED: { description: 'It failed to judge, which denies.' },
  } satisfies Described<Outcome>,
});

export const HandlerKind = builder.enumType('HandlerKind', {
  description: 'Whether a handler takes params.',
  values: {
    CALLABLE: { description: 'It takes none.' },
    FACTORY: { description: 'It takes params, which `paramsSchema` describes.' },
  } satisfies Described<Handler['kind']>,
});

export const PrincipalKind = builder.enumType('PrincipalKind', {
  description: 'What kind of caller a principal is.',
  values: {
    USER: { description: 'A person.' },
    AGENT_KEY: { description: 'An agent, by its API key.' },
    SYSTEM: { description: 'Countersign itself.' },
  } satisfies Described<Kind>,
});

export const Role = builder.enumType('Role', {
  description: 'What a caller is there for.',
  values: {
    AGENT: { description: "Acts, and asks before it does: evaluates on its owner's sessions, and sees only these." },
    APPROVER: { description: 'Decides: sees the sessions that it reaches, and resolves what they ask for.' },
    ADMIN: { description: 'Does everything: policies, agents and keys included.' },
    VIEWER: { description: 'Only looks.' },
  } satisfies Described<Part>,
});

export const StateUpdateAction = builder.enumType('StateUpdateAction', {
  description: "How a policy changes one key of a session's state.",
  values: {
    SET: { value: 'set', description: 'Put the value there.' },
    INCREMENT: { value: 'increment', description: 'Add the number; a missing key counts as 0.' },
    APPEND: { value: 'append', description: 'Add the value at the end of the list; a missing key counts as an empty list.' },
    DELETE: { value: 'delete', description: 'Remove the key; a missing one is fine.' },
  } as const satisfies { readonly [Name in Uppercase<StateUpdate['action']>]: { readonly value: Lowercase<Name>; readonly description: string } },
});

export const AuditAction = builder.enumType('AuditAction', {
  description: 'What the audit log records.',
  values: {
    AGENT_CREATED: { description: 'An agent was created.' },
    AGENT_UPDATED: { description: 'An agent was changed.' },
    SESSION_UPDATED: { description: "A session's title, labels or model were changed by a caller. What policies write is not recorded here." },
    SESSION_ENDED: { description: 'A session was ended.' },
    POLICY_CREATED: { description: 'A policy was attached.' },
    POLICY_UPDATED: { description: 'A policy was changed.' },
    POLICY_DELETED: { description: 'A policy was deleted.' },
    API_KEY_CREATED: { description: 'A key was created.' },
    API_KEY_REVOKED: { description: 'A key was revoked.' },
    ELICITATION_REQUESTED: { description: 'A person was asked; `actor` is whose evaluation raised it.' },
    ELICITATION_JOINED: { description: 'One more evaluation waits for what a person was asked already.' },
    ELICITATION_RESOLVED: { description: 'An elicitation was resolved: `after` has the action, comment, content and edits; `ownApproval` is there and true where the accepting person evaluates on the session as well.' },
    ELICITATION_EXPIRED: { description: 'Nobody decided in time.' },
    EVALUATION_ABANDONED: { description: 'An undecided evaluation was withdrawn, or its caller did not come back.' },
    EVALUATION_SETTLED_BY_POLICY: { description: 'After another approval the policies no longer asked; `after` has the verdict.' },
    SIGN_IN_FAILED: { description: 'A credential was refused; `after` has the address and how often within the minute.' },
    LIMIT_HIT: { description: 'A caller was refused because of a limit; `after` has the limit and how often within the minute.' },
  } satisfies Described<Act>,
});
