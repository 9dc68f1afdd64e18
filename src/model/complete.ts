import { readCompletion } from './read-completion.ts';

/** Where a model is, and who asks. */
export interface Endpoint {
  /** Without a trailing slash; `/chat/completions` is below it. */
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey: string | null;
}

export type Completion =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'failed';
      /** For the log: no word of question, answer or key. */
      readonly why: string;
      /** Null: asking again is no use. */
      readonly retryAfterMilliseconds: number | null;
    };

const pauseMilliseconds = 250;

/** One request. Follows no redirect: what is asked, and the key, are meant for this endpoint alone. Never rejects. */
export async function complete({ baseUrl, apiKey }: Endpoint, body: string, signal: AbortSignal): Promise<Completion> {
  try {
    const response = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }) },
      body,
      redirect: 'manual',
      signal,
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      const isPassing = response.status === 429 || response.status >= 500;
      return failed(`status ${response.status}`, isPassing ? pauseBefore(response) : null);
    }
    const read = await readCompletion(response);
    return read.kind === 'text' ? read : failed(read.why, null);
  } catch (error) {
    if (signal.aborted) return failed('no answer in time', null);
    return failed(`no connection: ${codeOf(error)}`, pauseMilliseconds);
  }
}

function failed(why: string, retryAfterMilliseconds: number | null): Completion {
  return { kind: 'failed', why, retryAfterMilliseconds };
}

/** As the endpoint wishes, where it says so in seconds. */
function pauseBefore({ headers }: Response): number {
  const seconds = headers.get('retry-after') ?? '';
  return /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1000 : pauseMilliseconds;
}

/** The code says enough, e.g. `ECONNREFUSED`; a message might repeat what was sent. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : 'unknown';
}
