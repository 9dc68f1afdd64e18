import { MalformedAnswerError, RefusedError, RequestError, type ErrorResult } from './errors.ts';

/** The value of an operation's one field, out of a GraphQL answer. Throws a RequestError for its `errors`, a MalformedAnswerError for what is no answer. */
export function valueOf(answer: unknown, field: string): unknown {
  if (!isObject(answer)) throw new MalformedAnswerError('The answer is no JSON object.');
  const { data, errors } = answer;
  if (Array.isArray(errors) && errors.length > 0) throw requestErrorOf(errors);
  if (errors !== undefined && !Array.isArray(errors)) throw new MalformedAnswerError('The answer has `errors` that are no list.');
  if (!isObject(data) || !Object.hasOwn(data, field)) throw new MalformedAnswerError(`The answer has no \`data.${field}\`.`);
  return data[field];
}

/** The success member of a union, whose name is known. Throws a RefusedError for an error member. */
export function succeeded(value: unknown): unknown {
  if (!isObject(value) || typeof value['__typename'] !== 'string') throw new MalformedAnswerError('The answer does not say of what type it is.');
  if (isErrorResult(value)) throw new RefusedError(value);
  return value;
}

/** What GraphQL's `errors` say: the first one counts. */
export function requestErrorOf(errors: readonly unknown[], status?: number): RequestError {
  const [first] = errors;
  const { message, extensions } = isObject(first) ? first : {};
  const { code, retryAfterSeconds } = isObject(extensions) ? extensions : {};
  return new RequestError(typeof message === 'string' ? message : 'The request was refused without a reason.', {
    code: typeof code === 'string' ? code : status === undefined ? 'UNKNOWN' : `HTTP_${status}`,
    retryAfterSeconds: typeof retryAfterSeconds === 'number' ? retryAfterSeconds : null,
  });
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isErrorResult(value: Record<string, unknown>): value is Record<string, unknown> & ErrorResult {
  return typeof value['__typename'] === 'string' && value['__typename'].endsWith('Error') && typeof value['message'] === 'string';
}
