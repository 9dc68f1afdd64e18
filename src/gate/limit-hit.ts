import type { Principal } from '../entities/principal.ts';

/** A limit that a caller has met, by its key in the configuration. */
export interface LimitHit {
  readonly limit: string;
  /** Null: nobody has been let in yet. */
  readonly principal: Principal | null;
  /** Where the caller is, where that is what counts. */
  readonly address?: string;
}

/** The one place where each limit that is met is noticed. Never throws, and costs next to nothing: floods come through here. */
export type OnLimitHit = (hit: LimitHit) => void;
