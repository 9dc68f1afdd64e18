import type { CelFunc, CelInput, CelResult } from '@bufbuild/cel';
import { celLibrary, type CelLibrary } from './cel-library.ts';
import { checkExpression } from './check-expression.ts';
import type { Expression } from './expression.ts';
import { charactersPerStep, StepBudget } from './step-budget.ts';

export const expressionCharsMax = 10_000;

export type CompiledExpression =
  | { readonly kind: 'compiled'; readonly run: (event: CelInput) => CelResult }
  /** With line and column, where one place is at fault. */
  | { readonly kind: 'refused'; readonly message: string };

/** An expression that is ready to be run again and again, bounded, or why it can never run. */
export function compileExpression(source: string): CompiledExpression {
  if (source.length > expressionCharsMax) return { kind: 'refused', message: `Must have at most ${expressionCharsMax.toLocaleString('en')} characters.` };
  const library = celLibrary();
  const budget = new StepBudget();
  const read = parsed(source, library);
  if (typeof read === 'string') return { kind: 'refused', message: read };
  const { expr, placeOf } = read;
  const env = library.cel.celEnv({ re2: boundedRe2(library, budget), funcs: [...textFunctions(library), ...boundedConcat(library, budget), spendRange(library, budget)] });
  const wrong = checkExpression(expr, { isFunction: (name) => env.funcs.find(name) !== undefined, placeOf, charged });
  if (wrong !== null) return { kind: 'refused', message: wrong };
  const plan = library.cel.plan(env, expr as never);
  return {
    kind: 'compiled',
    run(event) {
      budget.renew();
      return plan({ event });
    },
  };
}

interface Parsed {
  readonly expr: Expression;
  readonly placeOf: (expression: Expression) => string;
}

/** Or what is wrong with it. */
function parsed(source: string, { cel }: CelLibrary): Parsed | string {
  try {
    const { expr, sourceInfo } = cel.parse(source);
    const offsets = new Map(Object.entries(sourceInfo?.positions ?? {}));
    return {
      expr: expr as unknown as Expression,
      placeOf({ id }) {
        const offset = offsets.get(String(id));
        if (offset === undefined) return '';
        const before = source.slice(0, offset).split('\n');
        return `Line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: `;
      },
    };
  } catch (error) {
    if (error instanceof RangeError) return 'Nests too deep to be read.';
    const text = error instanceof Error ? error.message : String(error);
    const [, line = '1', column = '1', rest = text] = /^<input>:(\d+):(\d+): ([^]*)$/.exec(text) ?? [];
    return `Line ${line}, column ${column}: ${rest}.`;
  }
}

/** In linear time, whatever the pattern; and only so much text. */
function boundedRe2({ re2 }: CelLibrary, budget: StepBudget) {
  const matchers = new Map<string, { test(text: string): boolean }>();
  const patternsMax = 100;
  return {
    compile(pattern: string) {
      budget.spend(pattern.length);
      const matcher = matchers.get(pattern) ?? re2.RE2JS.compile(pattern);
      if (matchers.size < patternsMax) matchers.set(pattern, matcher);
      return {
        test(text: string) {
          budget.spend(text.length / charactersPerStep);
          return matcher.test(text);
        },
      };
    },
  };
}

/** Of CEL's string extensions those that make no text longer. */
function textFunctions({ extensions }: CelLibrary): CelFunc[] {
  const names = new Set(['lowerAscii', 'upperAscii', 'trim', 'indexOf', 'lastIndexOf', 'substring', 'charAt']);
  return extensions.strings.filter(({ name }) => names.has(name));
}

/** Doubling a text again and again would fill the memory. */
function boundedConcat({ cel: { celFunc, CelScalar } }: CelLibrary, budget: StepBudget): CelFunc[] {
  const { STRING } = CelScalar;
  return [
    celFunc('_+_', [STRING, STRING], STRING, (left, right) => {
      budget.spend((left.length + right.length) / charactersPerStep);
      return left + right;
    }),
  ];
}

const spendRangeName = '@spend_range';

/** The range, with its charge before it: a call of the function below. */
function charged(range: Expression, stepsEach: number): Expression {
  const steps = { id: 0n, exprKind: { case: 'constExpr', value: { constantKind: { case: 'int64Value', value: BigInt(stepsEach) } } } } as const;
  return { id: 0n, exprKind: { case: 'callExpr', value: { function: spendRangeName, args: [range, steps] } } };
}

function spendRange({ cel: { celFunc, CelScalar, isCelList, isCelMap } }: CelLibrary, budget: StepBudget): CelFunc {
  return celFunc(spendRangeName, [CelScalar.DYN, CelScalar.INT], CelScalar.DYN, (range, stepsEach) => {
    if (isCelList(range) || isCelMap(range)) budget.spend(range.size * Number(stepsEach));
    return range;
  });
}
