import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Topic } from '../../src/gate/events.ts';
import { eventually } from '../support/journey.ts';
import { openApi, type Api, type Wire } from './api.ts';
import { createPolicy, createSession, evaluate, resolve, startSession } from './journey.ts';

let api: Api;
let agentId: string;
let sessionId: string;
let childId: string;

beforeEach(async () => {
  api = await openApi();
  ({ agentId, sessionId } = await startSession(api, { title: 'first title' }));
  childId = (await createSession(api, { agentId, parentId: sessionId })).id;
  await createPolicy(api, { target: { agentId } });
});

afterEach(() => api.close());

const requested = 'subscription ($id: ID, $all: Boolean) { elicitationRequested(sessionId: $id, includeDescendants: $all) { id status session { id title pendingElicitationCount } } }';

async function next(stream: AsyncGenerator<Wire>): Promise<Wire> {
  const { value, done } = await stream.next();
  if (done || value.errors) throw new Error(`The stream gave ${JSON.stringify({ value, done })}.`);
  return Object.values(JSON.parse(JSON.stringify(value.data)))[0];
}

async function raise(session = sessionId, command = 'ls'): Promise<string> {
  return (await evaluate(api, session, { command })).elicitation.id;
}

describe('elicitationRequested', () => {
  it('gives what is pending first, then each new one, from the moment it was subscribed to', async () => {
    const before = await raise();
    const stream = await api.subscribe(requested);
    const during = await raise(); // nobody has asked for the first value yet
    expect(await next(stream)).toMatchObject({ id: before, status: 'PENDING' });
    expect(await next(stream)).toMatchObject({ id: during, session: { id: sessionId } });
    const waiting = next(stream);
    const after = await raise(childId);
    expect(await waiting).toMatchObject({ id: after, session: { id: childId } });
    await stream.return(undefined);
  });

  it('keeps to a session and its descendants, or to the session alone', async () => {
    const other = (await createSession(api, { agentId })).id;
    const both = await api.subscribe(requested, { id: sessionId });
    const alone = await api.subscribe(requested, { id: sessionId, all: false });
    await raise(other);
    const below = await raise(childId);
    const own = await raise();
    expect([(await next(both)).id, (await next(both)).id]).toEqual([below, own]);
    expect((await next(alone)).id).toBe(own);
    await both.return(undefined);
    await alone.return(undefined);
  });

  it('reads each event anew: nothing of the one before is remembered', async () => {
    const stream = await api.subscribe(requested);
    await raise();
    expect((await next(stream)).session).toEqual({ id: sessionId, title: 'first title', pendingElicitationCount: 1 });
    await api.ask('mutation ($id: ID!) { updateSession(input: { sessionId: $id, title: "second title" }) { __typename } }', { id: sessionId });
    await raise();
    expect((await next(stream)).session).toEqual({ id: sessionId, title: 'second title', pendingElicitationCount: 2 });
    await stream.return(undefined);
  });

  it('reads each of those pending anew, too, when it is asked for', async () => {
    await raise();
    await raise();
    const stream = await api.subscribe(requested);
    expect((await next(stream)).session.title).toBe('first title');
    await api.ask('mutation ($id: ID!) { updateSession(input: { sessionId: $id, title: "second title" }) { __typename } }', { id: sessionId });
    expect((await next(stream)).session.title).toBe('second title');
    await stream.return(undefined);
  });

  it('refuses an unknown session before anything is streamed', async () => {
    for (const id of ['ses_x', 'ses_01m8qvj5jjf249tsfe85w2zk7r', '']) {
      const refused = await api.subscribe(requested, { id }).catch((error: unknown) => error as AggregateError);
      expect(refused).toMatchObject({ errors: [{ message: expect.stringContaining('There is no session'), path: ['elicitationRequested'], extensions: { code: 'NOT_FOUND' } }] });
    }
  });

  it('ends at once when the client stops, also while it waits, and leaves nothing behind', async () => {
    const live = countListeners(api);
    const stream = await api.subscribe(requested);
    const waiting = stream.next();
    expect(live()).toBe(1);
    await stream.return(undefined);
    expect(await waiting).toMatchObject({ done: true });
    await eventually(() => live() === 0);
  });

  it('ends when the caller has gone', async () => {
    const caller = new AbortController();
    const stream = await api.subscribe(requested, {}, { signal: caller.signal });
    const waiting = stream.next();
    caller.abort();
    expect(await waiting).toMatchObject({ done: true });
  });
});

describe('elicitationResolved', () => {
  it('gives each one that is resolved or expires, as it then is', async () => {
    const ids = [await raise(), await raise(), await raise(childId)];
    const stream = await api.subscribe('subscription ($id: ID) { elicitationResolved(sessionId: $id) { id status resolution { action comment by { name } } evaluations { verdict decidedBy } } }', { id: sessionId });
    await resolve(api, { elicitationId: ids[1] ?? '', action: 'ACCEPT' });
    await resolve(api, { elicitationId: ids[2] ?? '', action: 'DECLINE', comment: 'not now' });
    expect(await next(stream)).toEqual({ id: ids[1], status: 'ACCEPTED', resolution: { action: 'ACCEPT', comment: null, by: { name: 'Local user' } }, evaluations: [{ verdict: 'ALLOW', decidedBy: 'PERSON' }] });
    expect(await next(stream)).toMatchObject({ id: ids[2], status: 'DECLINED', resolution: { comment: 'not now' }, evaluations: [{ verdict: 'DENY' }] });
    await api.pass(86_401);
    expect(await next(stream)).toMatchObject({ id: ids[0], status: 'EXPIRED', resolution: null, evaluations: [{ verdict: 'DENY', decidedBy: 'EXPIRY' }] });
    await stream.return(undefined);
  });
});

/** How many subscriptions to events are live. */
function countListeners({ events }: Api): () => number {
  let live = 0;
  const subscribe = events.subscribe.bind(events);
  Object.assign(events, {
    subscribe: async (topic: Topic, signal: AbortSignal) => {
      const happenings = await subscribe(topic, signal);
      live += 1;
      signal.addEventListener('abort', () => (live -= 1), { once: true });
      return happenings;
    },
  });
  return () => live;
}
