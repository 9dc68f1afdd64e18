import * as documents from './generated.ts';

/** A field of the contract: its document, and whether to call it twice is as good as once. */
export interface Operation<Field extends string, Data, Variables> {
  readonly field: Field;
  readonly document: documents.TypedDocumentString<Data, Variables>;
  readonly isRepeatable: boolean;
}

function query<Field extends string, Data extends Record<Field, unknown>, Variables>(field: Field, document: documents.TypedDocumentString<Data, Variables>): Operation<Field, Data, Variables> {
  return { field, document, isRepeatable: true };
}

/** A mutation that does nothing the second time. */
const repeatable = query;

/** A mutation that is sent once: whether it was done cannot be told when its answer is lost. */
function once<Field extends string, Data extends Record<Field, unknown>, Variables>(field: Field, document: documents.TypedDocumentString<Data, Variables>): Operation<Field, Data, Variables> {
  return { field, document, isRepeatable: false };
}

/** The queries. What is not there, or not to be seen, is null. */
export const queries = {
  /** Who calls, by its credential. */
  viewer: query('viewer', documents.ViewerDocument),
  viewerRoles: query('viewerRoles', documents.ViewerRolesDocument),
  /** For admins. */
  apiKeys: query('apiKeys', documents.ApiKeysDocument),
  /** For admins. */
  auditLog: query('auditLog', documents.AuditLogDocument),
  /** What an id stands for; the query of that type has its fields. */
  node: query('node', documents.NodeDocument),
  agent: query('agent', documents.AgentDocument),
  agents: query('agents', documents.AgentsDocument),
  session: query('session', documents.SessionDocument),
  sessions: query('sessions', documents.SessionsDocument),
  policy: query('policy', documents.PolicyDocument),
  /** A session's own policies, and all that judge it, in order. */
  sessionPolicies: query('session', documents.SessionPoliciesDocument),
  agentPolicies: query('agent', documents.AgentPoliciesDocument),
  serverPolicies: query('serverPolicies', documents.ServerPoliciesDocument),
  policyRegistry: query('policyRegistry', documents.PolicyRegistryDocument),
  serverLabelDefinitions: query('serverLabelDefinitions', documents.ServerLabelDefinitionsDocument),
  evaluation: query('evaluation', documents.EvaluationDocument),
  elicitation: query('elicitation', documents.ElicitationDocument),
  elicitations: query('elicitations', documents.ElicitationsDocument),
} as const;

/** What takes an `input`. Resolves to the success member of its union; any other member is thrown as a `RefusedError`. */
export const inputOperations = {
  /** The verdict as it would be now. Nothing is stored, nobody is asked. */
  previewEvaluation: query('previewEvaluation', documents.PreviewEvaluationDocument),
  /** One handler before one event. Nothing is stored. */
  simulatePolicy: query('simulatePolicy', documents.SimulatePolicyDocument),
  /** The token is in this answer only. */
  createApiKey: once('createApiKey', documents.CreateApiKeyDocument),
  revokeApiKey: repeatable('revokeApiKey', documents.RevokeApiKeyDocument),
  createAgent: once('createAgent', documents.CreateAgentDocument),
  updateAgent: once('updateAgent', documents.UpdateAgentDocument),
  /** With an `idempotencyKey` it is sent until it is answered, and created once. */
  createSession: once('createSession', documents.CreateSessionDocument),
  updateSession: once('updateSession', documents.UpdateSessionDocument),
  endSession: repeatable('endSession', documents.EndSessionDocument),
  /** With an `idempotencyKey` it is sent until it is answered, and counts once. */
  recordUsage: once('recordUsage', documents.RecordUsageDocument),
  createPolicy: once('createPolicy', documents.CreatePolicyDocument),
  updatePolicy: once('updatePolicy', documents.UpdatePolicyDocument),
  deletePolicy: once('deletePolicy', documents.DeletePolicyDocument),
  withdrawEvaluation: repeatable('withdrawEvaluation', documents.WithdrawEvaluationDocument),
  /** Give `expectedDigest`, so that what is decided is what was seen. */
  resolveElicitation: repeatable('resolveElicitation', documents.ResolveElicitationDocument),
  /** All of them or none. */
  resolveElicitations: repeatable('resolveElicitations', documents.ResolveElicitationsDocument),
} as const;

/** The operation behind `evaluate`. */
export const evaluatePolicy = once('evaluatePolicy', documents.EvaluatePolicyDocument);

export interface CallOptions {
  /** Ends the call; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

type DataOf<O> = O extends { readonly field: infer Field; readonly document: documents.TypedDocumentString<infer Data, never> } ? (Field extends keyof Data ? Data[Field] : never) : never;
type VariablesOf<O> = O extends { readonly document: documents.TypedDocumentString<unknown, infer Variables> } ? Variables : never;
type InputOf<O> = VariablesOf<O> extends { readonly input: infer Input } ? Input : never;

/** The member of a union that says that it was done. */
export type Success<Union> = Exclude<Union, { readonly __typename: `${string}Error` }>;

type Queries = {
  readonly [Name in keyof typeof queries]: Record<string, never> extends VariablesOf<(typeof queries)[Name]>
    ? (variables?: VariablesOf<(typeof queries)[Name]>, options?: CallOptions) => Promise<DataOf<(typeof queries)[Name]>>
    : (variables: VariablesOf<(typeof queries)[Name]>, options?: CallOptions) => Promise<DataOf<(typeof queries)[Name]>>;
};

type InputOperations = {
  readonly [Name in keyof typeof inputOperations]: (input: InputOf<(typeof inputOperations)[Name]>, options?: CallOptions) => Promise<Success<DataOf<(typeof inputOperations)[Name]>>>;
};

/** One method for each query and mutation of the contract, under its name there. */
export type Operations = Queries & InputOperations;

export type Evaluation = documents.EvaluationFieldsFragment;
export type Elicitation = documents.ElicitationFieldsFragment;
export type Session = documents.SessionFieldsFragment;
export type Policy = documents.PolicyFieldsFragment;
export type PolicyHandler = documents.PolicyHandlerFieldsFragment;
export type AuditEntry = documents.AuditEntryFieldsFragment;
export type EvaluationPreview = documents.EvaluationPreviewFieldsFragment;
export type SessionEvent = documents.SessionEventsSubscription['sessionEvents'];
