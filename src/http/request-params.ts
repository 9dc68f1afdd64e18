import { GraphQLError } from 'graphql';
import type { GraphQLParams } from 'graphql-yoga';
import { parseJson } from './parse-json.ts';

/** What a POST asks for. Types of the parts are Yoga's to check. Throws a `GraphQLError`. */
export function paramsOfBody(body: string): GraphQLParams {
  const params = readJson(body, 'The body');
  if (Array.isArray(params)) throw badRequest('One operation a request: the body must be an object, not a list.');
  if (typeof params !== 'object' || params === null) throw badRequest('The body must be a JSON object, { "query": "…" }.');
  return params;
}

/** What a GET asks for. Throws a `GraphQLError`. */
export function paramsOfUrl(url: string): GraphQLParams {
  const search = new URLSearchParams(url.slice(url.indexOf('?')).replace(/^[^?].*/s, ''));
  const json = (name: string) => {
    const text = search.get(name);
    return text ? { [name]: readJson(text, `The parameter ${name}`) } : {};
  };
  const text = (name: string) => (search.get(name) ? { [name]: search.get(name) } : {});
  return { ...text('query'), ...text('operationName'), ...json('variables'), ...json('extensions'), ...text('documentId') };
}

function readJson(text: string, what: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw badRequest(`${what} is not valid JSON.`);
  }
}

function badRequest(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_REQUEST', http: { status: 400 } } });
}
