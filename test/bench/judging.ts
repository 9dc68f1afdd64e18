import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { evaluate } from '../../src/policy/evaluate.ts';
import type { RunnablePolicy } from '../../src/policy/pass.ts';
import type { PolicyEvent } from '../../src/policy/event.ts';
import type { JsonObject } from '../../src/policy/json.ts';
import { builtinRegistry } from '../../src/policy/registry.ts';
import { median, type Row } from './figures.ts';

const root = path.join(import.meta.dirname, '../..');

function policyOf(handlerName: string, params: JsonObject | null, index = 0): RunnablePolicy {
  const handler = builtinRegistry().find(handlerName);
  const built = handler?.build(params);
  if (!handler || built?.kind !== 'built') throw new Error(`${handlerName} cannot be built.`);
  return { name: `p${index}`, level: 'SESSION', handler: handler.name, on: handler.phases.map((phase) => ({ phase, toolName: null })), condition: null, writableLabels: null, askTimeoutSeconds: null, judge: built.judge };
}

const nothing = { input_tokens: 0, output_tokens: 0, total_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0, total_cost_usd: 0 };
const facts = { state: {}, labels: {}, model: 'm', harness: null, actor: { run_as: 'bench' }, usage: nothing, subtreeUsage: nothing, userDailyCost: { cost_usd: 0, ask_approved_usd: 0, user_id: 'bench', day: '2026-01-01' } };

function milliseconds(event: PolicyEvent, policies: readonly RunnablePolicy[]): number {
  const startedAt = performance.now();
  evaluate({ event, facts, policies, labelValues: {} });
  return performance.now() - startedAt;
}

const bash = (command: string): PolicyEvent => ({ type: 'tool_call', target: 'Bash', data: { name: 'Bash', arguments: { command } } });

/** Different in each run, so that nothing is remembered. */
function joined(part: (number: number) => string): string {
  let line = part(0);
  for (let number = 1; line.length < 2000; number += 1) line += ` && ${part(number)}`;
  return line;
}

/** As agents write them: commands with paths, options and quoted words, a pipe, a redirection, a test. */
function shellLine(index: number): string {
  return joined(
    (number) =>
      `cd /srv/projects/app-${number}/packages/server && git -C ./vendor/repository-${number} log --oneline --max-count=5 | grep -v "chore: release ${number}" > logs/history-${number}-${index}.txt && test -f package.json && npm run build -- --filter=@acme/package-${number} --mode production`,
  );
}

/** Nine loops, each followed round by round: more than a hundred commands. */
function denseLine(index: number): string {
  return joined((number) => `cd /srv/app${number} && git log -n 5 | grep -v "fix ${number}" > out-${number}-${index}.txt; for f in a b c; do test -f "$f" && echo "$f ${number}"; done; npm run build -- --filter=pkg-${number}`);
}

/** One line of 2 kB through the policy that reads shells most closely. */
export function shellLineThroughGithub(): Row[] {
  const policy = policyOf('github.github_policy', { write_repos: ['acme/app'] });
  const microsecondsOf = (lineOf: (index: number) => string): number => {
    for (let index = 0; index < 2000; index += 1) milliseconds(bash(lineOf(index)), [policy]);
    return median(Array.from({ length: 1000 }, (_, index) => milliseconds(bash(lineOf(10_000 + index)), [policy]) * 1000));
  };
  const [usual, dense] = [microsecondsOf(shellLine), microsecondsOf(denseLine)];
  return [
    { what: 'a shell line of 2 kB through github.github_policy', figure: `${usual.toFixed(0)} µs`, bar: '≤ 300 µs', held: usual <= 300 },
    { what: 'a shell line of 2 kB with nine loops through github.github_policy', figure: `${dense.toFixed(0)} µs`, bar: 'reported', held: null },
  ];
}

const hundred: readonly (readonly [string, JsonObject | null])[] = [
  ['safety.ask_on_os_tools', null],
  ['safety.block_skills', { blocked: ['deploy'] }],
  ['safety.max_tool_calls_per_session', {}],
  ['safety.detect_loop', {}],
  ['github.github_policy', { write_repos: ['acme/app'] }],
  ['working_dir.block_working_dir_changes', { allowed_dirs: ['/srv'] }],
  ['orchestration.blast_radius', {}],
  ['risk_score.risk_score_policy', {}],
  ['google.gdrive_policy', {}],
  ['cel.cel_policy', { expression: 'event.target == "x" ? {"result": "DENY"} : {}' }],
];

/** A hundred policies of ten kinds on one event, which blocks the process as long as it takes. */
export function hundredPolicies(): Row[] {
  const policies = Array.from({ length: 100 }, (_, index) => {
    const [handler, params] = hundred[index % hundred.length] ?? ['safety.ask_on_os_tools', null];
    return policyOf(handler, params, index);
  });
  const text = (length: number) => 'The quick brown fox jumps over the lazy dog. 0123456789 '.repeat(length / 56);
  const events: [string, PolicyEvent][] = [
    ['a 2 kB shell line', bash(shellLine(1))],
    ['a 100 kB argument', { type: 'tool_call', target: 'Write', data: { name: 'Write', arguments: { path: 'a', content: text(100_000) } } }],
    ['a 1 MB argument', { type: 'tool_call', target: 'Write', data: { name: 'Write', arguments: { path: 'a', content: text(1_000_000) } } }],
  ];
  return events.map(([what, event]) => {
    for (let index = 0; index < 20; index += 1) milliseconds(structuredClone(event), policies);
    const figure = median(Array.from({ length: 20 }, () => milliseconds(structuredClone(event), policies)));
    return { what: `100 policies of ten kinds on ${what}`, figure: `${figure.toFixed(1)} ms`, bar: '≤ 50 ms', held: figure <= 50 };
  });
}

/** The whole command, on the vectors of the tests under new ids. */
export async function policyTestOn5000(directory: string): Promise<Row> {
  const folder = path.join(root, 'test/vectors');
  const lines: string[] = [];
  for (const file of (await readdir(folder)).filter((name) => name.endsWith('.jsonl') && name !== 'exceptions.jsonl')) {
    for (const line of (await readFile(path.join(folder, file), 'utf8')).split('\n').filter((text) => text.trim() !== '')) {
      lines.push(JSON.stringify({ family: path.basename(file, '.jsonl'), ...(JSON.parse(line) as object) }));
    }
  }
  const vectors = Array.from({ length: 5000 }, (_, index) => JSON.stringify({ ...(JSON.parse(lines[index % lines.length] ?? '') as object), id: `v${index}` }));
  const file = path.join(directory, 'vectors.jsonl');
  await writeFile(file, vectors.join('\n'));
  const startedAt = performance.now();
  const { stdout } = await promisify(execFile)(process.execPath, [path.join(root, 'src/cli/main.ts'), 'policy', 'test', file], { cwd: directory });
  const seconds = (performance.now() - startedAt) / 1000;
  return { what: '`policy test` on 5,000 vectors', figure: `${seconds.toFixed(1)} s (${stdout.trim()})`, bar: '≤ 5 s', held: seconds <= 5 };
}
