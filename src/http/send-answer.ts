import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A stream is sent part by part. */
  readonly body: string | ReadableStream<Uint8Array>;
}

/** What Yoga answers. */
export async function answerOf(response: Response): Promise<Answer> {
  const { status, headers, body } = response;
  return { status, headers: Object.fromEntries(headers), body: body && isStream(headers.get('content-type') ?? '') ? body : await response.text() };
}

function isStream(type: string): boolean {
  return type.startsWith('text/event-stream') || type.startsWith('multipart/');
}

export async function sendAnswer(response: ServerResponse, answer: Answer, whenStreaming: () => void): Promise<void> {
  if (!response.destroyed) {
    const { status, headers, body } = answer;
    const length = typeof body === 'string' ? { 'content-length': Buffer.byteLength(body) } : { 'x-accel-buffering': 'no' };
    response.writeHead(status, { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', ...headers, ...length });
  }
  await sendBody(response, answer, whenStreaming);
}

/**
 * Sends what follows the headers. Calls `whenStreaming` before the first of a stream's parts, which may be the moment to end it. What the
 * caller is too slow to take waits where it comes from.
 */
export async function sendBody(response: ServerResponse, { body }: Pick<Answer, 'body'>, whenStreaming: () => void): Promise<void> {
  if (typeof body === 'string') {
    response.end(body);
    return;
  }
  const reader = body.getReader();
  const stop = () => void reader.cancel().catch(() => undefined);
  response.once('close', stop);
  if (response.destroyed) stop();
  else whenStreaming();
  for (;;) {
    const { done, value } = await reader.read();
    if (done || isOver(response)) break;
    if (!response.write(value)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
  }
  response.end();
}

/** Ended by a shutdown, or closed by its caller. */
function isOver(response: ServerResponse): boolean {
  return response.writableEnded || response.destroyed;
}
