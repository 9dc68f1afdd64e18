import { expect, it } from 'vitest';
import { inputFields, nameOf } from './input-fields.ts';
import { rows } from './rows.ts';

it('gives bad input to every field that there is', () => {
  const fields = inputFields().map(nameOf);
  expect(Object.keys(rows).toSorted(), 'say in rows.ts what a new field takes').toEqual(fields.toSorted());
});
