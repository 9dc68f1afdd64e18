import type { JSONRPCMessage, JSONRPCNotification, JSONRPCRequest, ProgressToken } from '@modelcontextprotocol/sdk/types.js';

/** What one call waits for, told to a client that asked for progress, so that its time limit does not end the call. */
export interface WaitingNote {
  /** From now on, every 5 s. */
  begin(): void;
  /** At once, and from now on. */
  say(message: string): void;
  pause(): void;
  /** The call is over. */
  end(): void;
}

export interface WaitingNotes {
  of(request: JSONRPCRequest): WaitingNote;
  /** The server's own progress: ours must go on from there. */
  hear(notification: JSONRPCNotification): void;
}

const everyMilliseconds = 5000;

/** Progress has to grow, and the server's own must not fall behind ours. */
const step = 1e-6;

export function createWaitingNotes(send: (message: JSONRPCMessage) => void): WaitingNotes {
  const reached = new Map<ProgressToken, number>();

  function create(progressToken: ProgressToken): WaitingNote {
    let timer: ReturnType<typeof setInterval> | undefined;
    let message = '';
    reached.set(progressToken, 0);
    const tell = () => {
      const progress = (reached.get(progressToken) ?? 0) + step;
      reached.set(progressToken, progress);
      send({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress, message } });
    };
    const pause = () => clearInterval(timer);
    return {
      begin() {
        pause();
        message = 'Waiting for Countersign';
        timer = setInterval(tell, everyMilliseconds);
      },
      say(text) {
        message = text;
        tell();
      },
      pause,
      end() {
        pause();
        reached.delete(progressToken);
      },
    };
  }

  return {
    of: ({ params }) => (params?._meta?.progressToken === undefined ? silent : create(params._meta.progressToken)),
    hear({ method, params }) {
      const { progressToken, progress } = params ?? {};
      const isOurs = typeof progressToken === 'string' || typeof progressToken === 'number' ? reached.has(progressToken) : false;
      if (method === 'notifications/progress' && isOurs && typeof progress === 'number') reached.set(progressToken as ProgressToken, progress);
    },
  };
}

const nothing = () => undefined;
const silent: WaitingNote = { begin: nothing, say: nothing, pause: nothing, end: nothing };
