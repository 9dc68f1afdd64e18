import { describe, expect, it } from 'vitest';
import { append, applyStateUpdates, increment, remove, set, StateTypeError, type JsonObject, type StateUpdate } from '../../src/policy/index.ts';

const proto = JSON.parse('{"__proto__":1}') as JsonObject;

describe('applying state updates', () => {
  it.for<[string, JsonObject, StateUpdate[], JsonObject]>([
    ['sets a new key and an old one', { a: 1 }, [set('b', [1]), set('a', null)], { a: null, b: [1] }],
    ['counts a missing key as 0', {}, [increment('n', 2), increment('n', -0.5)], { n: 1.5 }],
    ['counts a missing key as an empty list', {}, [append('l', 1), append('l', [2])], { l: [1, [2]] }],
    ['counts a null as an empty list', { l: null }, [append('l', 1)], { l: [1] }],
    ['removes a key, and does not mind a missing one', { a: 1, b: 2 }, [remove('a'), remove('c')], { b: 2 }],
    ['starts anew after a removal', { n: 'text' }, [remove('n'), increment('n', 1)], { n: 1 }],
    ['takes members of every object for plain keys', {}, [increment('toString', 1), append('constructor', 1), set('hasOwnProperty', 1)], { toString: 1, constructor: [1], hasOwnProperty: 1 }],
    ['takes __proto__ for a plain key', {}, [increment('__proto__', 1)], proto],
    ['keeps a stored __proto__', proto, [set('a', 1)], JSON.parse('{"__proto__":1,"a":1}') as JsonObject],
    ['removes a stored __proto__', proto, [remove('__proto__')], {}],
  ])('%s', ([, state, updates, after]) => {
    const result = applyStateUpdates(state, updates);
    expect(Object.entries(result)).toEqual(Object.entries(after));
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  });

  it.for<[JsonObject, StateUpdate]>([
    [{ n: '1' }, increment('n', 1)],
    [{ n: null }, increment('n', 1)],
    [{ n: [] }, increment('n', 1)],
    [{ n: true }, increment('n', 1)],
    [{ n: Number.MAX_VALUE }, increment('n', Number.MAX_VALUE)],
    [{ n: 1 }, { key: 'n', action: 'increment', value: '1' } as unknown as StateUpdate],
    [{ l: {} }, append('l', 1)],
    [{ l: 'text' }, append('l', 't')],
    [{ l: 0 }, append('l', 1)],
    [{}, { key: 'n', action: 'merge', value: 1 } as unknown as StateUpdate],
  ])('in %j, %j is a type error', ([state, update]) => {
    expect(() => applyStateUpdates(state, [update])).toThrow(StateTypeError);
  });

  it('leaves the state as it was, also where an update fails', () => {
    const state = { l: [1], n: 1 };
    applyStateUpdates(state, [append('l', 2), set('n', 5)]);
    expect(() => applyStateUpdates(state, [set('n', 5), increment('l', 1)])).toThrow(StateTypeError);
    expect(state).toEqual({ l: [1], n: 1 });
  });
});
