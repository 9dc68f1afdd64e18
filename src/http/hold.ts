import type { ServerResponse } from 'node:http';
import type { MediaType } from './accept.ts';
import { sendAnswer, sendBody, type Answer } from './send-answer.ts';

export interface HoldTimes {
  /** An answer that is not there by then is preceded by status and headers. */
  readonly headersAfterSeconds: number;
  /** Then a blank is sent this often. */
  readonly blankEverySeconds: number;
}

export interface Held {
  readonly times: HoldTimes;
  /** The form that the answer will have; asked when the hold begins. */
  readonly mediaType: () => MediaType;
  /** Called when the answer turns out to be a stream, before its first part. */
  readonly whenStreaming: () => void;
}

/**
 * Sends the answer when it is there, however long that takes. Clients give up on a response without headers (Node's fetch after 300 s),
 * proxies on a connection without bytes (often after 60 s); so a late answer gets its status and headers early, then a blank from time
 * to time, which JSON allows before a text. The price: its status is 200 whatever it turns out to be; its errors say what it is.
 */
export async function sendHeld(response: ServerResponse, answer: Promise<Answer>, { times, mediaType, whenStreaming }: Held): Promise<void> {
  let stopHolding: (() => void) | null = null;
  const timer = setTimeout(() => {
    if (response.destroyed) return;
    stopHolding = hold(response, mediaType(), times.blankEverySeconds);
  }, times.headersAfterSeconds * 1000);
  const stop = () => {
    clearTimeout(timer);
    stopHolding?.();
  };
  response.once('close', stop);
  const arrived = await answer.finally(stop);
  response.off('close', stop);
  await (response.headersSent ? sendBody : sendAnswer)(response, arrived, whenStreaming);
}

function hold(response: ServerResponse, mediaType: MediaType, blankEverySeconds: number): () => void {
  const isEventStream = mediaType === 'text/event-stream';
  response.writeHead(200, {
    'content-type': isEventStream ? mediaType : `${mediaType}; charset=utf-8`,
    'cache-control': 'no-store',
    'x-accel-buffering': 'no', // nginx would keep the blanks to itself
    'x-content-type-options': 'nosniff',
  });
  response.flushHeaders();
  const filler = isEventStream ? ':\n\n' : ' ';
  const timer = setInterval(() => response.write(filler), blankEverySeconds * 1000);
  return () => clearInterval(timer);
}
