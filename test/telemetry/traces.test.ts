import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { attachPolicy, bash, expectKind, hold, startSession } from '../support/journey.ts';
import { evaluatePolicy } from '../../src/gate/evaluate-policy.ts';
import { resolveElicitation } from '../../src/gate/resolve-elicitation.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[];
}

let collector: Server;
let server: TestServer;
let spans: Span[];
let bodies: string[];

/** As any OTLP collector takes it. */
beforeEach(async () => {
  spans = [];
  bodies = [];
  collector = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      bodies.push(body);
      for (const { scopeSpans } of JSON.parse(body).resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  server = await startTestServer({ tracesUrl: `http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/traces` });
});

afterEach(async () => {
  await server.remove();
  collector.closeAllConnections();
  collector.close();
});

function attribute(span: Span | undefined, key: string): string | undefined {
  return span?.attributes.find((one) => one.key === key)?.value.stringValue;
}

it('give each evaluation a span, and each of its steps one below', async () => {
  const gate = server.openGate();
  const session = await startSession(gate);
  await attachPolicy(gate, session);
  const { evaluation: allowed } = expectKind(await evaluatePolicy(gate, { sessionId: session.id, event: { toolCall: { name: 'search', arguments: {} } } }), 'evaluated');
  const { elicitation, answer } = await hold(gate, session, bash(session, 'echo zebra'));
  expectKind(await resolveElicitation(server.openGate(), { elicitationId: elicitation.id, action: 'ACCEPT' }), 'resolved');
  await answer;
  await server.close(); // sends what is left

  const roots = spans.filter(({ name }) => name === 'evaluatePolicy');
  expect(roots).toHaveLength(2);
  const [first, second] = roots.toSorted((one, other) => Number(attribute(one, 'countersign.policy_verdict') === 'ASK') - Number(attribute(other, 'countersign.policy_verdict') === 'ASK'));
  expect(attribute(first, 'countersign.evaluation')).toBe(allowed.id);
  expect(attribute(first, 'countersign.decided_by')).toBe('POLICY');
  expect(attribute(second, 'countersign.policy_verdict')).toBe('ASK');
  expect(attribute(second, 'countersign.verdict')).toBe('ALLOW');
  expect(attribute(second, 'countersign.decided_by')).toBe('PERSON');
  const below = (root: Span | undefined) => spans.filter(({ parentSpanId, traceId }) => parentSpanId === root?.spanId && traceId === root?.traceId).map(({ name }) => name);
  expect(below(first)).toEqual(['read', 'judge', 'commit']);
  expect(below(second)).toEqual(['read', 'judge', 'commit', 'wait']);
  expect(bodies.join()).not.toContain('zebra');
});

it('are nobody else’s trouble: a collector that is gone keeps no call from its answer, and no server from stopping', async () => {
  collector.closeAllConnections();
  collector.close();
  const gate = server.openGate();
  const session = await startSession(gate);
  expectKind(await evaluatePolicy(gate, { sessionId: session.id, event: { toolCall: { name: 'search', arguments: {} } } }), 'evaluated');
  await server.close();
});
