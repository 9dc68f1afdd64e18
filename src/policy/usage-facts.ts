/** Tokens and cost so far, spelled as in the reference system's context. */
export interface UsageFact {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly total_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly cache_creation_input_tokens: number;
  /** Absent: there are tokens, and no price was ever known. 0 where nothing was recorded. */
  readonly total_cost_usd?: number;
}

/** What the owner's sessions have cost on one day, all of them together. */
export interface DailyCostFact {
  readonly cost_usd: number;
  /** The highest checkpoint of the day that a person has approved; 0: none. */
  readonly ask_approved_usd: number;
  readonly user_id: string;
  /** The day, in UTC: `2026-08-14`. The reference system does not tell it. */
  readonly day: string;
}
