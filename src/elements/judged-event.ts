import type { Elicitation } from '../sdk/index.ts';
import type { Words } from './messages.ts';

/** What is judged, as people read it. */
export interface JudgedEvent {
  /** The tool, or in words what it is. */
  readonly title: string;
  /** What is shown in full: a call's arguments, or the content. */
  readonly content: unknown;
  /** Set for a call: these can be edited. */
  readonly callArguments: Readonly<Record<string, unknown>> | null;
}

/** Reads an elicitation's or evaluation's `event`. One that is not understood is shown whole. */
export function judgedEvent({ event, phase }: Pick<Elicitation, 'event' | 'phase'>, { say }: Words): JudgedEvent {
  const { target, data } = isObject(event) ? event : {};
  const tool = typeof target === 'string' ? target : '';
  const content = data ?? event;
  switch (phase) {
    case 'TOOL_CALL': {
      const callArguments = isObject(data) && isObject(data['arguments']) ? data['arguments'] : null;
      return { title: tool, content: callArguments ?? content, callArguments };
    }
    case 'TOOL_RESULT':
      return { title: say('resultOf', { tool }), content, callArguments: null };
    case 'REQUEST':
      return { title: say('request'), content, callArguments: null };
    case 'RESPONSE':
      return { title: say('response'), content, callArguments: null };
    case 'LLM_REQUEST':
      return { title: say('llmRequest'), content, callArguments: null };
    case 'LLM_RESPONSE':
      return { title: say('llmResponse'), content, callArguments: null };
    default:
      return { title: phase, content, callArguments: null }; // of a newer server
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
