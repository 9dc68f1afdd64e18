import type { parse } from '@bufbuild/cel';
import { SourceFault } from './source-fault.ts';

/** `cel.expr.Expr`. */
export type Expression = ReturnType<typeof parse>['expr'];

export interface Known {
  isFunction(name: string): boolean;
  /** What is wrong with a regular expression; null: nothing. */
  faultOfPattern(pattern: string): string | null;
  /** Where a part stands in the source. */
  offsetOf(part: Expression): number;
}

/** The functions that instrumenting puts into an expression. A name that begins with @ cannot be written in one. */
export const hooks = { tick: '@tick', range: '@range', list: '@list', append: '@append', index: '@index', has: '@has' } as const;

/**
 * Checks what the parser does not, and rewrites an expression in place so that all work is counted: each turn of a loop ticks, for as
 * much as its body is long; ranges of loops, lists that are built and lookups by index go through functions of ours. Throws SourceFault.
 */
export function instrumentExpression(expr: Expression, known: Known): void {
  new Instrumentation(known).visit(expr, { names: new Set(['event', ...typeNames]), depth: 0 });
}

interface Place {
  /** The variables that are known here. */
  readonly names: ReadonlySet<string>;
  readonly depth: number;
}

class Instrumentation {
  readonly #known: Known;
  #nodes = 0;

  constructor(known: Known) {
    this.#known = known;
  }

  /** Gives the number of nodes that it visited. */
  visit(expr: Expression | undefined, place: Place): number {
    if (!expr) return 0;
    const before = this.#nodes;
    this.#nodes += 1;
    if (this.#nodes > nodesMax) throw this.#fault(expr, `must have at most ${nodesMax.toLocaleString('en')} parts.`);
    if (place.depth > depthMax) throw this.#fault(expr, `nests deeper than ${depthMax} levels.`);
    this.#visitKind(expr, { ...place, depth: place.depth + 1 });
    return this.#nodes - before;
  }

  #visitKind(expr: Expression, place: Place): void {
    const { case: kind, value } = expr.exprKind;
    switch (kind) {
      case 'constExpr':
        return this.#checkConstant(expr, value);
      case 'identExpr':
        if (!place.names.has(value.name.replace(/^\./, ''))) throw this.#fault(expr, `there is no variable ${JSON.stringify(value.name)}: what is judged is "event".`);
        return;
      case 'selectExpr':
        if (qualifiedName(expr) !== null && typeNames.has(qualifiedName(expr) ?? '')) return;
        this.visit(value.operand, place);
        // The library's own test takes a member that is null for one that is missing.
        if (value.testOnly && value.operand) expr.exprKind = callOf(expr, hooks.has, [value.operand, constantOf(expr, value.field)]).exprKind;
        return;
      case 'callExpr':
        return this.#visitCall(expr, value, place);
      case 'listExpr':
        for (const element of value.elements) this.visit(element, place);
        return;
      case 'structExpr':
        if (value.messageName !== '') throw this.#fault(expr, `there are no messages such as ${value.messageName} here; write a map.`);
        for (const { keyKind, value: member } of value.entries) {
          if (keyKind.case === 'mapKey') this.visit(keyKind.value, place);
          this.visit(member, place);
        }
        return;
      case 'comprehensionExpr':
        return this.#visitComprehension(expr, value, place);
      case undefined:
        throw this.#fault(expr, 'cannot be read.');
      default:
        kind satisfies never;
    }
  }

