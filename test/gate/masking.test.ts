import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMasking, usualMasking } from '../../src/gate/masking.ts';

const masking = createMasking(usualMasking);

describe('a text', () => {
  it.each([
    ['a bearer token', 'curl -H "X: Bearer abc123def456ghi" https://x', 'curl -H "X: Bearer ********" https://x'],
    ['an authorization header', "curl -H 'Authorization: Basic dXNlcjpwYXNz' https://x", "curl -H 'Authorization: ********' https://x"],
    ['a cookie', 'Cookie: sid=31d4d96e407aad42; theme=dark', 'Cookie: ********'],
    ['a header of its own', "curl -H 'X-Api-Key: abcdef' https://x", "curl -H 'X-Api-Key: ********' https://x"],
    ['the password of a URL', 'psql postgres://me:p@ss@db/x', 'psql postgres://me:********@db/x'],
    ['a private key', '-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n-----END OPENSSH PRIVATE KEY-----\nls', '-----BEGIN OPENSSH PRIVATE KEY-----********-----END OPENSSH PRIVATE KEY-----\nls'],
    ['a private key that is cut', '-----BEGIN PRIVATE KEY-----\nMIIEabc', '-----BEGIN PRIVATE KEY-----********'],
    ['a variable of a command', 'DB_PASSWORD=hunter2 ./run --fast', 'DB_PASSWORD=******** ./run --fast'],
    ['a variable in quotes', `export API_TOKEN='a b c' && ls`, `export API_TOKEN='********' && ls`],
    ['a flag', 'run --password hunter2 --force', 'run --password ******** --force'],
    ['a flag with a sign', 'run --client-secret=hunter2 x', 'run --client-secret=******** x'],
    ['a parameter of a query', 'GET /x?access_token=abc&page=2', 'GET /x?access_token=********&page=2'],
    ['the password of mysql', 'mysql -u root -phunter2 shop', 'mysql -u root -p******** shop'],
    ['the password of curl', 'curl -s -u admin:hunter2 https://x', 'curl -s -u admin:******** https://x'],
    ['a line of YAML', 'db:\n  password: hunter2\n  port: 5432', 'db:\n  password: ********\n  port: 5432'],
    ['a part of JSON', 'send {"password":"ab\\"cd","port":1} now', 'send {"password":"********","port":1} now'],
    ['JSON in JSON', JSON.stringify({ body: JSON.stringify({ apiKey: 'x', ok: true }) }), JSON.stringify({ body: JSON.stringify({ apiKey: '********', ok: true }) })],
    ['escapes that hide a key', '{"p\\u0061ssword":"hunter2"}', '{"p\\u0061ssword":"********"}'],
  ])('loses %s, and nothing else', (_name, text, masked) => {
    expect(masking.text(text)).toBe(masked);
  });

  it.each([
    'git push --force origin main',
    'TOKEN=$(cat token.txt) ./run "$TOKEN"',
    'const token = getToken(); const password: string = form.password;',
    'a bearer of good news, and a basic understanding of tokens',
    'max_tokens=4096&page_token=CAUQAA',
    'if (password == null) return;',
    'https://example.com:8080/a@b',
    'interface A {\n  password: string;\n  token: string\n}',
    '{ "usage": { "input_tokens": 12 } }',
  ])('stays as it is: %s', (text) => {
    expect(masking.text(text)).toBe(text);
  });

  it('keeps the blanks, the numbers and the double keys of a JSON text that has a secret', () => {
    const text = '{ "n": 9007199254740993, "n": 1.0, "a" : [ ],\n "token": "abc" }';
    expect(masking.text(text)).toBe('{ "n": 9007199254740993, "n": 1.0, "a" : [ ],\n "token": "********" }');
  });

  it('loses what an event has as a secret, also where a quote cuts it off', () => {
    expect(masking.text('It runs login hunter2!', ['hunter2'])).toBe('It runs login ********!');
    expect(masking.text('It runs login "hunt…" now', ['hunter2'])).toBe('It runs login "********…" now');
  });

  it('is masked in linear time, however it is made', () => {
    const parts = ['a', 'password ', 'password="', 'curl ', 'mysql -p ', 'a://b:', 'sk-', 'eyJaaaaa.', '-----BEGIN PRIVATE KEY-----', '--', '"', 'a.', ' ', 'token: a\n', 'bearer a', '{"a":', '\\"'];
    const since = performance.now();
    for (const part of parts) masking.text(part.repeat(200_000 / part.length));
    expect(performance.now() - since).toBeLessThan(10_000);
  });
});

