import { TypeID, typeid } from 'typeid-js';
import { z } from 'zod';

/** Public, global, time-ordered ids: a prefix that names the type and a UUIDv7 in Crockford base 32 (TypeID). */
export const agentId = idWith('agt').brand('AgentId');
export const sessionId = idWith('ses').brand('SessionId');
export const policyId = idWith('pol').brand('PolicyId');
export const evaluationId = idWith('evl').brand('EvaluationId');
export const elicitationId = idWith('elc').brand('ElicitationId');
export const apiKeyId = idWith('key').brand('ApiKeyId');
export const auditEntryId = idWith('aud').brand('AuditEntryId');

export type AgentId = z.infer<typeof agentId>;
export type SessionId = z.infer<typeof sessionId>;
export type PolicyId = z.infer<typeof policyId>;
export type EvaluationId = z.infer<typeof evaluationId>;
export type ElicitationId = z.infer<typeof elicitationId>;
export type ApiKeyId = z.infer<typeof apiKeyId>;
export type AuditEntryId = z.infer<typeof auditEntryId>;
/** Of a server while it runs; never shown in the API. */
export type ServerId = string & z.core.$brand<'ServerId'>;

export const isAgentId = (value: string): value is AgentId => agentId.safeParse(value).success;
export const isSessionId = (value: string): value is SessionId => sessionId.safeParse(value).success;
export const isPolicyId = (value: string): value is PolicyId => policyId.safeParse(value).success;
export const isEvaluationId = (value: string): value is EvaluationId => evaluationId.safeParse(value).success;
export const isElicitationId = (value: string): value is ElicitationId => elicitationId.safeParse(value).success;
export const isApiKeyId = (value: string): value is ApiKeyId => apiKeyId.safeParse(value).success;

export const newAgentId = () => typeid('agt').toString() as AgentId;
export const newSessionId = () => typeid('ses').toString() as SessionId;
export const newPolicyId = () => typeid('pol').toString() as PolicyId;
export const newEvaluationId = () => typeid('evl').toString() as EvaluationId;
export const newElicitationId = () => typeid('elc').toString() as ElicitationId;
export const newApiKeyId = () => typeid('key').toString() as ApiKeyId;
export const newAuditEntryId = () => typeid('aud').toString() as AuditEntryId;
export const newServerId = () => typeid('srv').toString() as ServerId;

/** The ids of everything that was made before a moment are less than this. */
export function leastIdAt<Id extends string>(newId: () => Id, moment: Date): Id {
  const bytes = new Uint8Array(16); // of a UUIDv7 the first 48 bits are the milliseconds since 1970
  new DataView(bytes.buffer).setBigUint64(0, BigInt(moment.getTime()) << 16n);
  return TypeID.fromUUIDBytes(TypeID.fromString(newId()).getType(), bytes).toString() as Id;
}

function idWith(prefix: string) {
  return z.string().regex(new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`));
}
