import type { Result } from '@modelcontextprotocol/sdk/types.js';
import type { Elicitation, ResolveElicitationInput } from '../sdk/index.ts';

type Decision = Pick<ResolveElicitationInput, 'action' | 'comment' | 'content'>;

/**
 * The question as a form of MCP, in words that every revision since 2025-06-18 knows: what would run, a decision that has to be chosen, a
 * reason, and the policy's own fields. Null where it would not show all that would run, or a field of the policy has the name of one of ours.
 */
export function decisionForm({ message, contentPreview, digest, requestedSchema }: Elicitation): Record<string, unknown> | null {
  const { properties = {}, required = [] } = requestedSchema as { properties?: Record<string, unknown>; required?: readonly string[] };
  const isWhole = !contentPreview.endsWith('…');
  if (!isWhole || 'decision' in properties || 'comment' in properties) return null;
  return {
    message: `${message}\n\n${contentPreview}\n\nDigest ${digest.slice(0, 8)}`,
    requestedSchema: {
      type: 'object',
      properties: {
        decision: { type: 'string', title: 'Decision', description: 'Whether this may run.', enum: ['approve', 'deny'], enumNames: ['Approve', 'Deny'] },
        comment: { type: 'string', title: 'Reason', description: 'For the record; the agent is told it when you deny.', maxLength: 4096 },
        ...properties,
      },
      required: ['decision', ...required.filter((name) => name in properties)],
    },
  };
}

/** What the user has decided; null: nothing, for the form was dismissed, or says neither yes nor no. */
export function readDecision({ action, content }: Result): Decision | null {
  const { decision, comment, ...rest } = typeof content === 'object' && content !== null ? (content as Record<string, unknown>) : {};
  const words = typeof comment === 'string' && comment.trim() !== '' ? { comment } : {};
  if (action === 'accept' && decision === 'approve') return { action: 'ACCEPT', ...words, ...(Object.keys(rest).length > 0 ? { content: rest } : {}) };
  if (action === 'decline' || (action === 'accept' && decision === 'deny')) return { action: 'DECLINE', ...words };
  return null;
}
