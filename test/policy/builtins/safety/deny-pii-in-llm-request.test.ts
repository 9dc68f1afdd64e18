import { describe, expect, it } from 'vitest';
import type { Json, JsonObject, PolicyEvent } from '../../../../src/policy/index.ts';
import { denyPiiInLlmRequest } from '../../../../src/policy/builtins/safety/deny-pii-in-llm-request.ts';
import { request, toolCall } from '../../support/pass.ts';
import { opinionOf } from '../../support/verdict-of.ts';

function judge(event: PolicyEvent, params: JsonObject = {}): string {
  return opinionOf(denyPiiInLlmRequest, params, { event }).kind;
}

function found(text: string, ...kinds: string[]): boolean {
  return judge(request(text), { pii_types: kinds }) === 'deny';
}

const socialSecurityNumbers = [
  ...['123-45-6789', 'my ssn: 123-45-6789.', '(123-45-6789)', '１２３-４５-６７８９', '١٢٣-٤٥-٦٧٨٩', '123–45–6789', '123—45—6789', '123‑45‑6789', '123−45−6789', '123 - 45 - 6789', '123-45-\n6789'],
  ...['123-\u200b45-6789', '123\u200b45\u200b6789', '123\u00ad-45-6789', '123\u206045\u20606789', '𝟏𝟐𝟑-𝟒𝟓-𝟔𝟕𝟖𝟗', '①②③-④⑤-⑥⑦⑧⑨', '१२३-४५-६७८९', '123 45 6789', '123.45.6789', '123/45/6789', '123_45_6789', '123\u00a045\u00a06789'],
  ...['ssn 123456789', 'SSN:123456789', 'ssn=123456789', '"ssn": "123456789"', 'SSN#123456789', 'ssn123456789', 'My SSN is 123456789', 'social security number: 123456789', 'Social Security No. 123 456 789', '123456789 (SSN)', '123456789 is my ssn', 'tax id 123456789', 'ssn123-45-6789', 'ssn 123,45,6789'],
  ...['123%2D45%2D6789', '123&#45;45&#45;6789', '123&#x2d;45&#x2d;6789', '\\u0031\\u0032\\u0033-45-6789', 'MTIzLTQ1LTY3ODk=', '3132332d34352d36373839', 'c3NuIDEyMy00NS02Nzg5'],
];

const cards = [
  ...['4111 1111 1111 1111', '4111-1111-1111-1111', '4111111111111111', '4222222222222', '3782 822463 10005', '6011000990139424 exp 12/29', '4111 1111 1111 1111 12 2029', '4111  1111  1111  1111', '4111 1111-1111 1111', '1234 5678 9012 3456', '1234567890123', '1234567890123456789'],
  ...['4111\u00a01111\u00a01111\u00a01111', '4111\u20091111\u20091111\u20091111', 'card4111111111111111', '4111111111111111abc', '4111.1111.1111.1111', '4111/1111/1111/1111', '4111_1111_1111_1111', '4111–1111–1111–1111', '4111·1111·1111·1111', '4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1', '41 11 11 11 11 11 11 11', '4111\n1111\n1111\n1111', '4111\u200b1111\u200b1111\u200b1111', '٤١١١١١١١١١١١١١١١', '４１１１ １１１１ １１１１ １１１１', '411111 1111111111', '41111111 11111111', '5555555555554444', '3530111333300000', '30569309025904', 'https://x.example/pay?card=4111111111111111', '#4111111111111111', '4111%201111%201111%201111', 'NDExMTExMTExMTExMTExMQ=='],
];

