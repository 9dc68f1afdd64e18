/** The time of the page's clock. */
export function now(): Date {
  return new Date();
}
