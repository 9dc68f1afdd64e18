import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';

export type Body =
  | { readonly kind: 'read'; readonly text: string }
  | { readonly kind: 'tooLarge' }
  | { readonly kind: 'notUtf8' }
  /** The caller went away in the middle. */
  | { readonly kind: 'gone' };

/** Reads the whole body, and never keeps more than `bytesMax` of it. */
export function readBody(request: IncomingMessage, bytesMax: number): Promise<Body> {
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) {
    discard(request);
    return Promise.resolve({ kind: 'tooLarge' });
  }
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let bytes = 0;
    const end = (body: Body) => {
      chunks = [];
      request.off('data', take).off('end', finish).off('close', leave);
      resolve(body);
    };
    const take = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= bytesMax) return chunks.push(chunk);
      end({ kind: 'tooLarge' });
      discard(request);
      return;
    };
    const finish = () => {
      const [only] = chunks;
      const whole = only && chunks.length === 1 ? only : Buffer.concat(chunks, bytes);
      end(isUtf8(whole) ? { kind: 'read', text: whole.toString() } : { kind: 'notUtf8' });
    };
    const leave = () => end({ kind: 'gone' });
    request.on('data', take).on('end', finish).on('close', leave).on('error', leave);
  });
}

/** Long enough for the caller to read why, short enough that nobody can keep us reading. */
const discardMilliseconds = 5000;

/**
 * The rest of the body is read and forgotten: closing on a caller who still sends would reset the connection, and he would not see the
 * answer. One who does not come to an end is cut.
 */
function discard(request: IncomingMessage): void {
  const timer = setTimeout(() => request.destroy(), discardMilliseconds);
  request.once('close', () => clearTimeout(timer));
  request.resume();
}