const addresses = [
  ...['alice@example.com', 'ALICE@EXAMPLE.COM', 'a.b+c_d%e-f@sub.domain.co.uk', 'mailto:alice@example.com', '<alice@example.com>', 'x=alice@example.com;', 'alice@exämple.com', 'иван@example.com', 'иван@пример.рф', '田中@例え.jp', 'alice@example.xn--p1ai', "o'neil@example.ie", '"alice smith"@example.com', 'alice@[192.168.0.1]', 'bob@163.com', 'bob@example..com', 'root@server.internal'],
  ...['alice＠example.com', 'alice﹫example.com', 'alice@example。com', 'alice@example．com', 'ali\u200bce@exam\u00adple.com', 'alice [at] example [dot] com', 'alice(at)example.com', 'alice {at} example {dot} org', 'alice at example dot com', 'alice AT mail dot example DOT org', 'alice @ example.com', 'alice@ example.com', 'alice@example . com', 'alice%40example.com', 'alice&#64;example.com', 'alice&commat;example&period;com', 'alice\\u0040example.com', 'alice\\x40example.com'],
  ...['YWxpY2VAZXhhbXBsZS5jb20=', 'data: YWxpY2VAZXhhbXBsZS5jb20', '616c696365406578616d706c652e636f6d', 'ａｌｉｃｅ@ｅｘａｍｐｌｅ.com', 'git@example.com'],
];

const phones = [
  ...['+1 555 123 4567', '+15551234567', '+44 20 7946 0958', '+49 30 901820', 'dial +33 6 12 34 56 78', '+1 (555) 123-4567', '+1.555.123.4567', '+91-98765-43210', 'tel:+15551234567', '+44 (0)20 7946 0958', '＋1 555 123 4567', '+١٥٥٥١٢٣٤٥٦٧', 'call+15551234567 tel+15551234567'],
  ...['555.123.4567', '555 123 4567', '555-123-4567', '(555) 123-4567', '(555)123-4567', '555–123–4567', '555/123-4567', '555\u00a0123\u00a04567', '555\u200b123\u200b4567', '1-555-123-4567', '1.555.123.4567', '555-\n123-4567', '５５５-１２３-４５６７'],
  ...['03-1234-5678', '02-345-678', '012-345-678', '020 7946 0958', '06 12 34 56 78', '0171 1234567', '0171/1234567', '(030) 901820 55', '0312345678', '09012345678', '0044 20 7946 0958', '00442079460958', '011 44 20 7946 0958'],
  ...['phone: 5551234567', 'Tel. 901820 55', 'my phone number is 5551234567', 'call me at 5551234567', 'mobile 98765 43210', 'fax: 555-1234', 'WhatsApp 5551234567', 'NTU1LTEyMy00NTY3'],
];

describe('a social security number', () => {
  it.for(socialSecurityNumbers)('is found in %j', (text) => {
    expect(found(text, 'ssn')).toBe(true);
  });

  it.for([
    ...['1123-45-6789', '123-45-67890', '123-456-789', '12-345-6789', '123456789', 'order 123456789', 'takes 100 20 3000 ms', '1 123 45 6789 2', '123 45 6789 10 11', '123\n45\n6789', '000 12 3456', '666.12.3456', 'AB123-45-6789', 'version 1.2.3', '', 'the ssn is secret', 'ssn validation: see issue 12'],
    ...['192.168.45.6789', 'the assn 123456789', 'ssn field of table 4'],
  ])('is not found in %j', (text) => {
    expect(found(text, 'ssn')).toBe(false);
  });
});

describe('the number of a payment card', () => {
  it.for(cards)('is found in %j', (text) => {
    expect(found(text, 'credit_card')).toBe(true);
  });

  it.for([
    ...['123456789012', '12345678901234567890', 'sum is 1000', 'tel 12345', '10 20 30 40 50 60 70 80', '2024-01-02 10-11-12', 'on 2024-01-02 2024-01-03 at 10', '20240102030405', '1700000000000', '1700000000000000', '1700000000000000000', '3.14159265358979', '0.1234567890123456', '978-3-16-148410-0', '9783161484100'],
    ...['00000000-0000-0000-0000-000000000000', '12345678-1234-1234-1234-123456789012', '123e4567-e89b-12d3-a456-426614174000', '0000 0010 0020 0030', '2021 2022 2023 2024', 'e83c5163316f89bfbde7d9ab23ca2e25604af290', '0x1234567890123456', 'https://x.example/status/1234567890123456789', '192.168.100.200 192.168.100.201', '1,000,000,000,000,000', '1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13', '1234\n5678\n9012\n3456', '1-2-3-4-5-6-7-8-9-10'],
  ])('is not found in %j', (text) => {
    expect(found(text, 'credit_card')).toBe(false);
  });
});

