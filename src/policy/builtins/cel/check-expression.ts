import { bodyStepsOf, childrenOf, type Comprehension, type Expression } from './expression.ts';

const nodesMax = 2000;

/** What the planner knows beside the functions of the environment. */
const operators = new Set(['_&&_', '_||_', '_?_:_', '_[_]', '@not_strictly_false']);

const typeNames = new Set(['bool', 'bytes', 'double', 'int', 'list', 'map', 'null_type', 'string', 'type', 'uint']);

interface Known {
  readonly isFunction: (name: string) => boolean;
  /** `Line 1, column 5: `, or nothing where the place is not known. */
  readonly placeOf: (expression: Expression) => string;
  /** The range, paid for: so many steps an item. */
  readonly charged: (range: Expression, stepsEach: number) => Expression;
}

/**
 * What makes an expression fail on every event, and so is a mistake: unknown variables and functions; null where there is none. Puts a
 * charge on each range, so that going through a list is bounded.
 */
export function checkExpression(expression: Expression, known: Known): string | null {
  let nodes = 0;

  function check(node: Expression, names: ReadonlySet<string>): string | null {
    nodes += 1;
    if (nodes > nodesMax) return `Must have at most ${nodesMax.toLocaleString('en')} parts.`;
    const { exprKind } = node;
    if (exprKind.case === 'identExpr' && !names.has(exprKind.value.name)) {
      return `${known.placeOf(node)}there is no variable ${JSON.stringify(exprKind.value.name)}: what is judged is "event".`;
    }
    if (exprKind.case === 'callExpr' && !operators.has(exprKind.value.function) && !known.isFunction(exprKind.value.function)) {
      return `${known.placeOf(node)}there is no function ${JSON.stringify(exprKind.value.function)}.`;
    }
    if (exprKind.case === 'comprehensionExpr') return checkComprehension(exprKind.value, names);
    return first(childrenOf(node), (child) => check(child, names));
  }

  function checkComprehension(comprehension: Comprehension, names: ReadonlySet<string>): string | null {
    const { iterVar, accuVar, iterRange, accuInit, loopCondition, loopStep, result } = comprehension;
    const inside = new Set([...names, iterVar, accuVar]);
    const wrong =
      first([iterRange, accuInit], (child) => child && check(child, names)) ?? first([loopCondition, loopStep, result], (child) => child && check(child, inside));
    if (iterRange) comprehension.iterRange = known.charged(iterRange, bodyStepsOf(comprehension));
    return wrong;
  }

  return check(expression, new Set(['event', ...typeNames]));
}

function first<T>(items: readonly T[], check: (item: T) => string | null | undefined): string | null {
  for (const item of items) {
    const wrong = check(item);
    if (wrong) return wrong;
  }
  return null;
}
