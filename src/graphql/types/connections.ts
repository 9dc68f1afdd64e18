import { builder } from '../builder.ts';

export const ApiKeyConnection = builder.connectionObject(
  { type: 'ApiKey', name: 'ApiKeyConnection', description: 'A page of keys.' },
  { name: 'ApiKeyEdge', description: 'A key in its place in a list.' },
);

export const AuditEntryConnection = builder.connectionObject(
  { type: 'AuditEntry', name: 'AuditEntryConnection', description: 'A page of the audit log.' },
  { name: 'AuditEntryEdge', description: 'An entry in its place in the log.' },
);

export const AgentConnection = builder.connectionObject(
  { type: 'Agent', name: 'AgentConnection', description: 'A page of agents.' },
  { name: 'AgentEdge', description: 'An agent in its place in a list.' },
);

export const SessionConnection = builder.connectionObject(
  { type: 'Session', name: 'SessionConnection', description: 'A page of sessions.' },
  { name: 'SessionEdge', description: 'A session in its place in a list.' },
);

export const EvaluationConnection = builder.connectionObject(
  { type: 'Evaluation', name: 'EvaluationConnection', description: 'A page of evaluations.' },
  { name: 'EvaluationEdge', description: 'An evaluation in its place in a list.' },
);

export const ElicitationConnection = builder.connectionObject(
  { type: 'Elicitation', name: 'ElicitationConnection', description: 'A page of elicitations.' },
  { name: 'ElicitationEdge', description: 'An elicitation in its place in a list.' },
);
