import type { Client } from '../sdk/index.ts';
import type { Introduction } from './introduction.ts';
import { untilAborted } from './until-aborted.ts';

export interface SessionKeeper {
  /** The session that calls belong to, created by the first one. A failure is forgotten, so that the next call tries again. */
  id(signal: AbortSignal): Promise<string>;
  /** Ends it where no other gateway shares it. */
  close(): Promise<void>;
}

export interface SessionParts {
  readonly countersign: Client;
  readonly introduction: Introduction;
  readonly agent: string | null;
  readonly sessionKey: string | null;
}

const agentByDefault = 'mcp';
const endWithinMilliseconds = 2000;

export function createSessionKeeper({ countersign, introduction, agent, sessionKey }: SessionParts): SessionKeeper {
  const externalId = sessionKey === null ? crypto.randomUUID() : `mcp:${sessionKey}`;
  let opening: Promise<string> | null = null;

  function open(): Promise<string> {
    const { clientName } = introduction;
    opening ??= countersign.openSession({ agent: agent ?? clientName ?? agentByDefault, externalId, harness: clientName ?? undefined }).then(
      ({ id }) => id,
      (error: unknown) => {
        opening = null;
        throw error;
      },
    );
    return opening;
  }

  return {
    id: (signal) => untilAborted(open(), signal),
    async close() {
      if (!opening || sessionKey !== null) return;
      const end = async (sessionId: string) => countersign.endSession({ sessionId }, { signal: AbortSignal.timeout(endWithinMilliseconds) });
      await Promise.race([opening.then(end), new Promise((resolve) => setTimeout(resolve, endWithinMilliseconds).unref())]).catch(() => undefined); // it is for good order only: nothing of it is permitted any more
    },
  };
}
