import { describe, expect, it } from 'vitest';
import { abstain, askOnAddPolicy, builtinRegistry, createRegistry, defineHandler, type Handler } from '../../src/policy/index.ts';

function handler(name: string): Handler {
  return defineHandler({ name, title: 'T', description: 'D', phases: ['TOOL_CALL'], judge: () => abstain() });
}

describe('finding a handler', () => {
  const registry = createRegistry([handler('safety.block_skills'), handler('orchestration.blast_radius')]);

  it.for([
    ['safety.block_skills', 'safety.block_skills'],
    ['omnigent.policies.builtins.safety.block_skills', 'safety.block_skills'],
    ['omnigent.policies.builtins.orchestration.blast_radius', 'orchestration.blast_radius'],
    ['omnigent.inner.nessie.policies.blast_radius', 'orchestration.blast_radius'],
    ['omnigent.inner.nessie.policies.block_skills', null],
    ['block_skills', null],
    ['safety.Block_Skills', null],
    ['safety.block_skills ', null],
    ['omnigent.policies.builtins.', null],
    ['omnigent.policies.builtins.omnigent.policies.builtins.safety.block_skills', null],
    ['constructor', null],
    ['__proto__', null],
    ['', null],
  ] as const)('by %j gives %j', ([name, found]) => {
    expect(registry.find(name)?.name ?? null).toBe(found);
  });

  it('lists the handlers in the order given', () => {
    expect(registry.list().map(({ name }) => name)).toEqual(['safety.block_skills', 'orchestration.blast_radius']);
  });
});

describe('making a registry', () => {
  it('refuses two handlers of one name', () => {
    expect(() => createRegistry([handler('a.b'), handler('a.b')])).toThrow('Two handlers are named a.b.');
  });

  it.for(['a', 'a.b.c', 'A.b', 'a-b.c', '.a', 'a.', 'a. b', '1a.b', ''])('refuses the name %j', (name) => {
    expect(() => createRegistry([handler(name)])).toThrow('<family>.<name>');
  });
});

describe('the builtins', () => {
  it('are in the registry, each with words for people', () => {
    const listed = builtinRegistry().list();
    expect(listed.map(({ name }) => name)).toEqual(expect.arrayContaining(['safety.ask_on_os_tools', 'safety.block_skills', 'safety.max_tool_calls_per_session']));
    for (const { name, title, description, phases } of listed) {
      expect({ name, title, description, phases }).toEqual({ name, title: expect.stringMatching(/\w/), description: expect.stringMatching(/\w/), phases: expect.arrayContaining([expect.any(String)]) });
    }
  });

  it('hold the guard too, though every session has it already', () => {
    expect(builtinRegistry().find('safety.ask_on_add_policy')).toBe(askOnAddPolicy);
  });
});
