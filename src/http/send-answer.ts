import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/** Sends all of what Yoga answers. */
export async function sendAnswer(response: ServerResponse, answer: Response, whenStreaming: () => void): Promise<void> {
  if (!response.destroyed) {
    const headers: Record<string, string> = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
    answer.headers.forEach((value, name) => {
      headers[name] = value;
    });
    if (isStream(answer)) headers['x-accel-buffering'] = 'no';
    response.writeHead(answer.status, headers);
  }
  await sendBody(response, answer, whenStreaming);
}

/**
 * Sends what follows the headers. Calls `whenStreaming` before the first of a stream's parts, which may be the moment to end it. What the
 * caller is too slow to take waits where it comes from.
 */
export async function sendBody(response: ServerResponse, answer: Response, whenStreaming: () => void): Promise<void> {
  if (!isStream(answer)) {
    response.end(await answer.text());
    return;
  }
  const reader = answer.body?.getReader();
  if (!reader) {
    response.end();
    return;
  }
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

function isStream(answer: Response): boolean {
  const type = answer.headers.get('content-type') ?? '';
  return type.startsWith('text/event-stream') || type.startsWith('multipart/');
}
