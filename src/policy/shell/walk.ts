import type { CommandNode, CompoundList, Pipeline, PipelineNode, Statement } from 'unbash';
import { runCase, runFor, runIf, runTest, runWhile, runArithmetic } from './compound.ts';
import { concat, silence, type Flow } from './flow.ts';
import type { Frame } from './machine.ts';
import { withRedirects } from './redirects.ts';
import { runSimple } from './simple-command.ts';
import type { Walker } from './walker.ts';

/** Follows statements one after the other, and gives what they print. */
export function runStatements(statements: readonly Statement[], frame: Frame, walker: Walker): Flow {
  let printed = silence;
  for (const { command, background } of statements) {
    if (!walker.step()) return concat(printed, silence);
    const there = background ? { ...frame, scope: frame.scope.fork() } : frame;
    printed = concat(printed, command.type === 'AndOr' ? runAndOr(command, there, walker) : runPipelineNode(command, there, walker));
    if (background) frame.scope.keepFiles(there.scope);
  }
  return printed;
}

interface AndOrNode {
  readonly commands: readonly PipelineNode[];
  readonly operators: readonly string[];
}

/** What stands behind `&&` runs where all before it did; behind `||`, where some did. Afterwards any of them may have been the last. */
function runAndOr({ commands, operators }: AndOrNode, frame: Frame, walker: Walker): Flow {
  const [first, ...others] = commands;
  let printed = first ? runPipelineNode(first, frame, walker) : silence;
  const { scope } = frame;
  let path = scope.fork();
  for (const [index, command] of others.entries()) {
    if (!walker.step()) break;
    if (operators[index] === '||') path = scope.fork();
    printed = concat(printed, runPipelineNode(command, { ...frame, scope: path }, walker));
    scope.join(path, walker.marks);
    path = path.fork();
  }
  return printed;
}

function runPipelineNode(node: PipelineNode, frame: Frame, walker: Walker): Flow {
  return node.type === 'Pipeline' ? runPipeline(node, frame, walker) : runNode(node, frame, walker);
}

/** Each command of a pipeline has a shell of its own; some shells run the last one in their own. */
function runPipeline({ commands }: Pipeline, frame: Frame, walker: Walker): Flow {
  const [only] = commands;
  if (only && commands.length === 1) return runNode(only, frame, walker);
  let flow = frame.input;
  for (const [index, command] of commands.entries()) {
    if (!walker.step()) return flow;
    const scope = frame.scope.fork();
    if (index > 0) scope.input = null;
    flow = runNode(command, { ...frame, scope, input: flow }, walker);
    frame.scope.keepFiles(scope);
    if (index === commands.length - 1) frame.scope.join(scope, walker.marks);
  }
  return flow;
}

function runSubshell({ commands }: CompoundList, frame: Frame, walker: Walker): Flow {
  const scope = frame.scope.fork();
  const printed = runStatements(commands, { ...frame, scope }, walker);
  frame.scope.keepFiles(scope);
  return printed;
}

export function runNode(node: CommandNode | CompoundList, frame: Frame, walker: Walker): Flow {
  switch (node.type) {
    case 'Command':
      return runSimple(node, frame, walker);
    case 'CompoundList':
      return runStatements(node.commands, frame, walker);
    case 'BraceGroup':
      return runStatements(node.body.commands, frame, walker);
    case 'Subshell':
      return runSubshell(node.body, frame, walker);
    case 'Redirected':
      return withRedirects(node.redirects, frame, { walker, run: (there) => runNode(node.command, there, walker) });
    case 'Function':
      walker.define(node, frame);
      return silence;
    case 'Coproc':
      return runNode(node.body, { ...frame, scope: frame.scope.fork(), input: { text: null, wild: true } }, walker);
    case 'If':
      return runIf(node, frame, walker);
    case 'For':
    case 'Select':
      return runFor(node, frame, walker);
    case 'While':
    case 'ArithmeticFor':
      return runWhile(node, frame, walker);
    case 'Case':
      return runCase(node, frame, walker);
    case 'TestCommand':
      return runTest(node.expression, frame, walker);
    case 'ArithmeticCommand':
      return runArithmetic(node.expression, frame, walker);
    default:
      node satisfies never;
      return silence;
  }
}
