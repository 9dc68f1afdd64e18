import type { Role } from '../entities/role.ts';

/**
 * Who may use which field: the one place that says so, beside which sessions a caller reaches (gate/visible.ts) and who may accept
 * (gate/may-resolve.ts). A field of the schema that has no place here fails the build. Everyone: whoever has any role.
 */
export const accessTable: Readonly<Record<string, readonly Grant[]>> = {
  Query: [
    { to: 'everyone', fields: 'viewer viewerRoles node agent agents session sessions policyRegistry serverLabelDefinitions evaluation elicitation elicitations' },
    { to: ['APPROVER', 'ADMIN', 'VIEWER'], fields: 'policy serverPolicies' },
    { to: ['APPROVER', 'ADMIN'], fields: 'previewEvaluation simulatePolicy' },
    { to: ['ADMIN'], fields: 'apiKeys auditLog' },
  ],
  Mutation: [
    { to: ['AGENT', 'ADMIN'], fields: 'createSession updateSession endSession recordUsage evaluatePolicy withdrawEvaluation' },
    { to: ['AGENT', 'APPROVER', 'ADMIN'], fields: 'resolveElicitation resolveElicitations' },
    { to: ['ADMIN'], fields: 'createAgent updateAgent createPolicy updatePolicy deletePolicy createApiKey revokeApiKey' },
  ],
  Subscription: [{ to: 'everyone', fields: 'elicitationRequested elicitationResolved sessionEvents inboxEvents' }],
  Agent: [
    { to: 'everyone', fields: 'id name description askTimeoutSeconds labelDefinitions createdAt updatedAt' },
    { to: ['APPROVER', 'ADMIN', 'VIEWER'], fields: 'policies' },
  ],
  Session: [
    { to: 'everyone', fields: 'id agent parent title owner labels state usage model harness pendingElicitations pendingElicitationCount evaluations createdAt endedAt' },
    { to: ['APPROVER', 'ADMIN', 'VIEWER'], fields: 'policies effectivePolicies' },
  ],
  ApiKey: [{ to: ['ADMIN'], fields: 'id name role owner agents ownSessionsOnly hint createdBy createdAt expiresAt revokedAt lastUsedAt' }],
  ApiKeyConnection: [{ to: ['ADMIN'], fields: 'pageInfo edges' }],
  ApiKeyEdge: [{ to: ['ADMIN'], fields: 'node cursor' }],
  AuditEntry: [{ to: ['ADMIN'], fields: 'id sequence at actor action subject before after previousHash hash' }],
  AuditEntryConnection: [{ to: ['ADMIN'], fields: 'pageInfo edges' }],
  AuditEntryEdge: [{ to: ['ADMIN'], fields: 'node cursor' }],
  CreatedApiKey: [{ to: ['ADMIN'], fields: 'key token' }],
  Principal: [{ to: 'everyone', fields: 'kind id name' }],
  LabelDefinition: [{ to: 'everyone', fields: 'key initial values' }],
  Policy: [{ to: 'everyone', fields: 'id name level session agent handler params on condition writableLabels askTimeoutSeconds readOnly enabled createdAt updatedAt' }],
  Usage: [{ to: 'everyone', fields: 'inputTokens outputTokens totalTokens cacheReadInputTokens cacheCreationInputTokens totalCostUsd' }],
  Elicitation: [{ to: 'everyone', fields: 'id session evaluations status message phase policyNames contentPreview event maskedPaths digest requestedSchema url requestedAt expiresAt resolution viewerCanResolve viewerCannotResolveReason' }],
  Evaluation: [{ to: 'everyone', fields: 'id session phase event maskedPaths verdict status decidedBy reason decidingPolicies data elicitation createdAt decidedAt' }],
  SessionEvent: [{ to: 'everyone', fields: 'cursor type at actor session evaluation elicitation policy policyName' }],
  InboxEvent: [{ to: 'everyone', fields: 'cursor type at actor elicitation' }],
  Resolution: [{ to: 'everyone', fields: 'action content comment editedArguments by at' }],
  EvaluationConnection: [{ to: 'everyone', fields: 'pageInfo edges' }],
  PageInfo: [{ to: 'everyone', fields: 'hasNextPage hasPreviousPage startCursor endCursor' }],
  EvaluationEdge: [{ to: 'everyone', fields: 'node cursor' }],
  PolicyHandler: [{ to: 'everyone', fields: 'name kind title description paramsSchema phases' }],
  PolicySelector: [{ to: 'everyone', fields: 'phase toolName' }],
  AgentConnection: [{ to: 'everyone', fields: 'pageInfo edges' }],
  AgentEdge: [{ to: 'everyone', fields: 'node cursor' }],
  SessionConnection: [{ to: 'everyone', fields: 'pageInfo edges' }],
  SessionEdge: [{ to: 'everyone', fields: 'node cursor' }],
  ElicitationConnection: [{ to: 'everyone', fields: 'pageInfo edges' }],
  ElicitationEdge: [{ to: 'everyone', fields: 'node cursor' }],
  EvaluationPreview: [{ to: 'everyone', fields: 'verdict reason decidingPolicies data stateUpdates labelWrites steps' }],
  StateUpdate: [{ to: 'everyone', fields: 'key action value' }],
  PolicyStep: [{ to: 'everyone', fields: 'policy handler level outcome reason durationMicroseconds' }],
  InvalidInputError: [{ to: 'everyone', fields: 'message issues' }],
  InputIssue: [{ to: 'everyone', fields: 'path message' }],
  NotFoundError: [{ to: 'everyone', fields: 'message id' }],
  ConflictError: [{ to: 'everyone', fields: 'message' }],
  DeletedPolicy: [{ to: 'everyone', fields: 'id' }],
  IdempotencyKeyReusedError: [{ to: 'everyone', fields: 'message evaluation' }],
  TooManyPendingError: [{ to: 'everyone', fields: 'message limit' }],
  RateLimitedError: [{ to: 'everyone', fields: 'message retryAfterSeconds' }],
  ForbiddenError: [{ to: 'everyone', fields: 'message' }],
  AlreadyResolvedError: [{ to: 'everyone', fields: 'message elicitation' }],
  StaleElicitationError: [{ to: 'everyone', fields: 'message elicitation' }],
  EditRefusedError: [{ to: 'everyone', fields: 'message issues policy' }],
  ResolvedElicitations: [{ to: 'everyone', fields: 'elicitations' }],
};

export interface Grant {
  readonly to: 'everyone' | readonly Role[];
  /** Names, separated by blanks. */
  readonly fields: string;
}
