/** There is more in a text than can be searched in the time that one event has. What is not searched may be personal data. */
export class TooMuchToSearch extends Error {
  override readonly name = 'TooMuchToSearch';
}

/** Throws where there are more of something than any honest text has. */
export function bound(count: number, most: number): void {
  if (count > most) throw new TooMuchToSearch();
}
