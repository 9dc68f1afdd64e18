import { builder } from '../builder.ts';
import { DecisionSource, EvaluationStatus, Phase, Verdict } from './enums.ts';

export const eventDescription =
  'As the policies saw it: `{ "type", "target", "data" }`, in TOOL_RESULT also `"request_data"`, the call. `type` is the phase in lower case, `target` the name of the tool or null. Secrets are masked: `maskedPaths` says where. `data` by type: ' +
  'request `{ user_content, attachments: [{ filename, content_type, text }] }`; response the text; tool_call `{ name, arguments }`; tool_result `{ result }` as text; ' +
  'llm_request `{ model, messages_count, tools_count, system_prompt_preview, last_user_message }`; llm_response `{ model, text_preview, tool_calls_count, usage }`; of the last two what was given.';

builder.objectType('Evaluation', {
  description: 'One judged event: the durable record of what was judged and what was said. Event and identity never change; once decided, nothing does.',
  interfaces: ['Node'],
  fields: (t) => ({
    session: t.field({ type: 'Session', description: 'The session that it was judged in.', resolve: ({ session }, _args, context) => context.loaders().session.get(session) }),
    phase: t.expose('phase', { type: Phase, description: 'The moment that was judged.' }),
    event: t.expose('event', { type: 'JSON', description: eventDescription }),
    maskedPaths: t.stringList({
      description: 'JSON Pointers (RFC 6901) to what is masked with `********`: below `/event`, and below `/data` where `data` is given.',
      resolve: ({ maskedPaths, data }) => (maskedPaths ?? []).filter((path) => data !== null || !path.startsWith('/data')),
    }),
    verdict: t.expose('verdict', { type: Verdict, description: 'ASK means undecided: only ALLOW permits the act.' }),
    status: t.expose('status', {
      type: EvaluationStatus,
      description: 'AWAITING_APPROVAL until decided, then DECIDED; ABANDONED (verdict DENY, by CANCELLATION) when withdrawn or when every holding caller has been gone for longer than the grace time.',
    }),
    decidedBy: t.expose('decidedBy', { type: DecisionSource, nullable: true, description: 'Who or what decided; null while undecided. Expired and declined are never confused.' }),
    reason: t.exposeString('reason', {
      nullable: true,
      description: "Why, in words that an agent can be given: the denial's reason, the approver's comment, or what is asked while undecided; null on ALLOW.",
    }),
    decidingPolicies: t.exposeStringList('decidingPolicies', { description: 'The names of the policies that brought the verdict about: the one that denied, or all that asked, in order. Empty where none objected.' }),
    data: t.expose('data', {
      type: 'JSON',
      nullable: true,
      description: "The payload to use instead of the event's `data`, in the same shape, when a policy rewrote it or the approver edited the arguments; null: use what was judged. It counts once the verdict is ALLOW. Secrets are real in the answer to evaluatePolicy, and masked wherever else it is read: where `maskedPaths` names some below `/data`, call evaluatePolicy again with the same key to get what is to run.",
    }),
    elicitation: t.field({
      type: 'Elicitation',
      nullable: true,
      description: 'The request for a decision that it raised or shares; null: no person was asked.',
      resolve: ({ elicitation }, _args, context) => (elicitation ? context.loaders().elicitation.get(elicitation) : null),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was judged first.' }),
    decidedAt: t.expose('decidedAt', { type: 'DateTime', nullable: true, description: 'When it was decided; null while undecided.' }),
  }),
});
