import type { IncomingMessage, RequestOptions } from 'node:http';
import { requestErrorOf, succeeded, valueOf } from '../sdk/answer.ts';
import { MalformedAnswerError, RequestError, UnreachableError, type CountersignError } from '../sdk/errors.ts';
import type { TypedDocumentString } from '../sdk/generated.ts';
import type { Connection } from './connection.ts';

/** The server, as a hook calls it: over Node's own HTTP client, which loads in no time. */
export interface Server {
  /** The value of the operation's only field. Rejects with a `CountersignError`, or with the signal's reason. */
  call<Data extends object, Variables>(document: TypedDocumentString<Data, Variables>, variables: Variables, signal: AbortSignal): Promise<Data[keyof Data]>;
}

/** The server sends a blank after 10 s and then every 15 s while it holds a call: a connection that is silent for longer is dead. */
const silenceMilliseconds = 20_000;

/** The server took the request and said nothing, not even that it holds the call. */
export class SilenceError extends UnreachableError {}

/** The server had the call for a while, and then the connection broke: a person may have been asked. */
export class CutError extends UnreachableError {}

/** Shorter ones may be a proxy that has no server behind it. */
const heldMilliseconds = 1000;

export function openServer({ url, token }: Connection): Server {
  return {
    async call(document, variables, signal) {
      const query = document.toString().trim();
      const field = /\{\s*(\w+)/.exec(query)?.[1] ?? '';
      const body = JSON.stringify({ query, variables });
      const headers = { 'content-type': 'application/json', accept: 'application/json', 'content-length': Buffer.byteLength(body), ...(token === null ? {} : { authorization: `Bearer ${token}` }) };
      const { status, text } = await post(url, { headers, signal }, body);
      const value = valueOf(answerOf(status, text), field);
      return (query.startsWith('mutation') ? succeeded(value) : value) as never; // the contract's own document, so its answer has the contract's shape
    },
  };
}

function answerOf(status: number, text: string): unknown {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    throw refusal(status) ?? new MalformedAnswerError('what came is no answer of a Countersign server. Is the URL right, with /graphql at its end?');
  }
  const errors: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'errors') : null;
  if (status >= 300) throw Array.isArray(errors) && errors.length > 0 ? requestErrorOf(errors, status) : (refusal(status) ?? new MalformedAnswerError(`the HTTP status ${status} is not one that a Countersign server answers with.`));
  return answer;
}

function refusal(status: number): CountersignError | null {
  return status < 400 ? null : new RequestError(`the server answered with HTTP status ${status}.`, { code: `HTTP_${status}` });
}

function post(url: URL, options: RequestOptions, body: string): Promise<{ status: number; text: string }> {
  const { request } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http'); // not by `import`, which reads every export: one of them loads a WebSocket client, which takes longer than all else here
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  let heldSince = Infinity;
  const isHeld = () => performance.now() - heldSince > heldMilliseconds;
  const fail = (error: Error) => reject(options.signal?.aborted ? (options.signal.reason as Error) : unreachable(error, { url, isHeld: isHeld() }));
  const sent = request(url, { ...options, method: 'POST', agent: false }, (response) => {
    textOf(response).then((text) => resolve({ status: response.statusCode ?? 0, text }), fail);
  });
  sent.on('socket', (socket) => socket.once('connect', () => (heldSince = performance.now())));
  sent.setTimeout(silenceMilliseconds, () => sent.destroy(new SilenceError(`nothing came from ${url.host} for ${silenceMilliseconds / 1000} s.`)));
  sent.on('error', fail).end(body);
  return promise;
}

function unreachable(error: Error, { url, isHeld }: { url: URL; isHeld: boolean }): UnreachableError {
  if (error instanceof UnreachableError) return error;
  return new (isHeld ? CutError : UnreachableError)(`${url.host} cannot be reached (${(error as NodeJS.ErrnoException).code ?? error.message}).`, { cause: error });
}

const answerCharsMax = 16_000_000;

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of response.setEncoding('utf8')) {
    text += String(part);
    if (text.trim() === '') text = ''; // blanks of hours
    if (text.length > answerCharsMax) throw new UnreachableError('the answer does not end.');
  }
  return text;
}
