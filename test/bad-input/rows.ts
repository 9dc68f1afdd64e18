import { rules, type Rule } from './rules.ts';

/** What one field takes, and where in the answer's object it is read back. */
export interface Row {
  readonly rule: Rule;
  /** Undefined: it is not given back. */
  readonly back?: string;
}

const { id, many, object, omissible, oneOf, optional, whole } = rules;

const year = 31_536_000;

const definition = (index: number) => ({ key: `key ${index}`, initial: null, values: null });
const selector = () => ({ phase: 'TOOL_CALL', toolName: null });
const attachment = () => ({ filename: 'a.txt', contentType: null, text: null });
const storedAttachment = () => ({ filename: 'a.txt', content_type: null, text: null });

/** The event as `evaluatePolicy` and `previewEvaluation` take it. */
const eventRows: Readonly<Record<string, Row>> = {
  event: { rule: object },
  'event.request': { rule: object },
  'event.request.content': { rule: rules.eventText, back: 'event.data.user_content' },
  'event.request.attachments': { rule: optional(many(attachment, 100, { asStored: (items) => items.map(storedAttachment) }), { kind: 'taken', value: [] }), back: 'event.data.attachments' },
  'event.request.attachments.filename': { rule: optional(rules.eventText), back: 'event.data.attachments.0.filename' },
  'event.request.attachments.contentType': { rule: optional(rules.eventText), back: 'event.data.attachments.0.content_type' },
  'event.request.attachments.text': { rule: optional(rules.eventText), back: 'event.data.attachments.0.text' },
  'event.response': { rule: object },
  'event.response.content': { rule: rules.longestText, back: 'event.data' },
  'event.toolCall': { rule: object },
  'event.toolCall.name': { rule: rules.toolName, back: 'event.target' },
  'event.toolCall.arguments': { rule: optional(rules.jsonObject(22, rules.tooLargeEvent), { kind: 'taken', value: {} }), back: 'event.data.arguments' },
  'event.toolResult': { rule: object },
  'event.toolResult.name': { rule: rules.toolName, back: 'event.target' },
  'event.toolResult.result': { rule: rules.result, back: 'event.data.result' },
  'event.toolResult.call': { rule: object },
  'event.toolResult.call.name': { rule: rules.toolName, back: 'event.request_data.name' },
  'event.toolResult.call.arguments': { rule: optional(rules.jsonObject(21, rules.tooLargeEvent), { kind: 'taken', value: {} }), back: 'event.request_data.arguments' },
  'event.llmRequest': { rule: object },
  'event.llmRequest.model': { rule: optional(rules.modelInEvent, { kind: 'taken', value: undefined }), back: 'event.data.model' },
  'event.llmRequest.messagesCount': { rule: optional(whole(0, 2_147_483_647), { kind: 'taken', value: undefined }), back: 'event.data.messages_count' },
  'event.llmRequest.toolsCount': { rule: optional(whole(0, 2_147_483_647), { kind: 'taken', value: undefined }), back: 'event.data.tools_count' },
  'event.llmRequest.systemPromptPreview': { rule: optional(rules.eventText, { kind: 'taken', value: undefined }), back: 'event.data.system_prompt_preview' },
  'event.llmRequest.lastUserMessage': { rule: optional(rules.eventText, { kind: 'taken', value: undefined }), back: 'event.data.last_user_message' },
  'event.llmResponse': { rule: object },
  'event.llmResponse.model': { rule: optional(rules.modelInEvent, { kind: 'taken', value: undefined }), back: 'event.data.model' },
  'event.llmResponse.textPreview': { rule: optional(rules.eventText, { kind: 'taken', value: undefined }), back: 'event.data.text_preview' },
  'event.llmResponse.toolCallsCount': { rule: optional(whole(0, 2_147_483_647), { kind: 'taken', value: undefined }), back: 'event.data.tool_calls_count' },
  'event.llmResponse.usage': { rule: optional(rules.jsonObject(22, rules.tooLargeEvent), { kind: 'taken', value: undefined }), back: 'event.data.usage' },
};

/** Where the event is not given back. */
const eventRulesOnly = Object.fromEntries(Object.entries(eventRows).map(([name, { rule }]) => [name, { rule }]));

