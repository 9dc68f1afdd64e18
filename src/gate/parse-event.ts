import { z } from 'zod';
import type { PolicyEvent } from '../policy/event.ts';
import type { Json } from '../policy/json.ts';
import { jsonIssue, jsonObject, parse, shortText, type Parsed } from './input.ts';
import { invalidInput } from './outcome.ts';

const content = z.string();
const count = z.number().int().min(0, 'must not be negative').nullish();
const preview = z.string().nullish();
const toolName = z.string().max(256, 'must have at most 256 characters').refine((name) => name.trim() !== '', 'must not be blank');

const toolCall = z.object({ name: toolName, arguments: jsonObject.nullish() }).transform(({ name, arguments: args }) => ({ name, arguments: args ?? {} }));

const request = z.object({
  content,
  attachments: z.array(z.object({ filename: z.string().nullish(), contentType: z.string().nullish(), text: z.string().nullish() })).max(100, 'must be at most 100').nullish(),
});

const toolResult = z.object({ name: toolName, result: z.unknown().optional(), call: toolCall.nullish() });

const llmRequest = z.object({ model: shortText.nullish(), messagesCount: count, toolsCount: count, systemPromptPreview: preview, lastUserMessage: preview });

const llmResponse = z.object({ model: shortText.nullish(), textPreview: preview, toolCallsCount: count, usage: jsonObject.nullish() });

const policyEventInput = z.object({
  request: request.nullish(),
  response: z.object({ content }).nullish(),
  toolCall: toolCall.nullish(),
  toolResult: toolResult.nullish(),
  llmRequest: llmRequest.nullish(),
  llmResponse: llmResponse.nullish(),
});

/** Made once: a schema compiles itself when it is first used. */
const eventField = z.object({ event: policyEventInput });

/** The `PolicyEventInput` of the SDL: exactly one field. */
export type PolicyEventInput = z.input<typeof policyEventInput>;

/** Turns an event as callers give it into the event that policies see. Bounds its size and depth over the whole event. */
export function parseEvent(input: PolicyEventInput): Parsed<PolicyEvent> {
  const issue = jsonIssue(withoutUndefined(input), ['event']);
  if (issue) return invalidInput([issue]);
  const parsed = parse(eventField, { event: input });
  if (parsed.kind === 'invalidInput') return parsed;
  const given = Object.values(parsed.value.event).filter((value) => value !== undefined && value !== null);
  const event = given.length === 1 ? toPolicyEvent(parsed.value.event) : undefined;
  if (!event) return invalidInput([{ path: ['event'], message: 'must have exactly one of request, response, toolCall, toolResult, llmRequest, llmResponse' }]);
  return { kind: 'parsed', value: event };
}

function toPolicyEvent(input: z.output<typeof policyEventInput>): PolicyEvent | undefined {
  const { request, response, toolCall, toolResult, llmRequest, llmResponse } = input;
  if (request) {
    const attachments = (request.attachments ?? []).map(({ filename, contentType, text }) => ({ filename: filename ?? null, content_type: contentType ?? null, text: text ?? null }));
    return { type: 'request', target: null, data: { user_content: request.content, attachments } };
  }
  if (response) return { type: 'response', target: null, data: response.content };
  if (toolCall) return { type: 'tool_call', target: toolCall.name, data: toolCall };
  if (toolResult) {
    const { name, result, call } = toolResult;
    return { type: 'tool_result', target: name, data: { result: resultText(result as Json | undefined) }, request_data: call ?? { name, arguments: {} } };
  }
  if (llmRequest) {
    const { model, messagesCount, toolsCount, systemPromptPreview, lastUserMessage } = llmRequest;
    return { type: 'llm_request', target: null, data: given({ model, messages_count: messagesCount, tools_count: toolsCount, system_prompt_preview: systemPromptPreview, last_user_message: lastUserMessage }) };
  }
  if (llmResponse) {
    const { model, textPreview, toolCallsCount, usage } = llmResponse;
    return { type: 'llm_response', target: null, data: given({ model, text_preview: textPreview, tool_calls_count: toolCallsCount, usage }) };
  }
  return undefined;
}

/** A result that is no text is its JSON text, a missing one is empty: policies read one kind of thing. */
function resultText(result: Json | undefined): string {
  if (result === undefined || result === null) return '';
  return typeof result === 'string' ? result : JSON.stringify(result);
}

function given(fields: Record<string, Json | undefined>): Record<string, Json> {
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, Json] => entry[1] !== undefined && entry[1] !== null));
}

function withoutUndefined(input: PolicyEventInput): object {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}
