import type { ArithmeticExpression, ArithmeticFor, Case, For, If, Select, TestExpression, While } from 'unbash';
import { evaluateArithmetic } from './arithmetic.ts';
import { arithmeticContext } from './evaluate-expansion.ts';
import { expandJoined } from './expand.ts';
import { anything, concat, silence, type Flow } from './flow.ts';
import type { Frame } from './machine.ts';
import { isKnown, kindOfAny } from './marks.ts';
import type { Scope } from './scope.ts';
import type { Walker } from './walker.ts';

export function runIf(node: If, frame: Frame, walker: Walker): Flow {
  const { scope } = frame;
  let printed = walker.run(node.clause, frame);
  const ends: Scope[] = [];
  const branch = (body: If['then'] | undefined): void => {
    const path = scope.fork();
    if (body) printed = either(printed, walker.run(body, { ...frame, scope: path }));
    ends.push(path);
  };
  branch(node.then);
  for (const { clause, then } of node.elif) {
    walker.run(clause, frame);
    branch(then);
  }
  branch(node.else);
  joinAll(ends, scope, walker);
  return printed;
}

/** Every arm may run. */
export function runCase(node: Case, frame: Frame, walker: Walker): Flow {
  walker.worlds(frame, (expansion) => expandJoined(node.word, expansion));
  const ends = [frame.scope.fork()];
  let printed = silence;
  for (const { pattern, body } of node.items) {
    for (const word of pattern) walker.worlds(frame, (expansion) => expandJoined(word, expansion));
    const path = frame.scope.fork();
    printed = either(printed, walker.run(body, { ...frame, scope: path }));
    ends.push(path);
  }
  joinAll(ends, frame.scope, walker);
  return printed;
}

/** A short list of known words is gone through word by word; else the variable is not known. */
export function runFor(node: For | Select, frame: Frame, walker: Walker): Flow {
  const { scope } = frame;
  const name = node.name.value;
  const words = node.wordlist ? walker.expandAll(node.wordlist, frame).map((word) => word.text) : (scope.positional ?? [walker.marks.add('$@', 'tame')]);
  const hole = (): string => walker.marks.add(`$${name}`, kindOfAny(words, walker.marks));
  const items = words.length <= itemsMax ? words : [hole()];
  let printed = silence;
  const path = scope.fork();
  for (const item of items) {
    if (!walker.step()) break;
    path.assign(name, [[item]]);
    printed = concat(printed, walker.run(node.body, { ...frame, scope: path }));
    scope.join(path, walker.marks);
  }
  if (items.length > 0 && words.every(isKnown) && node.type === 'For') scope.variables.set(name, path.variables.get(name) ?? { values: [[hole()]], exported: false });
  return items.length <= 1 && !words.every(isKnown) ? loopOutput(printed) : printed;
}

const itemsMax = 16;

/** The body is followed until its variables do not change any more, but not more than three times. */
export function runWhile(node: While | ArithmeticFor, frame: Frame, walker: Walker): Flow {
  const { scope } = frame;
  if (node.type === 'ArithmeticFor') for (const part of [node.initialize, node.test, node.update]) runArithmetic(part, frame, walker);
  let printed = node.type === 'While' ? walker.run(node.clause, frame) : silence;
  for (let pass = 0; pass < passesMax; pass += 1) {
    const path = scope.fork();
    if (pass === passesMax - 1) widen(path, scope, walker);
    printed = concat(printed, walker.run(node.body, { ...frame, scope: path }));
    if (node.type === 'While') walker.run(node.clause, { ...frame, scope: path });
    else runArithmetic(node.update, { ...frame, scope: path }, walker);
    const before = scope.fork();
    scope.join(path, walker.marks);
    if (scope.variables.isSame(before.variables)) break;
  }
  return loopOutput(printed);
}

const passesMax = 3;

/** After that many passes a variable with several values may have any. */
function widen(path: Scope, scope: Scope, { marks }: Walker): void {
  for (const [name, { values }] of [...scope.variables.entries()]) {
    if (values.length > 1) path.assign(name, [...values, [marks.add(`$${name}`, 'wild')]].slice(-variantsMax));
  }
}

const variantsMax = 6;

export function runArithmetic(expression: ArithmeticExpression | undefined, frame: Frame, walker: Walker): Flow {
  if (expression) {
    walker.worlds(frame, (expansion) => {
      const run = (inner: Extract<ArithmeticExpression, { type: 'ArithmeticCommandExpansion' }>): string | null =>
        walker.mayParse(inner.text) && inner.script ? walker.runScript(inner.script, { ...frame, scope: frame.scope.fork(), depth: frame.depth + 1 }).text : null;
      return evaluateArithmetic(expression, arithmeticContext(expansion, run));
    });
  }
  return silence;
}

export function runTest(expression: TestExpression, frame: Frame, walker: Walker): Flow {
  switch (expression.type) {
    case 'TestUnary':
      walker.worlds(frame, (expansion) => guardIndex(expandJoined(expression.operand, expansion), frame, walker));
      break;
    case 'TestBinary':
      for (const word of [expression.left, expression.right]) walker.worlds(frame, (expansion) => guardIndex(expandJoined(word, expansion), frame, walker));
      break;
    case 'TestLogical':
      for (const operand of expression.operands) runTest(operand, frame, walker);
      break;
    case 'TestNot':
      runTest(expression.operand, frame, walker);
      break;
    case 'TestGroup':
      runTest(expression.expression, frame, walker);
      break;
    default:
      expression satisfies never;
  }
  return silence;
}

/** `[[ 'a[$(…)]' -eq 1 ]]` and `-v` evaluate the index, also where it was in quotes. */
function guardIndex(text: string, frame: Frame, walker: Walker): void {
  if (/\[.*(\$\(|`)/.test(text)) walker.expandText(text, frame);
}

/** How often a loop goes round is not known, and so is what it prints. */
function loopOutput(printed: Flow): Flow {
  return printed === silence || (printed.text === null && !printed.wild) ? printed : anything;
}

/** What one of two ways prints. */
function either(one: Flow, two: Flow): Flow {
  return one === silence && two === silence ? silence : anything;
}

function joinAll(ends: readonly Scope[], scope: Scope, walker: Walker): void {
  const [first, ...others] = ends;
  if (!first) return;
  for (const end of others) first.join(end, walker.marks);
  scope.become(first);
}
