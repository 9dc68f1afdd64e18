import type { Json, JsonObject } from '../policy/json.ts';
import type { Registry } from '../policy/registry.ts';
import { applyVector, type VectorOutcome } from '../policy/vectors/apply-vector.ts';
import { exceptedOutcome, readException, type VectorException } from '../policy/vectors/exception.ts';
import { readVector } from '../policy/vectors/read-vector.ts';
import type { Vector, VectorProblem } from '../policy/vectors/vector.ts';
import { handlerRegistry, type HandlerSources } from './handler-registry.ts';
import { printable } from './printable.ts';
import { readLines } from './read-lines.ts';
import { UsageFault } from './usage-fault.ts';

export interface PolicyTestOptions extends HandlerSources {
  /** `-` is stdin. */
  readonly files: readonly string[];
  /** A file of verdicts that count instead of those in the vectors. */
  readonly exceptions: string | undefined;
  readonly json: boolean;
}

/** Runs vectors and gives the exit code: 1 when one failed. All files are read before the first vector runs: a slip in one leaves nothing half run. */
export async function testPolicies({ files, exceptions, json, ...sources }: PolicyTestOptions): Promise<number> {
  if ([...files, exceptions].filter((file) => file === '-').length > 1) throw new UsageFault('stdin can be read only once: name - only once');
  const problems: string[] = [];
  const vectors: Located<Vector>[] = [];
  for (const file of files) vectors.push(...(await readAll(file, (line) => readVector(line, { fileName: file === '-' ? '' : file }), problems)));
  const excepted = exceptions === undefined ? [] : await readAll(exceptions, readException, problems);
  const [problem, ...others] = problems;
  if (problem !== undefined) throw new UsageFault(`${problem}${others.length > 0 ? ` (and ${others.length} more)` : ''}`);
  const report = run(vectors, await handlerRegistry(sources), new Map(excepted.map(({ item }) => [item.id, item])));
  process.stdout.write(`${json ? JSON.stringify(report) : inWords(report)}\n`);
  return report.failed === 0 ? 0 : 1;
}

interface Located<T> {
  readonly file: string;
  readonly line: number;
  readonly item: T;
}

interface Report {
  readonly passed: number;
  readonly failed: number;
  readonly failures: readonly Failure[];
}

type Failure = Omit<VectorOutcome, 'passed'> & Omit<Located<Vector>, 'item'>;

async function readAll<T extends Vector | VectorException>(file: string, read: (line: string) => T | VectorProblem, problems: string[]): Promise<readonly Located<T>[]> {
  const found: Located<T>[] = [];
  for (const { number, text } of await readLines(file)) {
    const item = read(text);
    if (isProblem(item)) problems.push(printable(`${file}:${number}: ${item.id === null ? '' : `${item.id}: `}${item.message}`));
    else found.push({ file, line: number, item });
  }
  return found;
}

function isProblem(item: Vector | VectorException | VectorProblem): item is VectorProblem {
  return item.kind === 'problem';
}

function run(vectors: readonly Located<Vector>[], registry: Registry, exceptions: ReadonlyMap<string, VectorException>): Report {
  const failures = vectors.flatMap(({ file, line, item }): Failure[] => {
    const exception = exceptions.get(item.id);
    const outcome = applyVector(item, registry);
    const { passed, ...rest } = exception ? exceptedOutcome(outcome, exception) : outcome;
    return passed ? [] : [{ ...rest, file, line }];
  });
  return { passed: vectors.length - failures.length, failed: failures.length, failures };
}

function inWords({ passed, failed, failures }: Report): string {
  const lines = failures.map(({ id, wanted, got, reason }) => printable(`${id}: wanted ${answer(wanted)}, got ${answer(got)}${reason === null ? '' : `: ${reason}`}`));
  return [...lines, `${passed} passed, ${failed} failed`].join('\n');
}

/** Most answers are a verdict and nothing else. */
function answer(value: JsonObject): string {
  const { result, accept, problem, handler } = value;
  const isAlone = Object.keys(value).length === 1;
  if (isAlone && typeof result === 'string') return result;
  if (isAlone && Array.isArray(accept)) return (accept as readonly Json[]).map(String).join(' or ');
  if (isAlone && typeof problem === 'string') return `none: ${problem}`;
  if (isAlone && typeof handler === 'string') return `the handler ${handler}`;
  return JSON.stringify(value);
}
