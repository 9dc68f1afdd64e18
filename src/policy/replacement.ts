import type { Attachment, PolicyEvent } from './event.ts';
import { freezeDeep } from './frozen-json.ts';
import { isJsonList, isJsonObject, type Json } from './json.ts';

/** An event whose payload a policy rewrote, and that payload as the caller gets it. */
export interface Replacement {
  readonly event: PolicyEvent;
  readonly data: Json;
}

/**
 * Puts `data` into the event for the policies that follow. Throws a TypeError when it does not have the shape of the
 * event's type, and when it would rename the tool: the policies that judged, or passed over, the old name have not
 * judged the new one.
 */
export function replaceData(event: PolicyEvent, data: Json): Replacement {
  switch (event.type) {
    case 'request': {
      if (!isJsonObject(data) || typeof data['user_content'] !== 'string' || !isJsonList(data['attachments'])) throw misfit(event);
      const request = { user_content: data['user_content'], attachments: data['attachments'].map((item) => attachment(event, item)) };
      return { event: freezeDeep({ ...event, data: request }), data: request };
    }
    case 'response':
      if (typeof data !== 'string') throw misfit(event);
      return { event: freezeDeep({ ...event, data }), data };
    case 'tool_call': {
      if (!isJsonObject(data) || !isJsonObject(data['arguments'])) throw misfit(event);
      if (data['name'] !== event.data.name) throw new TypeError('A replacement may change the arguments of a tool call, not its name.');
      const call = { name: event.data.name, arguments: data['arguments'] };
      return { event: freezeDeep({ ...event, data: call }), data: call };
    }
    case 'tool_result': {
      if (!isJsonObject(data) || data['result'] === undefined) throw misfit(event);
      const output = { result: data['result'] };
      return { event: freezeDeep({ ...event, data: output }), data: output };
    }
    case 'llm_request':
    case 'llm_response':
      if (!isJsonObject(data)) throw misfit(event);
      return { event: freezeDeep({ ...event, data }), data };
    default:
      event satisfies never;
      throw new TypeError('Unknown type of event.');
  }
}

function attachment(event: PolicyEvent, item: Json): Attachment & { [key: string]: Json } {
  if (!isJsonObject(item)) throw misfit(event);
  const { filename = null, content_type = null, text = null } = item;
  if (!isText(filename) || !isText(content_type) || !isText(text)) throw misfit(event);
  return { filename, content_type, text };
}


function isText(value: Json): value is string | null {
  return value === null || typeof value === 'string';
}

function misfit(event: PolicyEvent): TypeError {
  return new TypeError(`The replacement does not have the shape of the data of a ${event.type} event.`);
}
