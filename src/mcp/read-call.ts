import type { JSONRPCRequest } from '@modelcontextprotocol/sdk/types.js';
import type { JsonObject } from '../sdk/json.ts';

export interface CallParams {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** The tool and its arguments, `{}` where there are none; or what is wrong with them. */
export function readCall({ params = {} }: JSONRPCRequest): CallParams | string {
  const { name, arguments: given = {} } = params;
  if (typeof name !== 'string' || name === '') return 'params.name must be the name of a tool.';
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return 'params.arguments must be an object.';
  return { name, arguments: given as JsonObject }; // it came as JSON
}
