import { describe, expect, it } from 'vitest';
import type { Act } from '../../src/hooks/host.ts';
import { hosts } from '../../src/hooks/index.ts';
import { changedArguments, changedText, reason, recordedBy, type Recorded } from './payloads.ts';

const cases = hosts.flatMap((host) => recordedBy(host.name).map((recorded) => ({ host, recorded, title: `${host.name}: ${recorded.name}` })));

describe.each(cases)('$title', ({ host, recorded }) => {
  const reading = host.read(recorded.payload, recorded.event ?? null) as Act;
  const said = (answer: Parameters<typeof host.phrase>[1]) => {
    const output = host.phrase(reading, answer);
    return output && { ...output, stdout: output.stdout === '' ? '' : JSON.parse(output.stdout) };
  };
  const printed = (json: Recorded['allow']) => ({ stdout: json, stderr: '', exitCode: 0 });

  it('is read as what it tells', () => {
    const { moment, session, parent = null, event, id } = recorded.read;
    expect(reading).toMatchObject({ kind: 'act', moment, session: { id: session, parentId: parent }, event });
    if (id !== undefined) expect(reading.id).toBe(id);
    else expect(reading.id).toEqual(expect.any(String));
  });

  it('is answered in the words of its host', () => {
    expect(said({ verdict: 'ALLOW', instead: null })).toEqual(printed(recorded.allow));
    expect(said({ verdict: 'DENY', reason })).toEqual(printed(recorded.deny));
  });

  it('hands on what counts instead, where its host can take that', () => {
    const isCall = 'toolCall' in recorded.read.event;
    expect(said({ verdict: 'ALLOW', instead: isCall ? changedArguments : changedText })).toEqual(recorded.changed && printed(recorded.changed));
  });
});

describe('an event that a host does not have', () => {
  it.each(hosts.map((host) => [host.name, host] as const))('is refused for %s, for nobody knows what it is about to do', (_name, host) => {
    const [recorded] = recordedBy(host.name);
    expect(() => host.read({ ...recorded?.payload, hook_event_name: 'beforeSomethingNew' }, 'beforeSomethingNew')).toThrow('"beforeSomethingNew" is no event that this hook knows');
  });
});
