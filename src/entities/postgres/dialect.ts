import type { Dialect } from '../dialect.ts';

export const postgresDialect: Dialect = {
  textIn: (column, key) => `(${column} ->> '${key}')`,
  fits: (column) => `${column} like ?`,
  parameterOf: (pattern) => pattern.replace(/[\\%_]/g, '\\$&').replaceAll('*', '%'),
};
