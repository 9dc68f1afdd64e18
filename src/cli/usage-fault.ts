/** A command that was called wrongly. The message is one line and says what to do. */
export class UsageFault extends Error {
  override readonly name = 'UsageFault';
}
