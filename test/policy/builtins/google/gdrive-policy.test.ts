import { describe, expect, it } from 'vitest';
import { append, set, type Json, type JsonObject, type Opinion, type PolicyEvent } from '../../../../src/policy/index.ts';
import { gdrivePolicy } from '../../../../src/policy/builtins/google/gdrive-policy.ts';
import { request, toolCall } from '../../support/pass.ts';
import { opinionOf } from '../../support/verdict-of.ts';

const params = { read_all: false, read_files: ['R1'], write_files: ['W1', 'https://docs.google.com/document/d/W2/edit'], comment_files: ['K1'], allow_create: true };
const secret = { ...params, confidential_files: ['S1'], write_files: ['W1', 'S1'] };
const latched = { gdrive_read_confidential: true };

function judge(event: PolicyEvent, given: JsonObject = params, state: JsonObject = {}): Opinion {
  return opinionOf(gdrivePolicy, given, { event, known: { state } });
}

function call(tool: string, args: JsonObject): string {
  return judge(toolCall(`mcp__google__${tool}`, args)).kind;
}

function result(tool: string, value: Json, args?: JsonObject): PolicyEvent {
  const target = `google__${tool}`;
  return { type: 'tool_result', target, data: { result: value }, ...(args ? { request_data: { name: target, arguments: args } } : {}) };
}

describe('a file that is listed', () => {
  it.for<[string, JsonObject]>([
    ['drive_file_get', { file_id: 'R1' }],
    ['docs_document_get', { document_id: 'https://docs.google.com/document/u/0/d/R1/edit' }],
    ['drive_file_update', { file_id: 'W1', name: 'ZZ' }],
    ['docs_document_batch_update', { document_id: 'W2', requests: [{ insertText: { text: 'https://docs.google.com/document/d/ZZ' } }] }],
    ['drive_file_update', { file_id: 'W1', document_id: 'W2', fileId: 'W1' }],
    ['drive_comment_create', { file_id: 'K1', content: 'see ZZ' }],
    ['drive_file_update', { file_id: 'W1', profile_id: 'ZZ' }],
    ['drive_file_update', { file_id: 'W1', document_id: null }],
  ])('may be used: %s %j', ([tool, args]) => {
    expect(call(tool, args)).toBe('abstain');
  });
});

describe('a file that is not listed', () => {
  it.for<[string, JsonObject]>([
    ['drive_file_get', { file_id: 'ZZ' }],
    ['drive_file_get', { file_id: 'r1' }],
    ['drive_file_get', { file_id: 'https://docs.google.com.evil.example/document/d/R1' }],
    ['drive_file_get', { file_id: 'R1', document_id: 'ZZ' }],
    ['drive_file_get', { file_id: 'R1', fileId: 'ZZ' }],
    ['drive_file_get', { file_id: 'R1', fileIds: ['R1', 'ZZ'] }],
    ['drive_file_get', { file_id: 'R1', options: { 'Document-ID': 'ZZ' } }],
    ['drive_file_get', { file_id: ['R1'] }],
    ['drive_file_get', { fileId: 'R1' }],
    ['drive_file_get', { file_id: 'R%31' }],
    ['drive_search', { q: 'R1' }],
    ['drive_file_update', { file_id: 'R1' }],
    ['drive_file_delete', { file_id: 'K1' }],
    ['drive_file_copy', { file_id: 'R1' }],
    ['sheets_values_update', { spreadsheet_id: 'W1', destinationSpreadsheetId: 'ZZ' }],
    ['sheets_values_update', { spreadsheet_id: 'W1', data: [{ spreadsheet_id: 'ZZ' }] }],
    ['drive_comment_create', { file_id: 'W1' }],
    ['drive_file_update', {}],
  ])('may not: %s %j', ([tool, args]) => {
    expect(call(tool, args)).toBe('deny');
  });

  it('may not where only the target names the tool', () => {
    expect(judge({ type: 'tool_call', target: 'drive_file_delete', data: { name: 'web_search', arguments: { file_id: 'ZZ' } } }).kind).toBe('deny');
  });
});

