/** Thrown for an expression that can never run. */
export class SourceFault extends Error {
  override readonly name = 'SourceFault';
  /** Counted in UTF-16 units from the start of the expression. */
  readonly offset: number;

  /** The message goes on after the place, so it begins in lower case. */
  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** `Line 2, column 7`, both counted from 1. */
export function placeOf(source: string, offset: number): string {
  const before = source.slice(0, offset);
  return `Line ${before.split('\n').length}, column ${offset - before.lastIndexOf('\n')}`;
}