describe('a value', () => {
  it('is masked below secret keys at any depth: texts and numbers, and the paths say where', () => {
    const value = { password: 12345, ok: true, 'X-API-Key': { list: ['x', null, false] }, usage: { total_tokens: 5 }, 'a/b': [{ clientSecret: 'y', '~': 'z' }] };
    const masked = masking.json(value);
    expect(masked.value).toEqual({ password: '********', ok: true, 'X-API-Key': { list: ['********', null, false] }, usage: { total_tokens: 5 }, 'a/b': [{ clientSecret: '********', '~': 'z' }] });
    expect(masked.paths).toEqual(['/password', '/X-API-Key/list/0', '/a~1b/0/clientSecret']);
    expect(masked.secrets).toEqual(['12345', 'x', 'y']);
  });

  it('keeps two secret keys apart', () => {
    const [one, other] = ['A', 'B'].map((letter) => `ghp_${letter.repeat(30)}`);
    expect(masking.json({ [String(one)]: 1, [String(other)]: 2 }).value).toEqual({ 'ghp_********': 1, 'ghp_******** (2)': 2 });
  });

  it('is the very same where it has no secret', () => {
    const value = { command: 'ls', list: [1, { a: null }] };
    expect(masking.json(value)).toEqual({ value, paths: [], secrets: [] });
    expect(masking.json(value).value).toBe(value);
  });

  it('never has what stood below a secret key, and masking it again changes nothing', () => {
    const secret = fc.string({ minLength: 6, maxLength: 30 }).filter((text) => !text.includes('*')).map((text) => `Q${text}Z`);
    const key = fc.constantFrom('password', 'DB_PASSWORD', 'apiKey', 'client-secret', 'set-cookie', 'Authorization');
    const wrap = fc.constantFrom<(value: unknown) => unknown>((value) => ({ a: value }), (value) => [1, value], (value) => JSON.stringify(value), (value) => ({ text: JSON.stringify({ b: value }, null, 2) }));
    fc.assert(
      fc.property(secret, key, fc.array(wrap, { maxLength: 6 }), (given, name, wraps) => {
        const value = wraps.reduce<unknown>((inner, around) => around(inner), { [name]: given, other: 1 });
        const masked = masking.json(value);
        expect(JSON.stringify(masked.value)).not.toContain(JSON.stringify(given).slice(1, -1));
        expect(masked.secrets).toContain(given);
        expect(masking.json(masked.value).value).toEqual(masked.value);
      }),
      { numRuns: 500 },
    );
  });
});

describe('the settings', () => {
  it('add keys, except keys, choose shapes, and turn it off', () => {
    const own = createMasking({ ...usualMasking, keys: ['licence number'], exceptKeys: ['csrf_token'], shapes: ['jwt'] });
    expect(own.json({ LicenceNumber: 'x', csrfToken: 'y', password: 'z', text: 'PASSWORD=abc' }).value).toEqual({ LicenceNumber: '********', csrfToken: 'y', password: '********', text: 'PASSWORD=abc' });
    expect(createMasking({ ...usualMasking, enabled: false }).json({ password: 'x' })).toEqual({ value: { password: 'x' }, paths: [], secrets: [] });
  });
});
