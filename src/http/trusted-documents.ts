import { GraphQLError } from 'graphql';

/** What an operation is asked for by, on whatever transport. */
export interface DocumentRequest {
  readonly query?: unknown;
  readonly extensions?: unknown;
  readonly documentId?: unknown;
}

/** The documents that a server takes: SHA-256 in hexadecimal → text. */
export type TrustedDocuments = ReadonlyMap<string, string>;

/**
 * The request with the text that it stands for: its own, or the one whose hash it has, as `extensions.persistedQuery.sha256Hash` or as
 * `documentId`. An error: the document is none of those that are trusted.
 */
export function toTrusted<Params extends DocumentRequest>(params: Params, trusted: TrustedDocuments): (Params & { query: string }) | GraphQLError {
  const { documentId, ...rest } = params;
  const { query } = params;
  if (typeof query === 'string' && query !== '') return textsOf(trusted).has(query) ? { ...(rest as Params), query } : notTrusted;
  const hash = documentId ?? hashIn(params.extensions);
  if (typeof hash !== 'string') return notTrusted;
  const known = trusted.get(hash.replace(/^sha256:/, ''));
  return known === undefined ? notKnown : { ...(rest as Params), query: known };
}

const texts = new WeakMap<TrustedDocuments, ReadonlySet<string>>();

function textsOf(trusted: TrustedDocuments): ReadonlySet<string> {
  const known = texts.get(trusted) ?? new Set(trusted.values());
  texts.set(trusted, known);
  return known;
}

function hashIn(extensions: unknown): unknown {
  const { persistedQuery } = (extensions ?? {}) as { persistedQuery?: { sha256Hash?: unknown } | null };
  return persistedQuery?.sha256Hash;
}

const notTrusted = refusal('PERSISTED_QUERY_ONLY', 'This server takes only the documents that it has been given. Send one of them, letter by letter, or its SHA-256.');
const notKnown = refusal('PERSISTED_QUERY_NOT_FOUND', 'No document that this server has been given has this SHA-256.');

function refusal(code: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http: { status: 400 } } });
}
