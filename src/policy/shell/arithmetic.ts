import type { ArithmeticExpression } from 'unbash';

/** What an expression reads and does beside counting. */
export interface ArithmeticContext {
  /** The text of a variable or literal word; null where it is not known. */
  readonly read: (word: string) => string | null;
  readonly assign: (name: string, value: string | null) => void;
  /** Runs `$(…)` inside the expression and gives what it prints. */
  readonly run: (expression: Extract<ArithmeticExpression, { type: 'ArithmeticCommandExpansion' }>) => string | null;
}

/** The value of an arithmetic expression, or null where it is not known. Every part is visited, for what it runs. */
export function evaluateArithmetic(expression: ArithmeticExpression, context: ArithmeticContext): number | null {
  switch (expression.type) {
    case 'ArithmeticWord':
      return numberOf(context.read(expression.value));
    case 'ArithmeticCommandExpansion':
      return numberOf(context.run(expression));
    case 'ArithmeticGroup':
      return evaluateArithmetic(expression.expression, context);
    case 'ArithmeticTernary': {
      const test = evaluateArithmetic(expression.test, context);
      const branches = [evaluateArithmetic(expression.consequent, context), evaluateArithmetic(expression.alternate, context)];
      return test === null ? null : (branches[test === 0 ? 1 : 0] ?? null);
    }
    case 'ArithmeticUnary':
      return evaluateUnary(expression, context);
    case 'ArithmeticBinary':
      return evaluateBinary(expression, context);
    default:
      expression satisfies never;
      return null;
  }
}

type Unary = Extract<ArithmeticExpression, { type: 'ArithmeticUnary' }>;
type Binary = Extract<ArithmeticExpression, { type: 'ArithmeticBinary' }>;

function evaluateUnary({ operator, operand, prefix }: Unary, context: ArithmeticContext): number | null {
  const value = evaluateArithmetic(operand, context);
  if (operator === '++' || operator === '--') {
    const changed = value === null ? null : value + (operator === '++' ? 1 : -1);
    if (operand.type === 'ArithmeticWord') context.assign(operand.value, changed === null ? null : String(changed));
    return prefix ? changed : value;
  }
  if (value === null) return null;
  return operator === '-' ? -value : operator === '!' ? Number(value === 0) : operator === '~' ? ~value : value;
}

function evaluateBinary({ operator, left, right }: Binary, context: ArithmeticContext): number | null {
  const isAssignment = operator.endsWith('=') && !['==', '!=', '<=', '>='].includes(operator);
  if (isAssignment) {
    const before = operator === '=' ? 0 : evaluateArithmetic(left, context);
    const by = evaluateArithmetic(right, context);
    const value = operator === '=' ? by : before === null || by === null ? null : compute(operator.slice(0, -1), before, by);
    if (left.type === 'ArithmeticWord') context.assign(left.value, value === null ? null : String(value));
    return value;
  }
  const [one, two] = [evaluateArithmetic(left, context), evaluateArithmetic(right, context)];
  return one === null || two === null ? null : compute(operator, one, two);
}

function compute(operator: string, one: number, two: number): number | null {
  const operation = operations.get(operator);
  const value = operation ? operation(one, two) : null;
  return value !== null && Number.isSafeInteger(value) ? value : null;
}

const operations: ReadonlyMap<string, (one: number, two: number) => number> = new Map([
  ['+', (one, two) => one + two],
  ['-', (one, two) => one - two],
  ['*', (one, two) => one * two],
  ['/', (one, two) => Math.trunc(one / two)],
  ['%', (one, two) => one % two],
  ['**', (one, two) => one ** two],
  ['<<', (one, two) => one * 2 ** two],
  ['>>', (one, two) => Math.floor(one / 2 ** two)],
  ['&', (one, two) => Number(BigInt(one) & BigInt(two))],
  ['|', (one, two) => Number(BigInt(one) | BigInt(two))],
  ['^', (one, two) => Number(BigInt(one) ^ BigInt(two))],
  ['==', (one, two) => Number(one === two)],
  ['!=', (one, two) => Number(one !== two)],
  ['<', (one, two) => Number(one < two)],
  ['>', (one, two) => Number(one > two)],
  ['<=', (one, two) => Number(one <= two)],
  ['>=', (one, two) => Number(one >= two)],
  ['&&', (one, two) => Number(one !== 0 && two !== 0)],
  ['||', (one, two) => Number(one !== 0 || two !== 0)],
  [',', (_, two) => two],
]);

function numberOf(text: string | null): number | null {
  const trimmed = text?.trim() ?? 'x';
  if (trimmed === '') return 0;
  if (/^[+-]?(0[xX][\da-fA-F]+|[1-9]\d*|0)$/.test(trimmed)) return Number(trimmed);
  if (/^0[0-7]+$/.test(trimmed)) return Number.parseInt(trimmed, 8);
  const [, base = '', digits = ''] = /^(\d{1,2})#(\w+)$/.exec(trimmed) ?? [];
  return base === '' || Number(base) > 36 || Number(base) < 2 ? null : Number.parseInt(digits, Number(base));
}