describe('what a call created', () => {
  function created(value: Json, { tool = 'docs_document_create', state = {} }: { tool?: string; state?: JsonObject } = {}): unknown {
    const opinion = judge(result(tool, value), params, state);
    return opinion.kind === 'allow' ? opinion.stateUpdates?.map((update) => (update.action === 'append' ? update.value : update)) : [];
  }

  it.for<[Json, string[]]>([
    ['{"documentId":"N1"}', ['N1']],
    [{ id: ' N1 ' }, ['N1']],
    [{ file_id: 'B', id: 'A', documentId: 'A' }, ['A', 'B']],
    [{ file: { id: 'N1' } }, ['N1']],
    [{ content: [{ type: 'text', text: '{"documentId":"N1"}' }] }, ['N1']],
    ['{"documentId":"N1","parents":[{"id":"FOLDER"}],"template":{"documentId":"VICTIM"}}', ['N1']],
    [{ file: { id: 'N1', owners: [{ id: 'U' }] }, parents: [{ id: 'P' }] }, ['N1']],
    [{ parents: [{ id: 'P' }], owners: [{ id: 'U' }], lastModifyingUser: { id: 'U' } }, []],
    ['{"error":{"code":404,"id":"VICTIM"}}', []],
    [{ error: 'x', documentId: 'VICTIM' }, []],
    [{ isError: true, content: [{ type: 'text', text: '{"documentId":"VICTIM"}' }] }, []],
    [{ result: { errors: [{ id: 'VICTIM' }] } }, []],
    ['created N1', []],
    ['"N1"', []],
    [{ documentId: '' }, []],
    [{ documentId: ['N1'] }, []],
  ])('of %j is %j', ([value, ids]) => {
    expect(created(value)).toEqual(ids);
  });

  it('is noted once', () => {
    expect(created({ id: 'N1' }, { state: { gdrive_created_file_ids: ['N1'] } })).toEqual([]);
    expect(judge(result('drive_file_create', { id: 'N1' }))).toEqual({ kind: 'allow', stateUpdates: [append('gdrive_created_file_ids', 'N1')] });
  });

  it('is nothing for other tools, nor where the call says that it was another', () => {
    expect(created({ id: 'N1' }, { tool: 'drive_file_update' })).toEqual([]);
    const event = { type: 'tool_result', target: 'drive_file_create', data: { result: { id: 'VICTIM' } }, request_data: { name: 'drive_file_get', arguments: { file_id: 'VICTIM' } } } as const;
    expect(judge(event).kind).toBe('abstain');
  });

  it('may be written and commented on, not read', () => {
    const state = { gdrive_created_file_ids: ['N1'] };
    expect(judge(toolCall('drive_file_update', { file_id: 'N1' }), params, state).kind).toBe('abstain');
    expect(judge(toolCall('drive_comment_create', { file_id: 'N1' }), params, state).kind).toBe('abstain');
    expect(judge(toolCall('drive_file_get', { file_id: 'N1' }), params, state).kind).toBe('deny');
  });
});