const definitionRows: Readonly<Record<string, Row>> = {
  'labelDefinitions.key': { rule: rules.labelKey, back: 'labelDefinitions.0.key' },
  'labelDefinitions.initial': { rule: optional(rules.labelValue), back: 'labelDefinitions.0.initial' },
  'labelDefinitions.values': { rule: optional(rules.labelValues), back: 'labelDefinitions.0.values' },
};

const selectorRows: Readonly<Record<string, Row>> = {
  'on.phase': { rule: oneOf('REQUEST', 'RESPONSE', 'TOOL_CALL', 'TOOL_RESULT', 'LLM_REQUEST', 'LLM_RESPONSE'), back: 'on.0.phase' },
  'on.toolName': { rule: optional(rules.shortText), back: 'on.0.toolName' },
};

/** A row for every field. A new field needs one: say what it takes. */
export const rows: Readonly<Record<string, Row>> = {
  ...of('createApiKey', {
    '': { rule: rules.input },
    name: { rule: rules.name, back: 'name' },
    role: { rule: oneOf('AGENT', 'APPROVER', 'ADMIN', 'VIEWER'), back: 'role' },
    owner: { rule: rules.owner, back: 'owner.id' },
    agents: { rule: optional(rules.patterns), back: 'agents' },
    ownSessionsOnly: { rule: optional(rules.boolean, { kind: 'taken', value: false }), back: 'ownSessionsOnly' },
    expiresAt: { rule: optional(rules.future), back: 'expiresAt' },
  }),
  ...of('revokeApiKey', { '': { rule: rules.input }, keyId: { rule: id('key') } }),
  ...of('createAgent', {
    '': { rule: rules.input },
    name: { rule: rules.name, back: 'name' },
    description: { rule: optional(rules.prose), back: 'description' },
    askTimeoutSeconds: { rule: optional(whole(1, year)), back: 'askTimeoutSeconds' },
    labelDefinitions: { rule: optional(many(definition, 100), { kind: 'taken', value: [] }), back: 'labelDefinitions' },
    ...definitionRows,
  }),
  ...of('updateAgent', {
    '': { rule: rules.input },
    agentId: { rule: id('agent') },
    name: { rule: omissible(rules.name), back: 'name' },
    description: { rule: optional(rules.prose), back: 'description' },
    askTimeoutSeconds: { rule: optional(whole(1, year)), back: 'askTimeoutSeconds' },
    labelDefinitions: { rule: omissible(many(definition, 100)), back: 'labelDefinitions' },
    ...definitionRows,
  }),
  ...of('createSession', {
    '': { rule: rules.input },
    agentId: { rule: id('agent') },
    title: { rule: optional(rules.shortText), back: 'title' },
    parentId: { rule: optional(id('session')), back: 'parent' },
    labels: { rule: optional(rules.labels, { kind: 'taken', value: {} }), back: 'labels' },
    model: { rule: optional(rules.shortText), back: 'model' },
    harness: { rule: optional(rules.shortText), back: 'harness' },
    idempotencyKey: { rule: optional(rules.shortText) },
  }),
  ...of('updateSession', {
    '': { rule: rules.input },
    sessionId: { rule: id('session') },
    title: { rule: optional(rules.shortText), back: 'title' },
    labels: { rule: omissible(rules.labels), back: 'labels' },
    model: { rule: optional(rules.shortText), back: 'model' },
  }),
  ...of('endSession', { '': { rule: rules.input }, sessionId: { rule: id('session') } }),
  ...of('createPolicy', {
    '': { rule: rules.input },
    target: { rule: object },
    'target.sessionId': { rule: id('session') },
    'target.agentId': { rule: id('agent') },
    'target.server': { rule: rules.server },
    name: { rule: rules.name, back: 'name' },
    handler: { rule: rules.handler, back: 'handler.name' },
    params: { rule: optional(rules.params), back: 'params' },
    on: { rule: optional(many(selector, 50, { min: 1 })), back: 'on' },
    ...selectorRows,
    condition: { rule: optional(rules.condition), back: 'condition' },
    writableLabels: { rule: optional(rules.labelKeys), back: 'writableLabels' },
    askTimeoutSeconds: { rule: optional(whole(1, year)), back: 'askTimeoutSeconds' },
    enabled: { rule: optional(rules.boolean, { kind: 'taken', value: true }), back: 'enabled' },
  }),
  ...of('updatePolicy', {
    '': { rule: rules.input },
    policyId: { rule: id('policy') },
    name: { rule: omissible(rules.name), back: 'name' },
    handler: { rule: omissible(rules.handler), back: 'handler.name' },
    params: { rule: optional(rules.params), back: 'params' },
    on: { rule: optional(many(selector, 50, { min: 1 })), back: 'on' },
    ...selectorRows,
    condition: { rule: optional(rules.condition), back: 'condition' },
    writableLabels: { rule: optional(rules.labelKeys), back: 'writableLabels' },
    askTimeoutSeconds: { rule: optional(whole(1, year)), back: 'askTimeoutSeconds' },
    enabled: { rule: omissible(rules.boolean), back: 'enabled' },
  }),
  ...of('deletePolicy', { '': { rule: rules.input }, policyId: { rule: id('policy') } }),
  ...of('evaluatePolicy', {
    '': { rule: rules.input },
    sessionId: { rule: id('session') },
    ...eventRows,
    idempotencyKey: { rule: optional(rules.shortText) },
    waitSeconds: { rule: optional(whole(0, year)) },
    model: { rule: optional(rules.shortText) },
    harness: { rule: optional(rules.shortText) },
  }),
  ...of('withdrawEvaluation', {
    '': { rule: rules.input },
    evaluationId: { rule: optional(id('evaluation'), { kind: 'invalid', at: [] }) },
    sessionId: { rule: optional(rules.sessionOfKey, { kind: 'invalid', at: [] }) },
    idempotencyKey: { rule: optional(rules.knownKey, { kind: 'invalid', at: [] }) },
  }),
  ...of('resolveElicitation', {
    '': { rule: rules.input },
    elicitationId: { rule: id('elicitation') },
    action: { rule: oneOf('ACCEPT', 'DECLINE', 'CANCEL'), back: 'resolution.action' },
    expectedDigest: { rule: optional(rules.digest) },
    content: { rule: optional(rules.jsonObject(24)), back: 'resolution.content' },
    comment: { rule: optional(rules.comment), back: 'resolution.comment' },
    editedArguments: { rule: optional(rules.jsonObject(24)), back: 'resolution.editedArguments' },
  }),
  ...of('resolveElicitations', {
    '': { rule: rules.input },
    ids: { rule: rules.ids },
    action: { rule: oneOf('ACCEPT', 'DECLINE', 'CANCEL'), back: 'resolution.action' },
    comment: { rule: optional(rules.comment), back: 'resolution.comment' },
  }),
  ...of('recordUsage', {
    '': { rule: rules.input },
    sessionId: { rule: id('session') },
    idempotencyKey: { rule: optional(rules.shortText) },
    inputTokens: { rule: optional(rules.tokens, { kind: 'taken', value: 0 }), back: 'usage.inputTokens' },
    outputTokens: { rule: optional(rules.tokens, { kind: 'taken', value: 0 }), back: 'usage.outputTokens' },
    totalTokens: { rule: optional(rules.tokens, { kind: 'taken', value: 0 }), back: 'usage.totalTokens' },
    cacheReadInputTokens: { rule: optional(rules.tokens, { kind: 'taken', value: 0 }), back: 'usage.cacheReadInputTokens' },
    cacheCreationInputTokens: { rule: optional(rules.tokens, { kind: 'taken', value: 0 }), back: 'usage.cacheCreationInputTokens' },
    costUsd: { rule: optional(rules.usd), back: 'usage.totalCostUsd' },
  }),
  ...of('simulatePolicy', {
    '': { rule: rules.input },
    ...eventRulesOnly,
    handler: { rule: rules.handler },
    params: { rule: optional(rules.params) },
    state: { rule: optional(rules.jsonObject(24)) },
    labels: { rule: optional(rules.simulatedLabels) },
    usage: { rule: optional(rules.simulatedUsage) },
    model: { rule: optional(rules.shortText) },
  }),
  ...of('previewEvaluation', {
    '': { rule: rules.input },
    sessionId: { rule: id('session') },
    ...eventRulesOnly,
  }),
};

function of(operation: string, fields: Readonly<Record<string, Row>>): Record<string, Row> {
  return Object.fromEntries(Object.entries(fields).map(([name, row]) => [name === '' ? operation : `${operation}.${name}`, row]));
}
