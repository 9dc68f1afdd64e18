import { ClientError, GraphQLClient } from 'graphql-request';
import { authorizationOf, type Token } from './authorization.ts';
import { requestErrorOf } from './answer.ts';
import { CountersignError, MalformedAnswerError, RequestError, UnreachableError } from './errors.ts';

export type Fetch = typeof globalThis.fetch;

/** One GraphQL request. Resolves to its answer, `{ data, errors }` of whatever shape. */
export type Send = (request: { readonly query: string; readonly variables: object }, signal: AbortSignal) => Promise<unknown>;

/** The server sends a blank every 15 s while a call is held: a connection that is silent for longer than this is dead. */
const silenceMilliseconds = 45_000;

/**
 * Sends over HTTP. Rejects with an UnreachableError when no whole answer came, a RequestError for a status that says no, a
 * MalformedAnswerError for what is no GraphQL; with what the token's function throws; with a TypeError for variables that are no JSON.
 */
export function createHttp({ url, token, fetch = globalThis.fetch }: { url: string; token: Token | undefined; fetch?: Fetch | undefined }): Send {
  return async ({ query, variables }, signal) => {
    const requestHeaders = await authorizationOf(token);
    const progress = { isAnswered: false };
    const answering: Fetch = async (input, init) => {
      const response = await wholeAnswer(fetch, input, init);
      progress.isAnswered = true;
      return response;
    };
    try {
      return await new GraphQLClient(url, { fetch: answering, errorPolicy: 'all' }).rawRequest({ query, variables, requestHeaders, signal });
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (error instanceof ClientError) throw refusalOf(error);
      if (error instanceof CountersignError || !progress.isAnswered) throw error;
      throw new MalformedAnswerError('The answer is no GraphQL. Is the URL that of a Countersign server, with /graphql at its end?');
    }
  };
}

/** Not the error itself: it quotes the request, with arguments that may hold secrets. */
function refusalOf({ response: { status, errors } }: ClientError): CountersignError {
  if (Array.isArray(errors) && errors.length > 0) return requestErrorOf(errors, status);
  if (status < 300) return new MalformedAnswerError('The answer has neither data nor errors.');
  return new RequestError(`The server answered with HTTP status ${status}.`, { code: `HTTP_${status}` });
}

/** Reads an answer to its end, so that one that is cut or falls silent is known for what it is. */
async function wholeAnswer(fetch: Fetch, input: Parameters<Fetch>[0], init: RequestInit = {}): Promise<Response> {
  const silence = new AbortController();
  const signal = init.signal ? AbortSignal.any([init.signal, silence.signal]) : silence.signal;
  let timer = setTimeout(give, silenceMilliseconds);
  function give() {
    silence.abort();
  }
  const alive = () => {
    clearTimeout(timer);
    timer = setTimeout(give, silenceMilliseconds);
  };
  try {
    const response = await fetch(input, { ...init, signal });
    const text = await textOf(response, alive);
    if (text.trim() === '' && response.ok) throw new UnreachableError('The connection was closed before the answer came.');
    return new Response(text, { status: response.status, headers: { 'content-type': response.headers.get('content-type') ?? '' } });
  } catch (error) {
    if (error instanceof CountersignError || init.signal?.aborted) throw error;
    throw new UnreachableError(silence.signal.aborted ? `Nothing came for ${silenceMilliseconds / 1000} s.` : 'The server cannot be reached.', { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

async function textOf({ body }: Response, alive: () => void): Promise<string> {
  if (!body) return '';
  const decoder = new TextDecoder();
  let text = '';
  const reader = body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    alive();
    text += decoder.decode(part.value, { stream: true });
    if (text.trim() === '') text = ''; // blanks of hours
  }
  return text + decoder.decode();
}