describe('a confidential file that was read', () => {
  it.for<[string, JsonObject]>([
    ['docs_document_get', { document_id: 'S1' }],
    ['docs_document_get', { document_id: 'https://docs.google.com/document/u/0/d/S1/edit' }],
    ['docs_document_get', { document_id: 'https://docs.google.com/document%2Fd%2FS1' }],
    ['docs_document_get', { document_id: 'https://mirror.example/document/d/S1' }],
    ['docs_document_get', { document_id: '"S1"' }],
    ['docs_document_get', { document_id: 'S1\u200b' }],
    ['drive_file_get', { fileId: 'S1' }],
    ['drive_file_get', { id: 'S1' }],
    ['drive_file_get', { file_ids: ['R1', 'S1'] }],
    ['drive_file_get', { file_ids: 'R1,S1' }],
    ['drive_file_get', { request: { url: 'https://drive.google.com/open?id=S1' } }],
    ['drive_file_copy', { file_id: 'S1' }],
    ['drive_search', { file_id: 'S1' }],
  ])('is noted: %s %j', ([tool, args]) => {
    expect(judge(result(tool, 'secret', args), secret)).toEqual({ kind: 'allow', stateUpdates: [set('gdrive_read_confidential', true)] });
  });

  it('is noted where nobody tells which file was read', () => {
    expect(judge(result('docs_document_get', 'text'), secret).kind).toBe('allow');
    expect(judge({ type: 'tool_result', target: 'drive_file_get', data: { result: 'x' }, request_data: 'x' } as unknown as PolicyEvent, secret).kind).toBe('allow');
  });

  it('is noted where only the result names it', () => {
    expect(judge(result('drive_file_get', { id: 'S1', name: 'x' }, { file_id: 'ALIAS' }), secret).kind).toBe('allow');
  });

  it.for<[string, JsonObject | undefined]>([
    ['docs_document_get', { document_id: 'ZZ' }],
    ['docs_document_get', { document_id: 'ZZ', title: 'S1' }],
    ['drive_search', { q: 'S1' }],
    ['drive_search', undefined],
    ['drive_file_update', { file_id: 'S1' }],
    ['docs_document_create', { title: 'S1' }],
  ])('is not what this is: %s %j', ([tool, args]) => {
    expect(judge(result(tool, 'text', args), secret).kind).toBe('abstain');
  });

  it.for<[string, JsonObject, string]>([
    ['drive_file_update', { file_id: 'W1' }, 'deny'],
    ['drive_file_update', { file_id: 'S1' }, 'abstain'],
    ['drive_file_update', { file_id: 'S1', fileId: 'W1' }, 'deny'],
    ['drive_file_copy', { file_id: 'W1' }, 'deny'],
    ['docs_document_create', { title: 'x' }, 'deny'],
    ['drive_comment_create', { file_id: 'K1' }, 'deny'],
    ['drive_file_get', { file_id: 'R1' }, 'abstain'],
  ])('lets %s %j: %s', ([tool, args, kind]) => {
    expect(judge(toolCall(tool, args), secret, latched).kind).toBe(kind);
    expect(judge(toolCall(tool, args), { ...secret, write_down_action: ' ask ' }, latched).kind).toBe(kind === 'deny' ? 'ask' : kind);
  });

  it.for<[Json, string]>([
    [1, 'deny'],
    ['yes', 'deny'],
    [['x'], 'deny'],
    [{ a: 1 }, 'deny'],
    [false, 'abstain'],
    [0, 'abstain'],
    ['', 'abstain'],
    [null, 'abstain'],
    [[], 'abstain'],
    [{}, 'abstain'],
  ])('is one where the state says %j: writing elsewhere is %s', ([value, kind]) => {
    expect(judge(toolCall('drive_file_update', { file_id: 'W1' }), secret, { gdrive_read_confidential: value }).kind).toBe(kind);
  });
});

it('has no opinion of other phases', () => {
  expect(judge(request('drive_file_delete')).kind).toBe('abstain');
});

it.for<JsonObject>([
  ...[{ write_down_action: 'BLOCK' }, { write_down_action: '' }, { read_all: 'yes' }, { read_files: 'R1' }, { read_files: [1] }, { tool_prefixes: [''] }, { x: 1 }],
  ...[{ read_files: [''] }, { write_files: ['  '] }, { confidential_files: ['https://example.com/document/d/S1'] }, { comment_files: ['two words'] }],
])('refuses the params %j', (given) => {
  expect(gdrivePolicy.build(given).kind).toBe('invalidParams');
});

it('gives the reason of the params', () => {
  expect(judge(toolCall('drive_file_get', { file_id: 'ZZ' }), { ...params, deny_reason: 'no' })).toEqual({ kind: 'deny', reason: 'no' });
});

it.for<JsonObject>([
  { file_id: `/d/${'a/d/'.repeat(250_000)}` },
  { file_id: '%41'.repeat(300_000) },
  { file_ids: Array.from({ length: 50_000 }, (_, index) => `F${index}`) },
  { text: 'a b '.repeat(250_000) },
])('judges a large call soon (%#)', (args) => {
  const startedAt = performance.now();
  judge(toolCall('drive_file_update', { ...args, document_id: 'W1' }), secret, latched);
  judge(result('drive_file_get', 'x', args), secret);
  expect(performance.now() - startedAt).toBeLessThan(2000);
});
