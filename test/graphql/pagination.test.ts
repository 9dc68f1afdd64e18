import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentSchema } from '../../src/entities/agent.entity.ts';
import { createAgent, createSession } from './journey.ts';
import { openApi, type Api, type Wire } from './api.ts';

const total = 25;

let api: Api;
/** Newest first. */
let names: string[];

beforeAll(async () => {
  api = await openApi();
  const agents = [];
  for (let index = 0; index < total; index += 1) agents.push(await createAgent(api, { name: `agent ${index}` }));
  names = agents.toSorted((a, b) => (a.id < b.id ? 1 : -1)).map(({ name }) => name);
});

afterAll(() => api.close());

const document = `query ($first: Int, $after: String, $last: Int, $before: String) {
  agents(first: $first, after: $after, last: $last, before: $before) {
    edges { cursor node { name } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`;

async function page(args: object) {
  const { edges, pageInfo } = await api.ask(document, args);
  return { names: edges.map(({ node }: Wire) => node.name), cursors: edges.map(({ cursor }: Wire) => cursor), ...pageInfo };
}

describe('a list', () => {
  it('gives the newest 20 where nothing is said', async () => {
    expect(await page({})).toMatchObject({ names: names.slice(0, 20), hasNextPage: true, hasPreviousPage: false });
  });

  it('can be read page by page to its end, each item once', async () => {
    const seen: string[] = [];
    let after: string | null = null;
    for (let pages = 1; ; pages += 1) {
      const current: Wire = await page({ first: 7, after });
      seen.push(...current.names);
      expect(current).toMatchObject({ hasPreviousPage: after !== null, hasNextPage: seen.length < total, startCursor: current.cursors[0], endCursor: current.cursors.at(-1) });
      after = current.endCursor;
      if (!current.hasNextPage) break;
      expect(pages).toBeLessThan(10);
    }
    expect(seen).toEqual(names);
  });

  it('can be read backwards from its end, each item once', async () => {
    let seen: string[] = [];
    let before: string | null = null;
    for (;;) {
      const current: Wire = await page({ last: 7, before });
      seen = [...current.names, ...seen];
      expect(current).toMatchObject({ hasNextPage: before !== null, hasPreviousPage: seen.length < total });
      before = current.startCursor;
      if (!current.hasPreviousPage) break;
    }
    expect(seen).toEqual(names);
  });

  it('has no next page when the page ends exactly at its end', async () => {
    expect(await page({ first: total })).toMatchObject({ names, hasNextPage: false });
    expect(await page({ last: total })).toMatchObject({ names, hasPreviousPage: false });
  });

  it('has an empty page after its last item', async () => {
    const { endCursor } = await page({ first: total });
    expect(await page({ first: 5, after: endCursor })).toEqual({ names: [], cursors: [], hasNextPage: false, hasPreviousPage: true, startCursor: null, endCursor: null });
  });

  it('counts the item of the cursor itself as what lies before or after the page', async () => {
    const { cursors } = await page({ first: total });
    expect(await page({ first: 1, after: cursors[0] })).toMatchObject({ names: [names[1]], hasPreviousPage: true });
    expect(await page({ last: 1, before: cursors.at(-1) })).toMatchObject({ names: [names.at(-2)], hasNextPage: true });
  });

  it('can be cut at both ends', async () => {
    const { cursors } = await page({ first: total });
    expect(await page({ after: cursors[4], before: cursors[9] })).toMatchObject({ names: names.slice(5, 9), hasNextPage: false, hasPreviousPage: true });
    expect(await page({ after: cursors[4], before: cursors[9], first: 2 })).toMatchObject({ names: names.slice(5, 7), hasNextPage: true });
    expect(await page({ after: cursors[4], before: cursors[9], last: 2 })).toMatchObject({ names: names.slice(7, 9), hasPreviousPage: true });
  });

  it('takes null for not given', async () => {
    expect(await page({ first: null, after: null, last: null, before: null })).toMatchObject({ names: names.slice(0, 20) });
  });

  it('does not shift under a reader when something new comes', async () => {
    const { endCursor } = await page({ first: 10 });
    const [, , , , , , , , , , ...rest] = names;
    await createAgent(api, { name: 'a newcomer' });
    expect((await page({ first: 100, after: endCursor })).names).toEqual(rest);
    await api.orm.em.fork().nativeDelete(AgentSchema, { name: 'a newcomer' });
  });
});

describe('a list refuses what it cannot meet, and says what would be right', () => {
  it.each([
    [{ first: 0 }, '"first" must be from 1 to 100, not 0'],
    [{ first: -1 }, '"first" must be from 1 to 100, not -1'],
    [{ first: 101 }, '"first" must be from 1 to 100, not 101'],
    [{ last: 0 }, '"last" must be from 1 to 100, not 0'],
    [{ last: 101 }, '"last" must be from 1 to 100, not 101'],
    [{ first: 1, last: 1 }, 'Give "first" or "last", not both'],
    [{ after: 'x' }, '"after" is not a cursor of this list'],
    [{ after: '' }, '"after" is not a cursor of this list'],
    [{ before: '!!!' }, '"before" is not a cursor of this list'],
    [{ before: Buffer.from('agt_x').toString('base64url') }, '"before" is not a cursor of this list'],
  ])('%j', async (args, message) => {
    const { data, errors } = await api.answer(document, args);
    expect(data).toBeNull();
    expect(errors).toMatchObject([{ message: expect.stringContaining(message), path: ['agents'], extensions: { code: 'BAD_USER_INPUT' } }]);
  });

  it('a cursor of another list', async () => {
    const agentId = (await api.ask('{ agents(first: 1) { edges { node { id } } } }')).edges[0].node.id;
    await createSession(api, { agentId });
    const { edges } = await api.ask('{ sessions(first: 1) { edges { cursor } } }');
    const { errors } = await api.answer(document, { after: edges[0].cursor });
    expect(errors?.[0]?.extensions).toEqual({ code: 'BAD_USER_INPUT' });
  });
});
