/** The little that the databases spell differently, for whoever writes SQL. All other SQL of ours is understood by each of them. */
export interface Dialect {
  /** SQL at the end of a `select`: locks its rows against each other's changes until the transaction ends, but not against rows that refer to them. Empty: nothing need be said. */
  readonly rowLock: string;
  /** SQL: the parameter at this position of a statement, from 1. */
  readonly placeholder: (position: number) => string;
  /** SQL: the text under a key of a JSON column. */
  readonly textIn: (column: string, key: string) => string;
  /** SQL: whether a column's text fits the pattern that is the next parameter, case and all. */
  readonly fits: (column: string) => string;
  /** That parameter, of a pattern in which `*` stands for any text. */
  readonly parameterOf: (pattern: string) => string;
  /** SQL: the time by the database's clock, in milliseconds since 1970. */
  readonly clock: string;
  /** Whether several transactions write at once, so that the order of what they write is theirs first. */
  readonly numbersTransactions: boolean;
  /** SQL: whether the event of this row comes after the place that is the next two parameters, a transaction and a position. */
  readonly isAfter: string;
  /** SQL: the columns by which events are in order. */
  readonly eventOrder: string;
  /** SQL: whether no transaction is still under way that could write before the event of this row. */
  readonly isSettled: string;
  /** SQL: a row `transaction_id`, `position`: all that is committed later comes after it. */
  readonly head: string;
  /** SQL: whether the transaction of this row is one that has not begun yet: the row was restored from another database. */
  readonly isRestored: string;
}
