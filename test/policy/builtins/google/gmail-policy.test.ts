import { describe, expect, it } from 'vitest';
import { append, type Json, type JsonObject, type PolicyEvent } from '../../../../src/policy/index.ts';
import { gcalendarPolicy } from '../../../../src/policy/builtins/google/gcalendar-policy.ts';
import { gmailPolicy } from '../../../../src/policy/builtins/google/gmail-policy.ts';
import { toolCall } from '../../support/pass.ts';
import { opinionOf } from '../../support/verdict-of.ts';

const own = { gmail_created_draft_ids: ['d1', 'd2'] };
const latched = { gdrive_read_confidential: true };

function mail(name: string, args: JsonObject = {}, { params = {}, state = {} }: { params?: JsonObject; state?: JsonObject } = {}): string {
  return opinionOf(gmailPolicy, params, { event: toolCall(name, args), known: { state } }).kind;
}

describe('mail', () => {
  it.for<[string, JsonObject, string]>([
    ['gmail_search', {}, 'abstain'],
    ['gmail_search', { allow_read: false }, 'deny'],
    ['gmail_message_send', {}, 'deny'],
    ['gmail_message_send', { allow_send: true }, 'abstain'],
    ['mcp__work_mail__gmail_message_send', {}, 'deny'],
    ['mcp__Gmail__gmail_message_send', {}, 'deny'],
    ['Gmail_Message_Send', { allow_send: true }, 'deny'],
    ['gmailMessageSend', { allow_send: true }, 'deny'],
    ['gmail-message-send', { allow_send: true }, 'deny'],
    ['gmail_message_trash', { allow_send: true, allow_modify: true }, 'deny'],
    ['mcp__x__gmail_filter_create', { allow_modify: true }, 'deny'],
    ['gmail_draft_create', {}, 'abstain'],
    ['gmail_draft_create', { allow_drafts: false }, 'deny'],
    ['gmail_thread_modify', {}, 'deny'],
    ['send_mail', {}, 'abstain'],
    ['gmailer', {}, 'abstain'],
    ['mcp__google__drive_file_delete', {}, 'abstain'],
  ])('%s with %j: %s', ([name, params, kind]) => {
    expect(mail(name, {}, { params })).toBe(kind);
  });
});

describe('a draft', () => {
  it.for<[JsonObject, string]>([
    [{ draft_id: 'd1' }, 'abstain'],
    [{ id: 'd1' }, 'abstain'],
    [{ draft_id: 'd1', id: 'd2' }, 'abstain'],
    [{ draft_id: 'd1', message: { id: 'm1' } }, 'abstain'],
    [{ draft_id: 'd3' }, 'deny'],
    [{ draft_id: 'd1', id: 'd3' }, 'deny'],
    [{ draft_id: 'd1', draftId: 'd3' }, 'deny'],
    [{ draft_id: 'd1', draft_ids: ['d1', 'd3'] }, 'deny'],
    [{ draft_id: 'd1', draft: { id: 'd3' } }, 'deny'],
    [{ draft_id: ['d1'] }, 'deny'],
    [{ draft_id: 'D1' }, 'deny'],
    [{ draft_id: ' d1' }, 'deny'],
    [{}, 'deny'],
  ])('%j: %s', ([args, kind]) => {
    expect(mail('gmail_draft_update', args, { state: own })).toBe(kind);
    expect(mail('gmail_draft_delete', args, { state: own })).toBe(kind);
  });

  it.for<[Json, string[]]>([
    ['{"id":"d1","message":{"id":"m1","threadId":"t"}}', ['d1']],
    [{ draft: { id: 'd1' } }, ['d1']],
    [{ message: { id: 'm1' } }, []],
    [{ error: { id: 'd1' } }, []],
    [{ content: [{ type: 'text', text: '{"draftId":"d1"}' }] }, ['d1']],
  ])('is noted from %j: %j', ([value, ids]) => {
    const event: PolicyEvent = { type: 'tool_result', target: 'google__gmail_draft_create', data: { result: value } };
    const opinion = opinionOf(gmailPolicy, {}, { event });
    expect(opinion).toEqual(ids.length > 0 ? { kind: 'allow', stateUpdates: ids.map((id) => append('gmail_created_draft_ids', id)) } : { kind: 'abstain' });
  });

  it('is not noted from a call that says it was another', () => {
    const event: PolicyEvent = { type: 'tool_result', target: 'gmail_draft_create', data: { result: { id: 'd9' } }, request_data: { name: 'gmail_message_get', arguments: {} } };
    expect(opinionOf(gmailPolicy, {}, { event }).kind).toBe('abstain');
  });
});

describe('once a confidential file was read', () => {
  it.for<[string, string]>([
    ['gmail_message_send', 'ask'],
    ['gmail_draft_create', 'ask'],
    ['gmail_draft_update', 'ask'],
    ['gmail_draft_delete', 'abstain'],
    ['gmail_message_modify', 'abstain'],
    ['gmail_search', 'abstain'],
  ])('%s: %s', ([name, kind]) => {
    expect(mail(name, { draft_id: 'd1' }, { params: { allow_send: true, allow_modify: true }, state: { ...own, ...latched } })).toBe(kind);
  });

  it('what is denied stays denied', () => {
    expect(mail('gmail_message_send', {}, { state: latched })).toBe('deny');
  });

  it.for<[string, string]>([
    ['calendar_event_create', 'ask'],
    ['mcp__google__calendar_event_update', 'ask'],
    ['calendar_event_delete', 'abstain'],
    ['calendar_event_list', 'abstain'],
  ])('%s: %s', ([name, kind]) => {
    const params = { allow_create_events: true, allow_modify_events: true };
    expect(opinionOf(gcalendarPolicy, params, { event: toolCall(name), known: { state: latched } }).kind).toBe(kind);
  });
});

describe('a calendar', () => {
  it.for<[string, JsonObject, string]>([
    ['calendar_event_create', {}, 'deny'],
    ['calendar_event_create', { allow_create_events: true }, 'abstain'],
    ['calendar_event_delete', { allow_create_events: true }, 'deny'],
    ['mcp__gcal__calendar_event_delete', {}, 'deny'],
    ['mcp__x__calendar_acl_insert', { allow_modify_events: true }, 'deny'],
    ['Calendar_Event_Delete', { allow_modify_events: true }, 'deny'],
    ['mcp__outlook__calendar_event_delete', {}, 'abstain'],
    ['calendars_list', { allow_read: false }, 'abstain'],
    ['calendar_event_list', { allow_read: false }, 'deny'],
  ])('%s with %j: %s', ([name, params, kind]) => {
    expect(opinionOf(gcalendarPolicy, params, { event: toolCall(name) }).kind).toBe(kind);
  });
});

it.for<JsonObject>([{ allow_send: 'yes' }, { nope: 1 }, { tool_prefixes: 'x' }])('refuses the params %j', (params) => {
  expect(gmailPolicy.build(params).kind).toBe('invalidParams');
  expect(gcalendarPolicy.build(params).kind).toBe('invalidParams');
});
