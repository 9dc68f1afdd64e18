import { post } from '../support/post.ts';

/** The answer of the document's one field; with `token`, to whoever has that key. Rejects with `Unreachable` when the connection fails, with another error when the answer is one. */
export async function askServer(url: string, document: string, { signal, token, ...variables }: { signal?: AbortSignal; token?: string; input?: object; id?: string }): Promise<Answer> {
  let text: string;
  try {
    const response = await post(url, document, { variables, ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }), ...(signal ? { signal } : {}) });
    text = await response.text();
  } catch (error) {
    throw new Unreachable(`${url} cannot be reached`, { cause: error });
  }
  const { data, errors } = JSON.parse(text) as { data?: Record<string, Answer> | null; errors?: unknown };
  const answer = Object.values(data ?? {})[0];
  if (errors || !answer) throw new Error(`An answer that nobody expects: ${text}`);
  return answer;
}

/** The members that the documents of these tests ask for; each has some of them. */
export interface Answer {
  readonly __typename?: string;
  readonly id: string;
  readonly verdict?: string;
  readonly status?: string;
  readonly decidedBy?: string | null;
  readonly data?: object | null;
  readonly message?: string;
  readonly elicitation?: { readonly id: string; readonly status: string };
}

export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

const backoffMilliseconds = 20;

/** As a client must: again and again until the server answers. */
export async function askUntilAnswered(...call: Parameters<typeof askServer>): Promise<Answer> {
  for (;;) {
    try {
      return await askServer(...call);
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      await new Promise((resolve) => setTimeout(resolve, backoffMilliseconds));
    }
  }
}
