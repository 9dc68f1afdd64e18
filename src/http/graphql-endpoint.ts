import type { IncomingMessage, ServerResponse } from 'node:http';
import { GraphQLError, type ExecutionResult } from 'graphql';
import type { GraphQLParams } from 'graphql-yoga';
import type { OnLimitHit } from '../gate/limit-hit.ts';
import { acceptable, type Acceptable, type MediaType } from './accept.ts';
import type { Admit } from './admit.ts';
import type { Identity } from './authenticate.ts';
import { executeKnown } from './execute-known.ts';
import { sendHeld, type HoldTimes } from './hold.ts';
import { networkOf } from './network-of.ts';
import type { Operation } from './operation.ts';
import type { Pipelines } from './pipelines.ts';
import { readBody } from './read-body.ts';
import type { Rates } from './rates.ts';
import { refuse, type Refusal } from './refusal.ts';
import { paramsOfBody, paramsOfUrl } from './request-params.ts';
import { answerOf, type Answer } from './send-answer.ts';
import { toTrusted, type TrustedDocuments } from './trusted-documents.ts';
import type { Turnstile } from './turnstile.ts';
import type { Yoga } from './yoga.ts';

export interface EndpointParts {
  readonly yoga: Yoga;
  readonly pipelines: Pipelines;
  readonly admit: Admit;
  /** Null: any document is taken. */
  readonly trusted: TrustedDocuments | null;
  readonly onLimitHit: OnLimitHit;
  readonly maskError: (error: unknown) => GraphQLError;
  readonly turnstile: Turnstile;
  readonly rates: Rates;
  readonly bodyBytesMax: number;
  readonly times: HoldTimes;
  /** Told of each response that goes on until somebody ends it. */
  readonly onStream: (response: ServerResponse) => void;
}

/** Answers one HTTP request for GraphQL. Resolves when the answer is sent or the caller has gone. */
export async function answerGraphQL(request: IncomingMessage, response: ServerResponse, parts: EndpointParts): Promise<void> {
  const { times, onStream } = parts;
  const gone = new AbortController();
  let isStreaming = false;
  response.once('close', () => {
    if (isStreaming || !response.writableFinished) gone.abort();
  });
  const asked = await readRequest(request, parts);
  switch (asked.kind) {
    case 'refused':
      refuse(response, asked.refusal);
      return;
    case 'gone':
      return;
    case 'asked':
      break;
    default:
      asked satisfies never;
  }
  const { identity, accepts, mediaType } = asked;
  await parts.turnstile.pass(identity.credential);
  const readParams = keepOutcome(() => readTrusted(asked, parts));
  const operation: Call['operation'] = { identity, signal: gone.signal, readParams, takesStream: accepts.stream, isSubscription: false, isCounted: false };
  await sendHeld(response, answerTo({ request, operation, mediaType }, parts), {
    times,
    mediaType: () => (operation.isSubscription ? 'text/event-stream' : mediaType),
    whenStreaming() {
      isStreaming = true;
      onStream(response);
    },
  });
}

interface Call {
  readonly request: IncomingMessage;
  readonly operation: Operation & { readonly readParams: () => GraphQLParams };
  readonly mediaType: MediaType;
}

async function answerTo({ request: { method = 'GET', headers }, operation, mediaType }: Call, { yoga, pipelines, maskError, rates }: EndpointParts): Promise<Answer> {
  const result = method === 'POST' && mediaType !== 'text/event-stream' ? await executeIfKnown(pipelines, operation, maskError) : null;
  if (result && isPlain(result)) return { status: 200, headers: { 'content-type': `${mediaType}; charset=utf-8` }, body: JSON.stringify({ data: result.data }) };
  // The URL was for us; Yoga only looks whether it is that of GraphQL.
  const yogaRequest = new yoga.fetchAPI.Request('http://countersign/graphql', { method, headers: headers as Record<string, string>, signal: operation.signal });
  const response = await yoga.handleRequest(yogaRequest, { operation: result ? { ...operation, result } : operation });
  if (!operation.isCounted) void rates.take(operation.identity, 'calls');
  return answerOf(response);
}

async function executeIfKnown(pipelines: Pipelines, operation: Call['operation'], maskError: EndpointParts['maskError']): Promise<ExecutionResult | null> {
  let params: GraphQLParams;
  try {
    params = operation.readParams();
  } catch {
    return null; // Yoga comes to the same, and says it
  }
  try {
    return await executeKnown(pipelines, operation, params);
  } catch (error) {
    return { errors: [maskError(error)] };
  }
}