  #checkConstant(expr: Expression, { constantKind: constant }: KindOf<'constExpr'>): void {
    if (constant.case === 'int64Value' && BigInt.asIntN(64, constant.value) !== constant.value) throw this.#fault(expr, 'the number is too large for an int.');
    if (constant.case === 'uint64Value' && BigInt.asUintN(64, constant.value) !== constant.value) throw this.#fault(expr, 'the number is too large for a uint.');
  }

  #visitCall(expr: Expression, call: KindOf<'callExpr'>, place: Place): void {
    const [first, pattern] = call.args;
    if (call.function === '_[_]' && first && pattern) call.function = hooks.index;
    const qualified = call.target && qualifiedName(call.target);
    const isQualified = qualified != null && this.#known.isFunction(`${qualified}.${call.function}`);
    if (!isQualified && !operators.has(call.function) && !this.#known.isFunction(call.function)) {
      throw this.#fault(expr, `there is no function ${JSON.stringify(call.function)}${macros.has(call.function) ? ', but a macro that wants other arguments' : ''}.`);
    }
    if (!isQualified) this.visit(call.target, place);
    for (const arg of call.args) this.visit(arg, place);
    if (call.function === 'matches') this.#checkPattern(call.target ? first : pattern);
  }

  #checkPattern(pattern: Expression | undefined): void {
    if (pattern?.exprKind.case !== 'constExpr') return;
    const { constantKind } = pattern.exprKind.value;
    const fault = constantKind.case === 'stringValue' ? this.#known.faultOfPattern(constantKind.value) : null;
    if (fault !== null) throw this.#fault(pattern, `${fault}.`);
  }

  #visitComprehension(expr: Expression, loop: KindOf<'comprehensionExpr'>, place: Place): void {
    const body: Place = { names: new Set([...place.names, loop.iterVar, loop.accuVar]), depth: place.depth };
    this.visit(loop.iterRange, place);
    this.visit(loop.accuInit, place);
    const length = this.visit(loop.loopCondition, body) + this.visit(loop.loopStep, body);
    this.visit(loop.result, body);
    const { loopCondition, iterRange } = loop;
    if (!loopCondition || !iterRange) throw this.#fault(expr, 'cannot be read.');
    loop.iterRange = callOf(expr, hooks.range, [iterRange]);
    loop.loopCondition = callOf(expr, '_&&_', [callOf(expr, hooks.tick, [constantOf(expr, BigInt(length))]), loopCondition]);
    if (loop.accuInit?.exprKind.case !== 'listExpr') return;
    // Filters and maps add to their list element by element. The library would chain as many lists, and walk the chain for each element.
    loop.accuInit = callOf(expr, hooks.list, []);
    appendInstead(loop.loopStep, loop.accuVar);
  }

  #fault(expr: Expression, message: string): SourceFault {
    return new SourceFault(message, this.#known.offsetOf(expr));
  }
}

type KindOf<Case> = Extract<Expression['exprKind'], { case: Case }>['value'];

const nodesMax = 2000;

/** Bounds the recursion of whoever walks the expression. */
const depthMax = 200;

/** What the planner knows without a function. */
const operators: ReadonlySet<string> = new Set(['_?_:_', '_&&_', '_||_', '@not_strictly_false']);

/** What the parser replaces. */
const macros: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'filter', 'has', 'map']);

/** Names of types, which are values too. */
const typeNames: ReadonlySet<string> = new Set([
  ...['int', 'uint', 'double', 'bool', 'string', 'bytes', 'list', 'map', 'null_type', 'type', 'google.protobuf.Timestamp', 'google.protobuf.Duration'],
]);

function qualifiedName(expr: Expression): string | null {
  const { case: kind, value } = expr.exprKind;
  if (kind === 'identExpr') return value.name;
  const operand = kind === 'selectExpr' && !value.testOnly && value.operand ? qualifiedName(value.operand) : null;
  return operand === null || kind !== 'selectExpr' ? null : `${operand}.${value.field}`;
}

/** `accu + [x]`, where it stands in the step of a loop: by itself, or under the condition of a filter. */
function appendInstead(step: Expression | undefined, accuVar: string): void {
  if (step?.exprKind.case !== 'callExpr') return;
  const call = step.exprKind.value;
  if (call.function === '_?_:_') return appendInstead(call.args[1], accuVar);
  const [list, added] = call.args;
  if (call.function !== '_+_' || list?.exprKind.case !== 'identExpr' || list.exprKind.value.name !== accuVar || added?.exprKind.case !== 'listExpr') return;
  call.function = hooks.append;
  call.args = [list, ...added.exprKind.value.elements];
}

function callOf({ id }: Expression, name: string, args: Expression[]): Expression {
  return { $typeName: 'cel.expr.Expr', id, exprKind: { case: 'callExpr', value: { $typeName: 'cel.expr.Expr.Call', function: name, args } } };
}

function constantOf({ id }: Expression, value: string | bigint): Expression {
  const constantKind = typeof value === 'string' ? ({ case: 'stringValue', value } as const) : ({ case: 'int64Value', value } as const);
  return { $typeName: 'cel.expr.Expr', id, exprKind: { case: 'constExpr', value: { $typeName: 'cel.expr.Constant', constantKind } } };
}
