import type { Answer } from '../crash/ask-server.ts';

/** What is to become of a call; its key ends with the word, so that approvers know what to do about it. */
export const intents = [
  'allowed',
  'denied',
  'accepted',
  'declined',
  /** One approver accepts, another declines at the same time. */
  'disputed',
  /** Accepted with other arguments. */
  'edited',
  /** Accepted together with others, all or none. */
  'bulk',
  /** Sent twice at once, to any servers; accepted. */
  'doubled',
  /** Accepted only after it was held for longer than the grace time, through several disturbances. */
  'patient',
  /** Taken as a ticket, and asked for again and again; accepted. */
  'ticket',
  /** Nobody decides, and its time is short. */
  'overdue',
  /** A ticket that nobody asks for again, with short time. */
  'left',
  /** A ticket that nobody asks for again, and nobody decides. */
  'waiting',
  /** The caller says that it gives up. */
  'withdrawn',
  /** The caller gives up without a word. */
  'deserted',
] as const;

export type Intent = (typeof intents)[number];

export interface Call {
  readonly key: string;
  readonly intent: Intent;
  readonly sessionId: string;
  /** Each answer that said how it ended, and what its caller was told when it withdrew. */
  readonly told: Answer[];
}

/** One subscription on one connection. Times are those of this process, in milliseconds. */
export interface Stay {
  readonly watcher: string;
  /** Whose elicitations it may see. Null: everybody's. */
  readonly owner: string | null;
  readonly from: number;
  until: number;
  readonly shown: string[];
}

/** What one reader has been told of a session, over all of its connections. */
export interface Reading {
  readonly sessionId: string;
  readonly cursors: string[];
}

export interface Resolved {
  readonly elicitationId: string;
  readonly action: 'ACCEPT' | 'DECLINE';
  /** Who: the name of the key. */
  readonly by: string;
  readonly type: string;
  readonly status: string;
}

/** What everybody did and was told, to be held against what is stored. */
export class Ledger {
  readonly calls = new Map<string, Call>();
  readonly ownerOf = new Map<string, string>();
  readonly accepts = new Set<string>();
  readonly resolved: Resolved[] = [];
  readonly stays: Stay[] = [];
  readonly readings: Reading[] = [];
  /** Answers that a disturbance gives leave for, by what they say; they were tried again. */
  readonly failures = new Map<string, number>();
  readonly disturbances = new Map<string, number>();
  /** What no disturbance excuses. */
  readonly broken: string[] = [];
  /** From a decision to the answer of who waited for it, in milliseconds. */
  readonly decidedAt = new Map<string, number>();
  readonly waits: number[] = [];

  /** When the last of them was. */
  lastFailureAt = 0;

  failed(what: string): void {
    this.lastFailureAt = Date.now();
    this.failures.set(what, (this.failures.get(what) ?? 0) + 1);
  }

  disturbed(what: string): void {
    this.disturbances.set(what, (this.disturbances.get(what) ?? 0) + 1);
  }
}