describe('an email address', () => {
  it.for(addresses)('is found in %j', (text) => {
    expect(found(text, 'email')).toBe(true);
  });

  it.for([
    ...['alice@localhost', 'alice@example.c', 'alice@@example.com', 'alice@.com', '@mention me', 'hello @user.name', '@decorator\nfoo.bar()', 'y = x\n@app.route("/")', 'react@18.2.0', 'pkg@1.2.3-beta.io', '@scope/pkg@2.0.0', 'golang.org/x/net@v0.17.0', 'icon@2x.png', 'logo@3x.svg', 'git@github.com:octo/app.git', 'ssh://git@github.com/octo/app', 'https://x.example/@user.name/post'],
    ...['A @ b.shape', 'x@w', '5 @ 3.50', 'meet at noon dot', 'look at the dot com boom', 'at example', 'foo@', '@', 'a@b', 'user at host', 'docker@sha256:abc.def', 'print("%40")', 'aGVsbG8gd29ybGQsIHRoaXMgaXMgZmluZQ=='],
  ])('is not found in %j', (text) => {
    expect(found(text, 'email')).toBe(false);
  });
});

describe('a phone number', () => {
  it.for(phones)('is found in %j', (text) => {
    expect(found(text, 'phone')).toBe(true);
  });

  it.for([
    ...['extension 1234', 'port 8080', 'due on 01-02-2024', 'due on 02.03.2024', 'due on 1/2/2024', 'on 2024-01-02 0900-1000', 'timezone UTC+0530', 'UTC+05:30', 'GMT+1', '2024-01-02T10:20:30+0000', '2024-01-02T10:20:30.123+0100', 'C++17', '1+23456789', 'x+1234567890', '+1,000,000,000', '+3.14159265', '+40.7128 -74.0060'],
    ...['01-02-2024 12:30', '08:30-10:00', 'open 0830-1700', '0.1234567890', '192.168.100.2000', '555.123.4567.8', '5.555.123.4567', '00 01 02 03 04 05 06', '01 02 03 04 05', '0001234567', '20240102', '@@ -1234,7 +1234,12 @@', 'a +12 b', 'x-555', '12345678', 'issue 5551234567', '#0123456789', 'file_0123456789.txt', '0123456789abcdef', 'v0123456789', 'call 12345 times', 'the phone 7 Pro', 'phone 12'],
  ])('is not found in %j', (text) => {
    expect(found(text, 'phone')).toBe(false);
  });
});

describe('what a person says every day', () => {
  it.for([
    'refactor the parser in module two',
    'Merge 123 commits since v1.24.0 (2024-05-06), see #4567 and https://github.com/octo/app/pull/890',
    'tests: 1203 passed, 4 failed, 12 skipped in 35.21s',
    'GET /api/v2/users/42?limit=100&offset=2000 200 153ms',
    '0x7ffee4b0 0x7ffee4b8 rax=0000000000000000',
    'const sizes = [16, 32, 64, 128, 256, 512, 1024, 2048, 4096];',
    'Lat 48.8566, long 2.3522; budget $1,250,000.00; ratio 16:9',
    'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    'npm i lodash@4.17.21 @types/node@20.11.5',
    'at Object.<anonymous> (/app/src/index.js:10:15)\n    at Module._compile (node:internal:1105:14)',
    'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9',
    '-rw-r--r-- 1 root root 4096 Jan  2 03:04 notes.txt',
  ])('passes: %j', (text) => {
    expect(judge(request(text))).toBe('abstain');
  });
});

