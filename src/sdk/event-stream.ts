import { requestErrorOf, isObject } from './answer.ts';
import { authorizationOf, type Token } from './authorization.ts';
import { MalformedAnswerError, RequestError, UnreachableError } from './errors.ts';
import type { Fetch } from './http.ts';

interface Source {
  readonly url: string;
  readonly token: Token | undefined;
  readonly fetch?: Fetch | undefined;
  readonly signal: AbortSignal;
}

/** The server sends a comment every 12 s at least: a stream that is silent for longer than this is dead. */
const silenceMilliseconds = 45_000;

/** A subscription over HTTP, as server-sent events: each answer, until `complete`. Ends when it is aborted; throws an UnreachableError when it breaks off. */
export async function* readEventStream(request: { query: string; variables: object }, { url, token, fetch = globalThis.fetch, signal }: Source): AsyncGenerator {
  const silence = new AbortController();
  let timer = setTimeout(give, silenceMilliseconds);
  function give() {
    silence.abort();
  }
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...(await authorizationOf(token)), 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify(request),
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (!response.body || !(response.headers.get('content-type') ?? '').startsWith('text/event-stream')) throw await refusalOf(response);
    const decoder = new TextDecoder();
    const reader = response.body.getReader();
    let text = '';
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      clearTimeout(timer);
      timer = setTimeout(give, silenceMilliseconds);
      const blocks = (text + decoder.decode(part.value, { stream: true })).split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = eventIn(block);
        if (event?.name === 'complete') return;
        if (event?.name === 'next') yield parse(event.data);
      }
    }
    throw new UnreachableError('The stream broke off.');
  } catch (error) {
    if (signal.aborted) return;
    if (error instanceof RequestError || error instanceof MalformedAnswerError || error instanceof UnreachableError) throw error;
    throw new UnreachableError('The server cannot be reached.', { cause: error });
  } finally {
    clearTimeout(timer);
    silence.abort(); // whoever stops reading wants no more of it
  }
}

function eventIn(block: string): { name: string; data: string } | null {
  const field = (name: string) =>
    block
      .split('\n')
      .filter((line) => line.startsWith(`${name}:`))
      .map((line) => line.slice(name.length + 1).trimStart())
      .join('\n');
  const name = field('event');
  return name === '' ? null : { name, data: field('data') };
}

async function refusalOf(response: Response): Promise<RequestError | MalformedAnswerError> {
  const answer = parse(await response.text(), null);
  if (isObject(answer) && Array.isArray(answer['errors'])) return requestErrorOf(answer['errors'], response.status);
  if (!response.ok) return new RequestError(`The server answered with HTTP status ${response.status}.`, { code: `HTTP_${response.status}` });
  return new MalformedAnswerError('The answer is no stream of events.');
}

function parse(text: string, otherwise?: null): unknown {
  try {
    return JSON.parse(text);
  } catch {
    if (otherwise === null) return null;
    throw new MalformedAnswerError('An event of the stream is no JSON.');
  }
}
