import type { z } from 'zod';

/** Opaque to clients: a place in a list, which stays good when its item is deleted. */
export function cursorOf({ id }: { readonly id: string }): string {
  return Buffer.from(id).toString('base64url');
}

/** The id that a cursor of the list stands for; null: it is no cursor, or one of another list. */
export function idOf<Schema extends z.ZodType<string>>(cursor: string, schema: Schema): z.output<Schema> | null {
  const parsed = schema.safeParse(Buffer.from(cursor, 'base64url').toString());
  return parsed.success && cursorOf({ id: parsed.data }) === cursor ? parsed.data : null;
}
