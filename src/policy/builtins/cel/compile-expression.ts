import type { CelError, CelInput, CelResult } from '@bufbuild/cel';
import { celLibrary, type CelLibrary } from './cel-library.ts';
import { instrumentExpression, type Expression } from './instrument-expression.ts';
import { meteredFunctions } from './metered-functions.ts';
import { faultOfPattern } from './patterns.ts';
import { scanSource } from './scan-source.ts';
import { placeOf, SourceFault } from './source-fault.ts';
import { OutOfSteps, StepBudget } from './step-budget.ts';

export const expressionCharsMax = 10_000;

export type CompiledExpression =
  | { readonly kind: 'compiled'; readonly run: (event: CelInput) => ExpressionOutcome }
  /** With line and column, where one place is at fault. */
  | { readonly kind: 'refused'; readonly message: string };

export type ExpressionOutcome =
  | { readonly kind: 'value'; readonly value: Exclude<CelResult, CelError> }
  /** In words for the expression's author, without anything that the event holds. */
  | { readonly kind: 'failed'; readonly message: string };

/** An expression that is ready to be run again and again, bounded, or why it can never run. */
export function compileExpression(source: string): CompiledExpression {
  const known = compiled.get(source);
  if (known) return known;
  const fresh = compiledAnew(source);
  if (compiled.size >= compiledMax) compiled.clear();
  compiled.set(source, fresh);
  return fresh;
}

/**
 * Each session's policies are built anew, and parsing takes a thousand times as long as judging. What is compiled has no memory of
 * what it judged, so that policies with the same expression can share it.
 */
const compiled = new Map<string, CompiledExpression>();

const compiledMax = 1000;

function compiledAnew(source: string): CompiledExpression {
  if (source.length > expressionCharsMax) return { kind: 'refused', message: `Must have at most ${expressionCharsMax.toLocaleString('en')} characters.` };
  try {
    return { kind: 'compiled', run: runnable(source, celLibrary()) };
  } catch (error) {
    if (error instanceof SourceFault) return { kind: 'refused', message: `${placeOf(source, error.offset)}: ${error.message}` };
    throw error;
  }
}

/** Throws SourceFault. */
function runnable(source: string, library: CelLibrary): (event: CelInput) => ExpressionOutcome {
  scanSource(source);
  const { expr, positions } = parsed(source, library);
  const { cel, extensions } = library;
  const budget = new StepBudget();
  const standard = cel.celEnv({ funcs: extensions.strings });
  const funcs = meteredFunctions(standard.funcs, { library, budget });
  instrumentExpression(expr, {
    isFunction: (name) => funcs.find(name) !== undefined,
    faultOfPattern: (pattern) => faultOfPattern(pattern, library),
    offsetOf: ({ id }) => positions[String(id)] ?? 0,
  });
  const plan = cel.plan(Object.create(standard, { funcs: { value: funcs } }) as typeof standard, expr);
  return (event) => {
    budget.renew();
    const result = withoutStacks(() => plan({ event }));
    return cel.isCelError(result) ? { kind: 'failed', message: messageOf(result, { source, positions }) } : { kind: 'value', value: result };
  };
}

/** Of each part, by its id, where it stands in the source. */
type Positions = Readonly<Record<string, number>>;

function parsed(source: string, { cel }: CelLibrary): { expr: Expression; positions: Positions } {
  try {
    const { expr, sourceInfo } = cel.parse(source);
    return { expr, positions: sourceInfo?.positions ?? {} };
  } catch (error) {
    throw faultOf(error);
  }
}

/** The parser's own error has the place that it could not go on from, and what it found there. */
function faultOf(error: unknown): SourceFault {
  if (error instanceof RangeError) return new SourceFault('nests too deep to be read.', 0);
  const { location, found, rawMessage } = error as { location?: { start?: { offset?: unknown } }; found?: unknown; rawMessage?: unknown };
  const offset = location?.start?.offset;
  const words = typeof found === 'string' ? `cannot be read from ${JSON.stringify(found)} on.` : typeof rawMessage === 'string' ? `${rawMessage}.` : 'cannot be read.';
  return new SourceFault(words, typeof offset === 'number' ? offset : 0);
}

/**
 * In the library errors are values, thousands in one evaluation where a loop absorbs them, and most of the time would go into the stack
 * trace that the engine takes for each. Nobody reads it.
 */
function withoutStacks<T>(run: () => T): T {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return run();
  } finally {
    Error.stackTraceLimit = limit;
  }
}

/** Texts of the library are about the expression; those of what it caught may quote a value, such as a text that is no number. */
function messageOf(error: CelError, { source, positions }: { source: string; positions: Positions }): string {
  if (error.cause instanceof OutOfSteps) return error.message;
  const offset = error.exprId === undefined ? undefined : positions[String(error.exprId)];
  const what = error.cause instanceof Error ? 'a value does not fit' : error.message;
  return offset === undefined ? what : `${placeOf(source, offset).toLowerCase()}: ${what}`;
}
