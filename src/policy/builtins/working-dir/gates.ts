import type { AllowedDirs } from './allowed-dirs.ts';

/** What the policy gates. */
export interface Gates {
  readonly blockCd: boolean;
  readonly blockWorktree: boolean;
  readonly allowed: AllowedDirs;
}

/** A gated act that was found. */
export interface Change {
  /** The command, or the part of it, for people. */
  readonly what: string;
  /** False: it may be none. */
  readonly isCertain: boolean;
}
