import { abstain, allow, append, ask, defineHandler, deny, set } from '../../src/policy/index.ts';

/** Repeats all that it judges, wherever a policy can. */
export const quoting = defineHandler({
  name: 'test.quoting',
  title: 'Quote',
  description: 'Quotes the whole call.',
  phases: ['TOOL_CALL'],
  judge: ({ event }) => {
    if (event.type !== 'tool_call' || event.data.name !== 'quote') return abstain();
    const text = JSON.stringify(event.data.arguments);
    const values = JSON.stringify(Object.values(event.data.arguments));
    const { please } = event.data.arguments;
    switch (typeof please === 'string' ? please : '') {
      case 'deny':
        return deny(`No: ${text}`, { stateUpdates: [set('denied', text)] });
      case 'throw':
        throw new Error(`Cannot judge ${values}`);
      case 'remember':
        return allow({ data: { name: 'quote', arguments: { ...event.data.arguments, seen: true } }, stateUpdates: [set('last', event.data.arguments), append(`seen ${text}`, values)] });
      default:
        return ask(`May it? ${text}`);
    }
  },
});
