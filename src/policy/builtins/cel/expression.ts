/** What we read of CEL's parsed expressions (`cel.expr.Expr`). */
export interface Expression {
  readonly id: bigint;
  readonly exprKind:
    | { readonly case: 'constExpr'; readonly value: unknown }
    | { readonly case: 'identExpr'; readonly value: { readonly name: string } }
    | { readonly case: 'selectExpr'; readonly value: { readonly operand?: Expression } }
    | { readonly case: 'callExpr'; readonly value: { readonly target?: Expression; readonly function: string; readonly args: readonly Expression[] } }
    | { readonly case: 'listExpr'; readonly value: { readonly elements: readonly Expression[] } }
    | { readonly case: 'structExpr'; readonly value: { readonly entries: readonly StructEntry[] } }
    | { readonly case: 'comprehensionExpr'; readonly value: Comprehension };
}

interface StructEntry {
  readonly keyKind: { readonly case: 'mapKey'; readonly value: Expression } | { readonly case: 'fieldKey'; readonly value: string };
  readonly value?: Expression;
}

/** What `all`, `exists`, `map` and `filter` are read as. */
export interface Comprehension {
  readonly iterVar: string;
  readonly accuVar: string;
  iterRange?: Expression;
  readonly accuInit?: Expression;
  readonly loopCondition?: Expression;
  readonly loopStep?: Expression;
  readonly result?: Expression;
}

export function childrenOf({ exprKind }: Expression): readonly Expression[] {
  switch (exprKind.case) {
    case 'selectExpr':
      return exprKind.value.operand ? [exprKind.value.operand] : [];
    case 'callExpr':
      return exprKind.value.target ? [exprKind.value.target, ...exprKind.value.args] : exprKind.value.args;
    case 'listExpr':
      return exprKind.value.elements;
    case 'structExpr':
      return exprKind.value.entries.flatMap(({ keyKind, value }) => [...(keyKind.case === 'mapKey' ? [keyKind.value] : []), ...(value ? [value] : [])]);
    case 'comprehensionExpr': {
      const { iterRange, accuInit, loopCondition, loopStep, result } = exprKind.value;
      return [iterRange, accuInit, loopCondition, loopStep, result].filter((child) => child !== undefined);
    }
    case 'constExpr':
    case 'identExpr':
      return [];
    default:
      return exprKind satisfies never;
  }
}

/** How many parts are gone through for each item of the range. A comprehension within pays for its own items. */
export function bodyStepsOf({ loopCondition, loopStep }: Comprehension): number {
  return [loopCondition, loopStep].reduce((sum, part) => sum + (part ? stepsOf(part) : 0), 0);
}

function stepsOf(expression: Expression): number {
  const { exprKind } = expression;
  if (exprKind.case !== 'comprehensionExpr') return childrenOf(expression).reduce((sum, child) => sum + stepsOf(child), 1);
  const { iterRange, accuInit, result } = exprKind.value;
  return [iterRange, accuInit, result].reduce((sum, part) => sum + (part ? stepsOf(part) : 0), 1);
}