describe('it is looked for', () => {
  const address = 'bob@corp.io';

  function attached(...attachments: Json[]): PolicyEvent {
    return { type: 'request', target: null, data: { user_content: 'see', attachments } } as unknown as PolicyEvent;
  }

  it.for<[string, PolicyEvent, string]>([
    ['in what a person writes', request(address), 'deny'],
    ['in a bare text', { type: 'request', target: null, data: address } as unknown as PolicyEvent, 'deny'],
    ['in blocks', { type: 'request', target: null, data: [{ text: 'x' }, { text: address }] } as unknown as PolicyEvent, 'deny'],
    ['over the seam of blocks', { type: 'request', target: null, data: [{ text: 'bob@' }, { text: 'corp.io' }] } as unknown as PolicyEvent, 'deny'],
    ['in the blocks of a payload', { type: 'request', target: null, data: { user_content: [{ type: 'text', text: 'bob@' }, { type: 'text', text: 'corp.io' }] } } as unknown as PolicyEvent, 'deny'],
    ['in the blocks of the last message', { type: 'llm_request', target: null, data: { last_user_message: [{ type: 'text', text: address }] } } as unknown as PolicyEvent, 'deny'],
    ['in the blocks of an attachment', attached({ filename: 'a', text: [address] }), 'deny'],
    ['in attachments', attached({ filename: 'a', text: 'x' }, { filename: 'b', text: address }), 'deny'],
    ['in their names', attached({ filename: `${address}.csv`, text: null }), 'deny'],
    ['in attachments of attachments', attached({ filename: 'a', attachments: [{ text: address }] }), 'deny'],
    ['in the system prompt', { type: 'llm_request', target: null, data: { system_prompt_preview: address } }, 'deny'],
    ['in the last message', { type: 'llm_request', target: null, data: { last_user_message: address } }, 'deny'],
    ['not in the model’s name', { type: 'llm_request', target: null, data: { model: address, last_user_message: 'x' } }, 'abstain'],
    ['not in calls', toolCall('send_mail', { to: address }), 'abstain'],
    ['not in responses', { type: 'response', target: null, data: address }, 'abstain'],
    ['not in results', { type: 'tool_result', target: 'x', data: { result: address } }, 'abstain'],
  ])('%s', ([, event, kind]) => {
    expect(judge(event)).toBe(kind);
  });
});

describe('params', () => {
  const text = request('bob@corp.io');

  it.for<[JsonObject, string]>([
    [{ action: 'ASK' }, 'ask'],
    [{ action: 'DENY' }, 'deny'],
    [{ action: 'ask' }, 'deny'],
    [{ action: 'BLOCK' }, 'deny'],
    [{ action: null }, 'deny'],
    [{ pii_types: [] }, 'deny'],
    [{ pii_types: null }, 'deny'],
    [{ pii_types: ['email', 'passport'] }, 'deny'],
    [{ pii_types: [' EMAIL '] }, 'deny'],
    [{ pii_types: ['credit-card'] }, 'abstain'],
  ])('%j: %s', ([params, kind]) => {
    expect(judge(text, params)).toBe(kind);
  });

  it('may be spelled in capitals', () => {
    expect(judge(request('123-45-6789'), { pii_types: ['SSN'] })).toBe('deny');
  });

  it.for([{ pii_types: ['passport'] }, { pii_types: [''] }, { pii_types: 'ssn' }, { pii_types: [5] }, { types: [] }])('are refused that would look for nothing: %j', (params) => {
    expect(denyPiiInLlmRequest.build(params).kind).toBe('invalidParams');
  });

  it('say what was found, not the data itself', () => {
    expect(opinionOf(denyPiiInLlmRequest, {}, { event: request('bob@corp.io 123-45-6789') })).toEqual({ kind: 'deny', reason: 'This holds personal data: a social security number, an email address.' });
  });
});

it.for(['123456789 ', '12-', '4111 ', 'a@', '1 ', '%41', 'YWxp', '+1 ', '0', 'ssn ', 'a at b dot ', 'à́', '١', '0123 ', '4 1 1 '])('reads a large text of %j soon', (part) => {
  const startedAt = performance.now();
  judge(request(part.repeat(Math.ceil(200_000 / part.length))));
  expect(performance.now() - startedAt).toBeLessThan(2500);
});
