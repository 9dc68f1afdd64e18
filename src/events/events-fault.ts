/** Events that cannot be had at the start. The message is one line, names no credential and says what to do. */
export class EventsFault extends Error {
  override readonly name = 'EventsFault';
}
