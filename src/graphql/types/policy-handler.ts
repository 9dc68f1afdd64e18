import { phases } from '../../policy/event.ts';
import type { Registry } from '../../policy/registry.ts';
import { builder, type PolicyHandler, type SuccessShapes } from '../builder.ts';
import { HandlerKind, Phase } from './enums.ts';

builder.objectType('PolicyHandler', {
  description: 'A registered policy function. Only registered handlers can be attached.',
  fields: (t) => ({
    name: t.exposeString('name', { description: '`<family>.<name>`, such as `safety.ask_on_os_tools`. What `handler` of a policy takes.' }),
    kind: t.expose('kind', { type: HandlerKind, description: 'Whether it takes params.' }),
    title: t.exposeString('title', { description: 'For people, a few words.' }),
    description: t.exposeString('description', { description: 'For people: what it judges and how.' }),
    paramsSchema: t.expose('paramsSchema', { type: 'JSONObject', nullable: true, description: 'JSON Schema (draft 7) of its params, with defaults; null: it takes none.' }),
    phases: t.field({ type: [Phase], description: 'The phases that it judges where a policy does not choose with `on`.', resolve: (handler) => handler.phases }),
  }),
});

/** The policy's handler; of one that is gone, what the policy itself still tells. */
export function handlerOf({ handler, params }: SuccessShapes['Policy'], registry: Pick<Registry, 'find'>): PolicyHandler {
  return (
    registry.find(handler) ?? {
      name: handler,
      kind: params ? 'FACTORY' : 'CALLABLE',
      title: handler,
      description: 'Not registered on this server (any more). Until it is, the policy denies whatever it would judge: register the handler again, or disable or delete the policy.',
      paramsSchema: null,
      phases,
    }
  );
}
