import type { Dialect } from '../dialect.ts';

export const sqliteDialect: Dialect = {
  rowLock: '', // one writer at a time
  textIn: (column, key) => `json_extract(${column}, '$.${key}')`, // as the index of the owners of sessions has it
  fits: (column) => `${column} glob ?`, // `like` makes no difference between a and A
  parameterOf: (pattern) => pattern.replace(/[[?]/g, '[$&]'),
};
