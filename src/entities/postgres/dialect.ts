import type { Dialect } from '../dialect.ts';

export const postgresDialect: Dialect = {
  rowLock: ' for no key update',
  textIn: (column, key) => `(${column} ->> '${key}')`,
  fits: (column) => `${column} like ?`,
  parameterOf: (pattern) => pattern.replace(/[\\%_]/g, '\\$&').replaceAll('*', '%'),
};
