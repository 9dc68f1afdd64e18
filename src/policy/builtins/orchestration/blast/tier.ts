/** How much harm a command can do. `uncertain`: it cannot be known, and it may be any. */
export type Tier = 'catastrophic' | 'risky' | 'uncertain';

export interface Blast {
  readonly tier: Tier;
  /** The command, for people. */
  readonly what: string;
}

export function tierText(tier: Tier): string {
  switch (tier) {
    case 'catastrophic':
      return 'This cannot be undone';
    case 'risky':
      return 'The agent wants to run a risky command';
    case 'uncertain':
      return 'This may run a risky command';
    default:
      tier satisfies never;
      return '';
  }
}

export function strictest(tiers: readonly (Tier | null)[]): Tier | null {
  return order.find((tier) => tiers.includes(tier)) ?? null;
}

const order: readonly Tier[] = ['catastrophic', 'uncertain', 'risky'];
