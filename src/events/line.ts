/**
 * One connection to a broker, over which the processes of an installation hear each other. Every call ends within
 * `patienceMilliseconds`, also when nobody answers at the other end; a call that rejects means that the line is lost.
 */
export interface Line {
  /** Hands the messages on, in order, to all that listen; this process may hear its own. */
  send(messages: readonly string[]): Promise<void>;
  /** Resolves when the broker has answered, on every connection that the line has. */
  ping(): Promise<void>;
  /** Lets go of it, in whatever state it is. */
  close(): void;
}

export interface Listening {
  readonly heard: (message: string) => void;
  readonly lost: (reason: Error) => void;
}

/** A broker. Rejects, or resolves once messages are heard. */
export type OpenLine = (on: Listening) => Promise<Line>;

export const patienceMilliseconds = 4000;