function isPlain({ data, errors, extensions }: ExecutionResult): boolean {
  return data !== undefined && !errors && !extensions;
}

/** The same each time, also what is thrown: it may have been counted against the caller. */
function keepOutcome<Value>(read: () => Value): () => Value {
  let outcome: (() => Value) | null = null;
  return () => {
    if (outcome) return outcome();
    try {
      const value = read();
      outcome = () => value;
    } catch (error) {
      outcome = () => {
        throw error;
      };
    }
    return outcome();
  };
}

/** Throws a `GraphQLError`. */
function readTrusted({ identity, readParams }: Extract<Asked, { kind: 'asked' }>, { trusted, onLimitHit }: EndpointParts): GraphQLParams {
  const params = readParams();
  if (!trusted) return params;
  const request = toTrusted(params, trusted);
  if (!(request instanceof GraphQLError)) return request;
  onLimitHit({ limit: 'trustedDocuments', principal: identity.principal });
  throw request;
}

type Asked =
  | { readonly kind: 'asked'; readonly identity: Identity; readonly accepts: Acceptable; readonly mediaType: MediaType; readonly readParams: () => GraphQLParams }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'gone' };

async function readRequest(request: IncomingMessage, { admit, onLimitHit, bodyBytesMax }: EndpointParts): Promise<Asked> {
  const admission = await admit({ authorization: request.headers.authorization, network: networkOf(request.socket.remoteAddress) });
  if (admission.kind !== 'admitted') return refused(admission.kind === 'unknown' ? unauthenticated : tooManyFailures(admission.retryAfterSeconds));
  const { identity } = admission;
  const accepts = acceptable(request.headers.accept);
  const { result: mediaType } = accepts;
  if (!mediaType) return refused(notAcceptable);
  if (request.method === 'GET') return { kind: 'asked', identity, accepts, mediaType, readParams: () => paramsOfUrl(request.url ?? '') };
  if (request.method !== 'POST') return refused(wrongMethod);
  if (!isJson(request)) return refused(notJson);
  const body = await readBody(request, bodyBytesMax);
  switch (body.kind) {
    case 'read':
      return { kind: 'asked', identity, accepts, mediaType, readParams: () => paramsOfBody(body.text) };
    case 'tooLarge':
      onLimitHit({ limit: 'limits.bodyBytes', principal: identity.principal });
      return refused({ status: 413, code: 'PAYLOAD_TOO_LARGE', message: `The body is larger than ${bodyBytesMax} bytes, which is the limit.` });
    case 'notUtf8':
      return refused({ status: 400, code: 'BAD_REQUEST', message: 'The body is not UTF-8.' });
    case 'gone':
      return body;
    default:
      return body satisfies never;
  }
}

function refused(refusal: Refusal): Asked {
  return { kind: 'refused', refusal };
}

/** Only JSON: a web page can send any other form to any server without asking it first. */
function isJson({ headers }: IncomingMessage): boolean {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().replace(/[\s"]/g, '').split(';');
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  return type === 'application/json' && (charset === undefined || charset === 'charset=utf-8') && (headers['content-encoding'] ?? 'identity') === 'identity';
}

function tooManyFailures(seconds: number): Refusal {
  const message = `Too many wrong credentials came from your address: try again in ${seconds} s. Yours was not looked at.`;
  return { status: 429, code: 'TOO_MANY_FAILED_LOGINS', message, headers: { 'retry-after': String(seconds) } };
}

const unauthenticated: Refusal = { status: 401, code: 'UNAUTHENTICATED', message: 'Who are you? Send a key that counts: `Authorization: Bearer <token>`.', headers: { 'www-authenticate': 'Bearer realm="countersign"' } };
const notAcceptable: Refusal = { status: 406, code: 'NOT_ACCEPTABLE', message: 'Accept application/graphql-response+json, application/json, or text/event-stream for subscriptions.' };
const notJson: Refusal = { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE', message: 'Send the operation as content-type application/json, in UTF-8, not compressed.' };
const wrongMethod: Refusal = { status: 405, code: 'METHOD_NOT_ALLOWED', message: 'GraphQL is asked by POST, or by GET for queries.', headers: { allow: 'GET, POST' } };
