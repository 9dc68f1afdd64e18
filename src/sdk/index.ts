/** The public entry `countersign/client`: gate the tools of an agent, decide, and every operation of the contract, in Node and in browsers. */
export type { Token } from './authorization.ts';
export { createClient } from './client.ts';
export type { Client, ClientOptions } from './client.ts';
export { ClosedError, CountersignError, DeniedError, MalformedAnswerError, RefusedError, RequestError, UndecidedError, UnreachableError } from './errors.ts';
export type { Denial, ErrorResult } from './errors.ts';
export { DeadlineError } from './evaluate.ts';
export type { EvaluateOptions } from './evaluate.ts';
export type { GatedTool, GateOptions, PerCall, Tool } from './gate.ts';
export type {
  AuditAction,
  CreatePolicyInput,
  DecisionSource,
  ElicitationAction,
  ElicitationStatus,
  EvaluatePolicyInput,
  EvaluationStatus,
  Phase,
  PolicyEventInput,
  PolicySelectorInput,
  ResolveElicitationInput,
  SessionEventType,
  Verdict,
} from './generated.ts';
export type { AuditEntry, CallOptions, Elicitation, Evaluation, EvaluationPreview, Operations, Policy, PolicyHandler, Session, SessionEvent } from './operations.ts';
export type { Permission, PermissionOptions, PerPermission, Permit, ToolCall } from './permission.ts';
export type { NewSession } from './session.ts';
export type { TransportOptions } from './transport.ts';
export type { WatchElicitationsOptions, WatchOptions, WatchSessionEventsOptions } from './watch.ts';
