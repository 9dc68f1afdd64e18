import type { ServerResponse } from 'node:http';

/** Why a request is not even given to GraphQL. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers as GraphQL would: `{ errors: [{ message, extensions: { code } }] }`. */
export function refuse(response: ServerResponse, { status, headers, ...refusal }: Refusal): void {
  const body = refusalBody(refusal);
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body), ...headers });
  response.end(body);
}

export function refusalBody({ code, message }: Pick<Refusal, 'code' | 'message'>): string {
  return JSON.stringify({ errors: [{ message, extensions: { code } }] });
}
