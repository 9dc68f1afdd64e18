import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { findConnection } from '../../src/hooks/connection.ts';
import { newHome } from './world.ts';

let home: string;
let file: string;

beforeEach(async () => {
  home = await newHome();
  file = path.join(home, '.config/countersign/config.json');
});

async function write(content: object | string, mode = 0o600): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  await chmod(file, mode);
}

const find = (variables: Record<string, string> = {}) => {
  const { url, token, agent } = findConnection({ variables, home, directory: home });
  return { url: url.href, token, agent };
};

describe('the connection of a hook', () => {
  it('is to the server of this machine, without a token, where nothing says otherwise', () => {
    expect(find()).toEqual({ url: 'http://127.0.0.1:4000/graphql', token: null, agent: null });
  });

  it("is what the user's file says", async () => {
    const content = { url: 'https://gate.example/graphql', token: 'csk_1', agent: 'builder' };
    await write(content);
    expect(find()).toEqual(content);
  });

  it('is what variables say, over the file; /graphql may be left out', async () => {
    await write({ url: 'https://gate.example/graphql', token: 'csk_1', agent: 'builder' });
    expect(find({ COUNTERSIGN_URL: 'https://other.example', COUNTERSIGN_TOKEN: 'csk_2', COUNTERSIGN_AGENT: 'other' })).toEqual({ url: 'https://other.example/graphql', token: 'csk_2', agent: 'other' });
  });

  it('never takes the token of the file to another server, which a project may have set', async () => {
    await write({ url: 'https://gate.example/graphql', token: 'csk_1' });
    expect(find({ COUNTERSIGN_URL: 'https://evil.example' }).token).toBeNull();
    expect(find({ COUNTERSIGN_URL: 'https://gate.example' }).token).toBe('csk_1');
  });

  it('is refused where others may read the token, and says how to mend that', async () => {
    await write({ token: 'csk_1' }, 0o644);
    expect(() => find()).toThrow(`${file} has a token, and others than its owner may read it: run chmod 600 ${file}`);
    await write({ url: 'https://gate.example' }, 0o644);
    expect(find().url).toBe('https://gate.example/graphql');
  });

  it.each([
    ['{', 'must hold a JSON object'],
    ['[]', 'must hold a JSON object'],
    [{ tokens: 'a' }, 'there is no key "tokens", only url, token and agent'],
    [{ token: 7 }, 'token must be a text'],
    [{ url: 'gate.example' }, 'url must be a URL of http or https'],
    [{ url: 'file:///etc' }, 'url must be a URL of http or https'],
  ])('is refused by name where the file has %j', async (content, message) => {
    await write(content);
    expect(() => find()).toThrow(message);
  });
});
