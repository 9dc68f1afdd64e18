import { statusOf } from '../../entities/elicitation.entity.ts';
import { refusalToResolve } from '../../gate/may-resolve.ts';
import { builder, type Resolution, type SuccessShapes } from '../builder.ts';
import type { GraphQLContext } from '../context.ts';
import { ElicitationStatus, Phase } from './enums.ts';
import { eventDescription } from './evaluation.ts';

builder.objectType('Elicitation', {
  description: "A durable request for a person's decision, raised by one or more evaluations of a session. The shape and the words are those of MCP elicitation (Model Context Protocol).",
  interfaces: ['Node'],
  fields: (t) => ({
    session: t.field({ type: 'Session', description: 'The session that asks.', resolve: ({ session }, _args, context) => context.loaders().session.get(session) }),
    evaluations: t.field({
      type: ['Evaluation'],
      description: 'Those that wait or waited for it, oldest first. More than one where a policy lets asks share one decision.',
      resolve: (elicitation, _args, context) => context.loaders().evaluationsOf(elicitation),
    }),
    status: t.field({
      type: ElicitationStatus,
      description: 'Where it stands now. It expires by itself at `expiresAt`; a resolution outlives the deadline.',
      resolve: (elicitation, _args, context) => statusOf(elicitation, context.gate().now()),
    }),
    message: t.exposeString('message', { description: 'What is asked: `<policy>: <reason>` of each asking policy. Plain text, never markup; deceptive characters are made visible.' }),
    phase: t.expose('phase', { type: Phase, description: 'The moment that waits.' }),
    policyNames: t.exposeStringList('policyNames', { description: 'The policies that ask, in evaluation order.' }),
    contentPreview: t.exposeString('contentPreview', {
      description: "The JSON text of the event's `data`, at most 1,024 characters, cut with `…`. Control, bidirectional and zero-width characters are written as `\\u{…}`.",
    }),
    event: t.expose('event', { type: 'JSON', description: `The whole event, not only the preview. ${eventDescription}` }),
    maskedPaths: t.stringList({
      description: 'JSON Pointers (RFC 6901), below `/event`, to what is masked with `********`. In `editedArguments` such a mark, where it stands, means what it hides.',
      resolve: ({ maskedPaths }) => maskedPaths ?? [],
    }),
    digest: t.exposeString('digest', {
      description:
        'What an approval is bound to: HMAC-SHA256, in lower case hexadecimal, over session, phase and the whole event with its secrets, with a key that only the server has, so that it tells nothing of them. Show its first 8 characters, and send it back as `expectedDigest`.',
    }),
    requestedSchema: t.expose('requestedSchema', {
      type: 'JSONObject',
      description: "The form to fill in on accept, in MCP's restricted JSON Schema (a flat object of primitive properties); `{}`: plain accept or decline.",
    }),
    url: t.string({ description: 'The approval page, for people.', resolve: ({ id }, _args, context) => `${context.gate().settings.publicUrl}/elicitations/${id}` }),
    requestedAt: t.expose('requestedAt', { type: 'DateTime', description: 'When it was raised.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When it expires into a denial, unless resolved before.' }),
    viewerCanResolve: t.boolean({
      description: 'Whether the caller may ACCEPT it. DECLINE and CANCEL may whoever is an AGENT, an APPROVER or an ADMIN and sees it.',
      resolve: async (elicitation, _args, context) => (await refusalFor(elicitation, context)) === null,
    }),
    viewerCannotResolveReason: t.string({
      nullable: true,
      description: 'Why the caller may not ACCEPT it, for people; null: the caller may, or nothing is to be decided any more.',
      resolve: async (elicitation, _args, context) => refusalFor(elicitation, context),
    }),
    resolution: t.field({ type: 'Resolution', nullable: true, description: 'What was decided; null while pending, and after an expiry.', resolve: resolutionOf }),
  }),
});

async function refusalFor(elicitation: SuccessShapes['Elicitation'], context: GraphQLContext): Promise<string | null> {
  return refusalToResolve(context.gate(), await context.loaders().session.get(elicitation.session), 'ACCEPT');
}

function resolutionOf({ action, resolvedBy, settledAt, content, comment, editedArguments }: SuccessShapes['Elicitation']): Resolution | null {
  return action && resolvedBy && settledAt ? { action, by: resolvedBy, at: settledAt, content, comment, editedArguments } : null;
}
