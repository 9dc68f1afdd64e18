import { DeniedError } from '../sdk/index.ts';

/** Why a call is not to be made, in words for a model. Whatever went wrong, it is not to be made. */
export function reasonOf(error: unknown): string {
  if (error instanceof DeniedError) return error.reason;
  return `Not permitted: ${error instanceof Error ? error.message : String(error)}`;
}
