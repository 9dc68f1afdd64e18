import { builder } from '../builder.ts';

const AttachmentInput = builder.inputType('AttachmentInput', {
  description: 'A file that comes with a message.',
  fields: (t) => ({
    filename: t.string({ description: 'Its name. Omitted: unknown.' }),
    contentType: t.string({ description: 'Its media type, such as `text/plain`. Omitted: unknown.' }),
    text: t.string({ description: 'Its text, where it is text. Omitted: policies do not see what is in it.' }),
  }),
});

const RequestEventInput = builder.inputType('RequestEventInput', {
  description: "A user's message, before the agent gets it.",
  fields: (t) => ({
    content: t.string({ required: true, description: 'The text of the message.' }),
    attachments: t.field({ type: [AttachmentInput], description: 'What comes with it, at most 100. Default: nothing.' }),
  }),
});

const ResponseEventInput = builder.inputType('ResponseEventInput', {
  description: "The agent's answer, before the user gets it.",
  fields: (t) => ({ content: t.string({ required: true, description: 'The text of the answer.' }) }),
});

const ToolCallEventInput = builder.inputType('ToolCallEventInput', {
  description: 'A call of a tool, before it runs.',
  fields: (t) => ({
    name: t.string({ required: true, description: "The tool's name, 1 to 256 characters, as the agent calls it: `Bash`, `mcp__github__create_issue`." }),
    // Not `JSONObject! = {}`: graphql 16 cannot print a default that is an object of a custom scalar, and neither can the
    // clients that read our introspection. The gate puts {} there.
    arguments: t.field({ type: 'JSONObject', description: 'Its arguments, whole. Default: `{}`.' }),
  }),
});

const ToolResultEventInput = builder.inputType('ToolResultEventInput', {
  description: "A tool's result, before the agent gets it.",
  fields: (t) => ({
    name: t.string({ required: true, description: "The tool's name, 1 to 256 characters." }),
    result: t.field({ type: 'JSON', description: 'What the tool returned. Policies see text: text as it is, anything else as its JSON text, nothing or null as empty text.' }),
    call: t.field({ type: ToolCallEventInput, description: 'The call that it answers. Default: a call of `name` without arguments.' }),
  }),
});

const LlmRequestEventInput = builder.inputType('LlmRequestEventInput', {
  description: 'A request to a language model, before it is sent. What is left out is unknown to the policies.',
  fields: (t) => ({
    model: t.string({ description: 'The model asked, 1 to 256 characters.' }),
    messagesCount: t.int({ description: 'How many messages are sent, at least 0.' }),
    toolsCount: t.int({ description: 'How many tools are offered, at least 0.' }),
    systemPromptPreview: t.string({ description: 'The system prompt, or its beginning.' }),
    lastUserMessage: t.string({ description: "The user's latest message." }),
  }),
});

const LlmResponseEventInput = builder.inputType('LlmResponseEventInput', {
  description: "A language model's answer, before the agent gets it. What is left out is unknown to the policies.",
  fields: (t) => ({
    model: t.string({ description: 'The model that answered, 1 to 256 characters.' }),
    textPreview: t.string({ description: 'Its text, or the beginning of it.' }),
    toolCallsCount: t.int({ description: 'How many tools it wants to call, at least 0.' }),
    usage: t.field({ type: 'JSONObject', description: "The answer's usage as the model's API reports it." }),
  }),
});

export const PolicyEventInput = builder.inputType('PolicyEventInput', {
  description: 'The event to judge: exactly one field. At most 24 levels deep and 1,048,576 bytes.',
  isOneOf: true,
  fields: (t) => ({
    request: t.field({ type: RequestEventInput, description: 'Phase REQUEST.' }),
    response: t.field({ type: ResponseEventInput, description: 'Phase RESPONSE.' }),
    toolCall: t.field({ type: ToolCallEventInput, description: 'Phase TOOL_CALL.' }),
    toolResult: t.field({ type: ToolResultEventInput, description: 'Phase TOOL_RESULT.' }),
    llmRequest: t.field({ type: LlmRequestEventInput, description: 'Phase LLM_REQUEST.' }),
    llmResponse: t.field({ type: LlmResponseEventInput, description: 'Phase LLM_RESPONSE.' }),
  }),
});
