import type { DecisionSource, EvaluatePolicyMutation, Phase, ResolveElicitationMutation } from './generated.ts';

/** Whatever the SDK throws of its own, but for an `AbortSignal`'s reason and a TypeError about wrong options. */
export abstract class CountersignError extends Error {}

/** No answer came: the server or the way to it is away. The same call may be answered later. */
export class UnreachableError extends CountersignError {
  override readonly name = 'UnreachableError';
}

/** What came is no answer of the contract. Nothing can be told from it, so nothing is permitted. */
export class MalformedAnswerError extends CountersignError {
  override readonly name = 'MalformedAnswerError';
}

/** The client was closed: what was under way is not decided, and not withdrawn either. */
export class ClosedError extends CountersignError {
  override readonly name = 'ClosedError';

  constructor() {
    super('The client was closed.');
  }
}

/** The request as a whole was refused: GraphQL's `errors`, or an HTTP status. */
export class RequestError extends CountersignError {
  override readonly name = 'RequestError';
  /** `extensions.code`, such as `UNAUTHENTICATED` or `BAD_USER_INPUT`; where the answer has none, `HTTP_` and the status. */
  readonly code: string;
  /** When to call again, where the server says so. */
  readonly retryAfterSeconds: number | null;

  constructor(message: string, { code, retryAfterSeconds = null }: { code: string; retryAfterSeconds?: number | null }) {
    super(message);
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** What an operation answers instead of what was asked for: a member of its union whose name ends in `Error`. These two have all of them. */
export type ErrorResult = Extract<EvaluatePolicyMutation['evaluatePolicy'] | ResolveElicitationMutation['resolveElicitation'], { readonly __typename: `${string}Error` }>;

/** The operation was answered with one of its error types: nothing was done. Tell them apart by `result.__typename`; a newer server may have more of them. */
export class RefusedError extends CountersignError {
  override readonly name = 'RefusedError';
  /** The error as the contract has it, with its own fields. */
  readonly result: ErrorResult;

  constructor(result: ErrorResult) {
    super(`${result.__typename}: ${result.message}`);
    this.result = result;
  }
}

export interface Denial {
  readonly phase: Phase;
  /** Why, in words that a model can be given. */
  readonly reason: string;
  readonly decidedBy: DecisionSource | null;
  readonly evaluationId: string | null;
  readonly elicitationId: string | null;
  readonly cause?: unknown;
}

/** The act is not permitted and was not done; in phase TOOL_RESULT, its result is not to be shown. */
export class DeniedError extends CountersignError {
  override readonly name: string = 'DeniedError';
  readonly phase: Phase;
  /** Why, in words that a model can be given: the policy's or the person's, or what went wrong. */
  readonly reason: string;
  /** Who or what said no; null: nobody has decided (`UndecidedError`). */
  readonly decidedBy: DecisionSource | null;
  /** Null: no evaluation is known. */
  readonly evaluationId: string | null;
  /** The request for a decision that a person was shown; null: none is known. */
  readonly elicitationId: string | null;

  constructor({ phase, reason, decidedBy, evaluationId, elicitationId, cause }: Denial) {
    super(reason, cause === undefined ? {} : { cause });
    this.phase = phase;
    this.reason = reason;
    this.decidedBy = decidedBy;
    this.evaluationId = evaluationId;
    this.elicitationId = elicitationId;
  }
}

/** Nobody has said yes: the deadline passed, no server could be reached, its answer made no sense, or the arguments changed. `cause` has more. */
export class UndecidedError extends DeniedError {
  override readonly name = 'UndecidedError';

  constructor(denial: Omit<Denial, 'decidedBy'>) {
    super({ ...denial, decidedBy: null });
  }
}
