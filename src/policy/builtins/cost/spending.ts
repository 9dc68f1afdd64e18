import { readUsd } from './usd.ts';

/** What has been spent in dollars; null: nobody can say, for tokens were used and their price is not known. */
export type SpentUsd = number | null;

/** What a usage says was spent. Throws where it is neither an object nor empty. */
export function spentOf(usage: unknown): SpentUsd {
  const members = membersOf(usage);
  const hasTokens = tokenCounts.some((name) => isSome(members[name]));
  const { total_cost_usd: cost } = members;
  if (cost === undefined || cost === null) return hasTokens ? null : 0;
  return readUsd(cost);
}

/** What the owner has spent on a day. A day of which nothing is said cost nothing; one whose cost cannot be read may have cost anything. */
export function spentOnDay(dailyCost: unknown): SpentUsd {
  const { cost_usd: cost } = membersOf(dailyCost);
  return cost === undefined ? 0 : readUsd(cost);
}

/** Vectors and embedders may leave a fact out, as null or as another empty value; anything else that is no object is a mistake. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  if (!isSome(value) || (Array.isArray(value) && value.length === 0)) return {};
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError('Usage is an object.');
  return value as Readonly<Record<string, unknown>>;
}

/** Cached tokens cost money, too. */
const tokenCounts = ['input_tokens', 'output_tokens', 'total_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'];

function isSome(value: unknown): boolean {
  return value !== undefined && value !== null && value !== 0 && value !== '' && value !== false;
}
