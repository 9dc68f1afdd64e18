import { z } from 'zod';
import type { PolicyEvent } from './event.ts';
import { isJsonObject, type Json, type JsonObject } from './json.ts';
import { paramsIssues, type ParamsIssue } from './params-issues.ts';

/** Reads an event in the form that policies see it, with what vectors tell beside it: its `context`, and the state before it. */
export function readPolicyEvent(value: JsonObject): ReadEvent {
  const { context, session_state: state, ...rest } = value;
  const parsed = policyEvent.safeParse(rest, { reportInput: true });
  if (!parsed.success) return { kind: 'invalid', issues: paramsIssues(parsed.error, null) };
  for (const [name, part] of Object.entries({ context, session_state: state })) {
    if (part !== undefined && part !== null && !isJsonObject(part)) return { kind: 'invalid', issues: [{ path: [name], message: 'Expected an object.' }] };
  }
  return { kind: 'read', event: parsed.data, context: isJsonObject(context) ? context : {}, state: isJsonObject(state) ? state : null };
}

export type ReadEvent =
  | { readonly kind: 'read'; readonly event: PolicyEvent; readonly context: JsonObject; readonly state: JsonObject | null }
  | { readonly kind: 'invalid'; readonly issues: readonly ParamsIssue[] };

const json = z.custom<Json>((value) => value !== undefined, 'Missing.');
const jsonObject = z.custom<JsonObject>((value) => isJsonObject(value as Json), 'Expected an object.');
const noTarget = z.null('Expected null: only tools are targets.').default(null);
const tool = z.string().min(1, 'Must not be empty.');
const toolCall = z.object({ name: tool, arguments: jsonObject.default({}) });
const text = z.string().nullable().default(null);
const attachment = z.object({ filename: text, content_type: text, text });

const policyEvent: z.ZodType<PolicyEvent> = z.discriminatedUnion(
  'type',
  [
    z.strictObject({ type: z.literal('request'), target: noTarget, data: z.object({ user_content: z.string(), attachments: z.array(attachment).default([]) }) }),
    z.strictObject({ type: z.literal('response'), target: noTarget, data: z.string() }),
    z.strictObject({ type: z.literal('tool_call'), target: tool.nullish(), data: toolCall }).transform(({ target, ...rest }) => ({ ...rest, target: target ?? rest.data.name })),
    z
      .strictObject({ type: z.literal('tool_result'), target: tool.nullish(), data: z.object({ result: json }), request_data: toolCall.optional() })
      .transform(({ type, target, data, request_data: call }, context) => {
        const name = target ?? call?.name;
        if (name === undefined) context.addIssue({ code: 'custom', path: ['target'], message: 'Missing: the name of the tool.' });
        return { type, target: name ?? '', data, ...(call ? { request_data: call } : {}) };
      }),
    z.strictObject({ type: z.literal('llm_request'), target: noTarget, data: jsonObject }),
    z.strictObject({ type: z.literal('llm_response'), target: noTarget, data: jsonObject }),
  ],
  'The type of an event is request, response, tool_call, tool_result, llm_request or llm_response.',
);
