import { evaluate } from '../../src/policy/evaluate.ts';
import type { RunnablePolicy } from '../../src/policy/pass.ts';
import type { PolicyEvent } from '../../src/policy/event.ts';
import { builtinRegistry } from '../../src/policy/registry.ts';
import { median, type Row } from './figures.ts';

const policyCount = 10;
const batch = 1000;

/** The engine alone: ten policies on a tool call. */
export function engineAlone(): Row {
  const registry = builtinRegistry();
  const policies = Array.from({ length: policyCount }, (_, index): RunnablePolicy => {
    const handler = registry.find(index % 2 === 0 ? 'safety.ask_on_os_tools' : 'safety.block_skills');
    const built = handler?.build(index % 2 === 0 ? null : { blocked: ['deploy', 'release'] });
    if (!handler || built?.kind !== 'built') throw new Error('A builtin cannot be built.');
    const on = handler.phases.map((phase) => ({ phase, toolName: null }));
    return { name: `p${index}`, level: 'SESSION', handler: handler.name, on, condition: null, writableLabels: null, askTimeoutSeconds: null, judge: built.judge };
  });
  const facts = { state: {}, labels: {}, model: null, harness: null, actor: { run_as: 'bench' } };
  const once = (index: number) => {
    const event: PolicyEvent = { type: 'tool_call', target: 'web_search', data: { name: 'web_search', arguments: { q: String(index) } } };
    return evaluate({ event, facts: { ...facts }, policies, labelValues: {} }).verdict;
  };
  for (let index = 0; index < 20_000; index += 1) once(index);
  const figures = Array.from({ length: 30 }, () => {
    const startedAt = performance.now();
    for (let index = 0; index < batch; index += 1) once(index);
    return ((performance.now() - startedAt) / batch) * 1000;
  });
  const microseconds = median(figures);
  return { what: 'engine alone, 10 policies, tool call', figure: `${microseconds.toFixed(1)} µs`, bar: '≤ 20 µs', held: microseconds <= 20 };
}
