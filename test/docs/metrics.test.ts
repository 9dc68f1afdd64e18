import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createMetrics } from '../../src/telemetry/metrics.ts';

const docs = path.join(import.meta.dirname, '../../docs');

/** The names of the metrics that there are, as queries have them. */
async function namesOfMetrics(): Promise<ReadonlySet<string>> {
  const metrics = createMetrics();
  metrics.watch(() => ({ parked: 0, pending: 0, areEventsUp: true, connections: null }));
  const types = [...(await metrics.text()).matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [String(name), String(type)] as const);
  return new Set(types.flatMap(([name, type]) => (type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name])));
}

function namesIn(query: string): string[] {
  return query.match(/\b(?:countersign|nodejs|process)_\w+/g) ?? [];
}

it('the dashboard and the alerts ask for metrics that there are', async () => {
  const names = await namesOfMetrics();
  const dashboard = JSON.parse(await readFile(path.join(docs, 'grafana-dashboard.json'), 'utf8')) as { panels: { targets: { expr: string }[] }[] };
  const alerts = [...(await readFile(path.join(docs, 'operations.md'), 'utf8')).matchAll(/^ +expr: (.+)$/gm)].map(([, query]) => String(query));
  const asked = [...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)), ...alerts].flatMap(namesIn);
  expect(asked.length).toBeGreaterThan(20);
  expect(asked.filter((name) => !names.has(name))).toEqual([]);
});

it('the manual names every metric of ours', async () => {
  const manual = await readFile(path.join(docs, 'operations.md'), 'utf8');
  const ours = [...(await namesOfMetrics())].filter((name) => name.startsWith('countersign_')).map((name) => name.replace(/_(bucket|sum|count)$/, ''));
  expect(ours.filter((name) => !manual.includes(name))).toEqual([]);
});
