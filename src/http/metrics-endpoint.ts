import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Admit } from './admit.ts';
import { networkOf } from './network-of.ts';
import { refuse, type Refusal } from './refusal.ts';

export interface MetricsText {
  readonly contentType: string;
  text(): Promise<string>;
}

/** `/metrics` for Prometheus. Once there are keys it takes one of a VIEWER or an ADMIN, as a bearer token: what goes on is nobody else's business. */
export async function answerMetrics(request: IncomingMessage, response: ServerResponse, { admit, metrics }: { readonly admit: Admit; readonly metrics: MetricsText }): Promise<void> {
  const admission = await admit({ authorization: request.headers.authorization, network: networkOf(request.socket.remoteAddress) });
  if (admission.kind !== 'admitted') { refuse(response, unauthenticated); return; }
  if (!admission.identity.access.roles.some((role) => role === 'VIEWER' || role === 'ADMIN')) { refuse(response, forbidden); return; }
  const text = await metrics.text();
  response.writeHead(200, { 'content-type': metrics.contentType, 'content-length': Buffer.byteLength(text), 'cache-control': 'no-store' });
  response.end(text);
}

const unauthenticated: Refusal = {
  status: 401,
  code: 'UNAUTHENTICATED',
  message: 'Metrics are for a key of a VIEWER or an ADMIN: `Authorization: Bearer <token>`.',
  headers: { 'www-authenticate': 'Bearer realm="countersign"' },
};
const forbidden: Refusal = { status: 403, code: 'FORBIDDEN', message: 'Metrics are for a key of a VIEWER or an ADMIN; yours is of another role.' };
