import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Model, ModelQuestion } from '../gate/model.ts';
import { complete, type Completion, type Endpoint } from './complete.ts';
import { messagesOf } from './messages.ts';

export interface ModelSettings extends Endpoint {
  /** How long one endpoint may take, its retry included. */
  readonly timeoutSeconds: number;
  /** Asked in this order when the one before gives no answer: other models of the same endpoint, or other endpoints. */
  readonly fallbacks: readonly (string | Fallback)[];
}

export interface Fallback {
  readonly model: string;
  /** Null: the first endpoint, with its key. */
  readonly baseUrl: string | null;
  readonly apiKey: string | null;
}

export interface ModelParts {
  readonly settings: ModelSettings;
  readonly log: { warn(fields: object, message: string): void };
}

/** Every event that the gate takes fits, quoted twice over. */
const bodyBytesMax = 8_388_608;

/** The model behind an endpoint that speaks OpenAI's chat completions. */
export function createModel({ settings, log }: ModelParts): Model {
  const endpoints = [settings, ...settings.fallbacks.map((fallback) => endpointOf(fallback, settings))];
  const milliseconds = settings.timeoutSeconds * 1000;
  return {
    async ask(question, signal) {
      for (const endpoint of endpoints) {
        const completion = await askOne(endpoint, question, AbortSignal.any([signal, AbortSignal.timeout(milliseconds)]));
        if (completion.kind === 'text') return { kind: 'answered', text: completion.text };
        if (signal.aborted) break;
        log.warn({ baseUrl: endpoint.baseUrl, model: endpoint.model, why: completion.why }, 'the model gave no answer');
      }
      return { kind: 'failed' };
    },
  };
}

/** The key is for the endpoint that it was given with: another one gets its own or none. */
function endpointOf(fallback: string | Fallback, first: Endpoint): Endpoint {
  if (typeof fallback === 'string') return { ...first, model: fallback };
  const { model, baseUrl, apiKey } = fallback;
  return baseUrl === null ? { baseUrl: first.baseUrl, model, apiKey: apiKey ?? first.apiKey } : { baseUrl, model, apiKey };
}

/** Once, and once more where that may help and there is time. */
async function askOne(endpoint: Endpoint, question: ModelQuestion, signal: AbortSignal): Promise<Completion> {
  const body = bodyOf(endpoint, question);
  if (Buffer.byteLength(body) > bodyBytesMax) return { kind: 'failed', why: 'the question is too long', retryAfterMilliseconds: null };
  const first = await complete(endpoint, body, signal);
  if (first.kind === 'text' || first.retryAfterMilliseconds === null) return first;
  try {
    await pause(first.retryAfterMilliseconds, undefined, { signal });
  } catch {
    return first; // the time is up before it may be asked again
  }
  return complete(endpoint, body, signal);
}

function bodyOf({ model }: Endpoint, question: ModelQuestion): string {
  return JSON.stringify({
    model,
    messages: messagesOf(question, randomBytes(16).toString('hex')),
    temperature: 0,
    response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema: question.answerSchema } },
  });
}
