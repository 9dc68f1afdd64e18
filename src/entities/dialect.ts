/** The little that the databases spell differently, for whoever writes SQL. All other SQL of ours is understood by each of them. */
export interface Dialect {
  /** SQL at the end of a `select`: locks its rows against each other's changes until the transaction ends, but not against rows that refer to them. Empty: nothing need be said. */
  readonly rowLock: string;
  /** SQL: the text under a key of a JSON column. */
  readonly textIn: (column: string, key: string) => string;
  /** SQL: whether a column's text fits the pattern that is the next parameter, case and all. */
  readonly fits: (column: string) => string;
  /** That parameter, of a pattern in which `*` stands for any text. */
  readonly parameterOf: (pattern: string) => string;
}
