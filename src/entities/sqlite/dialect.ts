import type { Dialect } from '../dialect.ts';

export const sqliteDialect: Dialect = {
  rowLock: '', // one writer at a time
  placeholder: () => '?',
  textIn: (column, key) => `json_extract(${column}, '$.${key}')`, // as the index of the owners of sessions has it
  fits: (column) => `${column} glob ?`, // `like` makes no difference between a and A
  parameterOf: (pattern) => pattern.replace(/[[?]/g, '[$&]'),
  clock: "cast(unixepoch('subsec') * 1000 as integer)",
  numbersTransactions: false,
  isAfter: 'transaction_id >= ? and position > ?', // of transactions there is only 0: this way the row's number is the index
  eventOrder: 'position',
  isSettled: '1 = 1',
  isRestored: '1 = 0',
  head: 'select 0 as transaction_id, max((select coalesce(max(position), 0) from session_event), (select position from session_event_floor)) as position',
};
