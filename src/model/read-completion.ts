import { z } from 'zod';

const answerBytesMax = 1_048_576;

/** What the model says, or why there is nothing to read. Of the answer only as much is taken in as an honest one may have. */
export async function readCompletion(response: Response): Promise<{ kind: 'text'; text: string } | { kind: 'unusable'; why: string }> {
  const type = response.headers.get('content-type') ?? '';
  const body = /^application\/([\w.-]+\+)?json\b/i.test(type) ? await readBounded(response) : null;
  if (body === null) {
    await response.body?.cancel();
    return unusable('the answer is no JSON, or too long');
  }
  const parsed = completion.safeParse(jsonOf(body));
  if (!parsed.success) return unusable('the answer is no chat completion');
  const [{ message, finish_reason: end }] = parsed.data.choices;
  if (message.refusal) return unusable('the model refuses to answer');
  if (end === 'length' || end === 'content_filter') return unusable(`the answer is cut off: ${end}`);
  // A model that can be brought to say nothing must not pass for one that has nothing against it.
  if (!message.content?.trim()) return unusable('the answer is empty');
  return { kind: 'text', text: message.content };
}

const choice = z.object({
  message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
  finish_reason: z.string().nullish(),
});

const completion = z.object({ choices: z.tuple([choice], z.unknown()) });

function unusable(why: string): { kind: 'unusable'; why: string } {
  return { kind: 'unusable', why };
}

/** Null: it is longer. */
async function readBounded(response: Response): Promise<string | null> {
  if (Number(response.headers.get('content-length') ?? 0) > answerBytesMax) return null;
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > answerBytesMax) return null;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
