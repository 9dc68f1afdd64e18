import { describe, expect, it } from 'vitest';
import { isReservedLabel } from '../../src/policy/index.ts';
import { permittedLabels } from '../../src/policy/labels.ts';

describe('reserved labels', () => {
  it.for([
    ['__anything', true],
    ['__proto__', true],
    ['countersign.mode', true],
    ['omnigent.turn_actor', true],
    ['omnigent.pinned.skill', true],
    ['cost_control.budget', true],
    ['_own', false],
    ['countersign', false],
    ['omnigent.turn_actor2', false],
    ['omnigent.pinned', false],
    ['cost_control', false],
    ['team', false],
    ['', false],
  ] as const)('%j: %j', ([key, reserved]) => {
    expect(isReservedLabel(key)).toBe(reserved);
  });
});

describe('which of the wanted labels a policy may write', () => {
  const free = { writableLabels: null, labelValues: {} };

  it.for([
    ['any that is not reserved', { a: '1', __b: '2' }, free, { a: '1' }],
    ['none when its list is empty', { a: '1' }, { ...free, writableLabels: [] }, {}],
    ['those on its list', { a: '1', b: '2' }, { ...free, writableLabels: ['b', 'c'] }, { b: '2' }],
    ['a reserved one not even when it is on its list', { 'countersign.a': '1' }, { ...free, writableLabels: ['countersign.a'] }, {}],
    ['only known values of a defined label', { a: '1', b: '3' }, { ...free, labelValues: { a: ['1'], b: ['1', '2'] } }, { a: '1' }],
    ['no value of a label without any', { a: '1' }, { ...free, labelValues: { a: [] } }, {}],
    ['the empty value, where it is defined', { a: '' }, { ...free, labelValues: { a: [''] } }, { a: '' }],
    ['a label named like a member of every object', { constructor: '1' }, free, { constructor: '1' }],
  ] as const)('%s', ([, wanted, rules, permitted]) => {
    expect(permittedLabels(wanted, rules)).toEqual(Object.entries(permitted));
  });
});
