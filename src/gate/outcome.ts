import type { Elicitation } from '../entities/elicitation.entity.ts';
import type { Evaluation } from '../entities/evaluation.entity.ts';
import type { ParamsIssue } from '../policy/handler.ts';

/** One thing wrong with an input: where (`['event', 'toolCall', 'name']`), and what would be right. */
export type InputIssue = ParamsIssue;

/** The expected failures. Each `kind` is the name of its GraphQL type without `Error`, in camel case. */
export interface InvalidInput {
  readonly kind: 'invalidInput';
  readonly message: string;
  readonly issues: readonly InputIssue[];
}
export interface NotFound {
  readonly kind: 'notFound';
  readonly message: string;
  readonly id: string;
}
export interface Conflict {
  readonly kind: 'conflict';
  readonly message: string;
}
export interface Forbidden {
  readonly kind: 'forbidden';
  readonly message: string;
}
export interface AlreadyResolved {
  readonly kind: 'alreadyResolved';
  readonly message: string;
  /** The winner's. */
  readonly elicitation: Elicitation;
}
export interface StaleElicitation {
  readonly kind: 'staleElicitation';
  readonly message: string;
  readonly elicitation: Elicitation;
}
export interface IdempotencyKeyReused {
  readonly kind: 'idempotencyKeyReused';
  readonly message: string;
  /** The one that the key stands for. */
  readonly evaluation: Evaluation;
}
export interface EditRefused {
  readonly kind: 'editRefused';
  readonly message: string;
  readonly issues: readonly InputIssue[];
  /** The policy that objects to the edit; null where the edit itself is malformed. */
  readonly policy: string | null;
}
export interface TooManyPending {
  readonly kind: 'tooManyPending';
  readonly message: string;
  readonly limit: number;
}

export interface RateLimited {
  readonly kind: 'rateLimited';
  readonly message: string;
  readonly retryAfterSeconds: number;
}

export type Failure =
  | InvalidInput
  | NotFound
  | Conflict
  | Forbidden
  | AlreadyResolved
  | StaleElicitation
  | IdempotencyKeyReused
  | EditRefused
  | TooManyPending
  | RateLimited;

export function invalidInput(issues: readonly InputIssue[]): InvalidInput {
  const [first] = issues;
  const message = first ? `Invalid input: ${describe(first)}${issues.length > 1 ? ` (and ${issues.length - 1} more)` : ''}` : 'Invalid input.';
  return { kind: 'invalidInput', message, issues };
}

export function notFound(noun: string, id: string): NotFound {
  return { kind: 'notFound', message: `There is no ${noun} ${JSON.stringify(id.slice(0, 64))}.`, id };
}

export function conflict(message: string): Conflict {
  return { kind: 'conflict', message };
}

export function tooManyPending(limit: number, whose: 'server' | 'caller'): TooManyPending {
  const who = whose === 'caller' ? `${limit} of your calls wait` : `${limit} calls wait`;
  return { kind: 'tooManyPending', message: `${who} for a decision already, which is the limit: try again when some are decided.`, limit };
}

export function rateLimited(retryAfterSeconds: number): RateLimited {
  return { kind: 'rateLimited', message: `Too many calls with this credential: try again in ${retryAfterSeconds} s.`, retryAfterSeconds };
}

function describe({ path, message }: InputIssue): string {
  return path.length > 0 ? `${path.join('.')}: ${message}` : message;
}
