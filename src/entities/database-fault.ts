/** A database that cannot be used. The message is one line and says what to do. */
export class DatabaseFault extends Error {
  override readonly name = 'DatabaseFault';
}
