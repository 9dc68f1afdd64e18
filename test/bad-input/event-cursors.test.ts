import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../src/graphql/schema.ts';
import { json } from './case.ts';
import { openWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** Every subscription that can be taken up again. */
const fields = Object.values(schema.getSubscriptionType()?.getFields() ?? {}).filter(({ args }) => args.some(({ name }) => name === 'after'));

const encoded = (text: string): string => Buffer.from(text).toString('base64url');
const noCursors = ['', ' ', 'x', 'a\0b', '\ud800', "' or 1=1 --", '__proto__', encoded('at:1'), `${encoded('at:1.2')}\n`, `${encoded('at:1.2')}==`, encoded('at:1.-2'), encoded('at:1.5e3'), encoded('at:9999999999999999.1'), 'x'.repeat(900_000)];

describe.each(fields.map(({ name, args }) => ({ name, ofSession: args.some((arg) => arg.name === 'sessionId') })))('$name', ({ name, ofSession }) => {
  async function subscribe(after: unknown): Promise<string> {
    const query = ofSession ? `subscription ($id: ID!, $after: String) { ${name}(sessionId: $id, after: $after) { cursor } }` : `subscription ($after: String) { ${name}(after: $after) { cursor } }`;
    const { text } = await world.send(json({ query, variables: { ...(ofSession ? { id: world.ids.session } : {}), after } }), 'text/event-stream');
    expect(text).toContain('"code":"BAD_USER_INPUT"');
    expect(text.length).toBeLessThan(1000);
    return text;
  }

  it('refuses to go on behind what is no cursor, and says where to take one from', async () => {
    for (const after of noCursors) expect(await subscribe(after)).toContain(json('"after" is not a cursor of an event. Take one from `cursor` of an event').slice(1, -1));
  });

  it.each([1, true, {}, ['x']])('refuses %j by its type', async (after) => {
    expect(await subscribe(after)).toContain('$after');
  });
});
