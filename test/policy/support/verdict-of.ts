import type { Facts, Handler, JsonObject, Opinion, PolicyEvent } from '../../../src/policy/index.ts';
import { askModel, facts } from './pass.ts';

/** What a handler with these params says of an event. Throws where the params are refused, and what the judge throws. */
export function opinionOf(handler: Handler, params: JsonObject | null, { event, known = {} }: { event: PolicyEvent; known?: Partial<Facts> }): Opinion {
  const built = handler.build(params);
  if (built.kind !== 'built') throw new Error(JSON.stringify(built.issues));
  return built.judge({ event, facts: facts(known), askModel });
}
