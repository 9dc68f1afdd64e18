import { GraphQLError, type GraphQLErrorExtensions, NoSchemaIntrospectionCustomRule, type GraphQLSchema } from 'graphql';
import { createYoga, type Plugin, type YogaServerInstance } from 'graphql-yoga';
import type { OnLimitHit } from '../gate/limit-hit.ts';
import type { RateBucket } from '../graphql/context.ts';
import type { Identity } from './authenticate.ts';
import { boundedCache } from './bounded-cache.ts';
import { documentLimitOf, documentLimits, type DocumentLimits } from './document-limits.ts';
import { answersWithResult } from './execute-known.ts';
import { KnownDocuments } from './known-documents.ts';
import { limitSubscriptions } from './limit-subscriptions.ts';
import { limitOperations } from './limit-operations.ts';
import type { OperationContext } from './operation.ts';
import { openPipelines, type Pipelines } from './pipelines.ts';
import type { Rates } from './rates.ts';
import { asRequestError } from './request-error.ts';
import { shortened } from './shortened.ts';
import type { Turnstile } from './turnstile.ts';
import { refuseUnstreamable } from './unstreamable.ts';

export interface YogaParts {
  readonly schema: GraphQLSchema;
  /** The context of one operation. */
  readonly contextOf: (caller: Identity & { readonly signal: AbortSignal; readonly rate: (bucket: RateBucket) => Promise<number>; readonly turn: () => Promise<void> }) => object;
  readonly maskError: (error: unknown) => Error;
  readonly introspection: boolean;
  readonly limits: DocumentLimits & { readonly documentTokens: number; readonly documentComplexity: number; readonly subscriptionsPerCredential: number };
  readonly rates: Rates;
  readonly turnstile: Turnstile;
  readonly onLimitHit: OnLimitHit;
}

export type Yoga = YogaServerInstance<OperationContext, object>;

/** The pipeline of every operation, from HTTP and WebSockets alike: parse, validate, execute, mask. The transports are not Yoga's here. */
export function openYoga({ schema, contextOf, maskError, introspection, limits, rates, turnstile, onLimitHit }: YogaParts): { readonly yoga: Yoga; readonly pipelines: Pipelines } {
  const known = new KnownDocuments();
  const contextFor = ({ operation }: OperationContext) => {
    const { identity, signal } = operation;
    const rate = (bucket: RateBucket) => {
      operation.isCounted = true;
      return rates.take(identity, bucket);
    };
    return contextOf({ ...identity, signal, rate, turn: () => turnstile.pass(identity.credential) });
  };
  const yoga = createYoga<OperationContext, object>({
    schema,
    context: contextFor,
    maskedErrors: { maskError },
    plugins: [
      readParams,
      known.plugin,
      answersWithResult,
      limitDocument({ limits, introspection, onLimitHit }),
      refuseUnstreamable,
      limitSubscriptions(limits.subscriptionsPerCredential, onLimitHit),
      limitOperations({ complexityMax: limits.documentComplexity, rates, onLimitHit }),
      nameRequestErrors, // before errors are masked, which would take its messages away
    ],
    parserAndValidationCache: { documentCache: known.parsed, errorCache: boundedCache<Error>() },
    logging: { debug: ignore, info: ignore, warn: ignore, error: ignore }, // what fails is logged where it is masked
    // All of this is ours: see graphql-endpoint.ts.
    batching: false,
    cors: false,
    graphiql: false,
    healthCheckEndpoint: '\n', // Yoga looks how the URL ends; no URL ends so
    landingPage: false,
    maxRequestBodySize: false,
    multipart: false,
  });
  return { yoga, pipelines: openPipelines(yoga, { known, contextOf: contextFor }) };
}

/** The body is read already, with its size counted. */
const readParams: Plugin<object, OperationContext> = {
  onRequestParse({ serverContext, setRequestParser }) {
    const { readParams: read } = serverContext.operation;
    if (read) setRequestParser(read);
  },
};

function limitDocument({ limits: { documentTokens, documentDepth, documentAliases }, introspection, onLimitHit }: Pick<YogaParts, 'limits' | 'introspection' | 'onLimitHit'>): Plugin<OperationContext> {
  const rule = documentLimits({ documentDepth, documentAliases });
  return {
    onParse({ parseFn, setParseFn }) {
      setParseFn((source, options) => parseWithin(() => parseFn(source, { ...options, maxTokens: documentTokens }) as unknown));
    },
    onValidate({ addValidationRule, validateFn, setValidationFn, context }) {
      setValidationFn((...args) => (validateFn(...args) as readonly GraphQLError[]).map(withShortMessage));
      addValidationRule(rule);
      if (!introspection) addValidationRule(NoSchemaIntrospectionCustomRule);
      return ({ result }) => {
        for (const { extensions } of result) {
          const limit = documentLimitOf((extensions as { code?: unknown }).code);
          if (limit !== null) onLimitHit({ limit, principal: context.operation.identity.principal });
        }
      };
    },
  };
}

/** Thousands of brackets are more than the parser's stack takes. */
function parseWithin(parse: () => unknown): unknown {
  try {
    return parse();
  } catch (error) {
    if (error instanceof RangeError) throw new GraphQLError('The document nests too deep to be read.', { extensions: parseErrorExtensions('DOCUMENT_TOO_DEEP') });
    throw error instanceof GraphQLError ? asParseError(error) : error;
  }
}

/** With its code and status from the start: Yoga gives them to what comes over HTTP only, and the error is kept for whoever sends the same. */
function asParseError({ message, nodes, source, positions }: GraphQLError): GraphQLError {
  return new GraphQLError(shortened(message), { nodes: nodes ?? null, source: source ?? null, positions: positions ?? null, extensions: parseErrorExtensions('GRAPHQL_PARSE_FAILED') });
}

function parseErrorExtensions(code: string): GraphQLErrorExtensions {
  return { code, http: { spec: true, status: 400 } };
}

function withShortMessage(error: GraphQLError): GraphQLError {
  error.message = shortened(error.message);
  return error;
}

const nameRequestErrors: Plugin = {
  onExecute: () => ({
    onExecuteDone({ result, setResult }) {
      if (!(Symbol.asyncIterator in result)) setResult(asRequestError(result));
    },
  }),
  onSubscribe: () => ({
    onSubscribeResult({ result, setResult }) {
      if (!(Symbol.asyncIterator in result)) setResult(asRequestError(result));
    },
  }),
};

function ignore(): void {}
