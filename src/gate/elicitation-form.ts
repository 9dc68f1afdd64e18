import { Ajv, type ErrorObject } from 'ajv';
import type { JsonObject } from '../policy/json.ts';
import type { InputIssue } from './outcome.ts';

/** What is wrong with a form's values: MCP's restricted JSON Schema decides. A schema of `{}` asks for nothing. */
export function contentIssues(requestedSchema: JsonObject, content: JsonObject | null): InputIssue[] {
  if (Object.keys(requestedSchema).length === 0) return [];
  const validate = new Ajv({ allErrors: true, strict: false, formats: { email: true, uri: true, date: true, 'date-time': true } }).compile(requestedSchema);
  return validate(content ?? {}) ? [] : (validate.errors ?? []).map(toIssue);
}

function toIssue({ instancePath, message, keyword, params }: ErrorObject): InputIssue {
  const missing = keyword === 'required' ? [String(params['missingProperty'])] : [];
  return { path: ['content', ...instancePath.split('/').slice(1), ...missing], message: message ?? 'is invalid' };
}
