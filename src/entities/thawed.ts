/** A copy that the entity manager may rewrite: its updates change JSON values in place, which fails on what the engine has frozen. */
export function thawed<T>(value: T): T {
  return structuredClone(value);
}
