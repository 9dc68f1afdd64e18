import { builder } from '../builder.ts';
import { ElicitationAction } from './enums.ts';

builder.objectType('Resolution', {
  description: 'How an elicitation was resolved, by whom and when.',
  fields: (t) => ({
    action: t.expose('action', { type: ElicitationAction, description: 'The answer.' }),
    content: t.expose('content', { type: 'JSONObject', nullable: true, description: "The form's values; null: none were given." }),
    comment: t.exposeString('comment', { nullable: true, description: "The approver's words, or Countersign's where it closed the elicitation; null: none." }),
    editedArguments: t.expose('editedArguments', { type: 'JSONObject', nullable: true, description: 'The arguments that the tool gets instead; null: they were not edited.' }),
    by: t.expose('by', { type: 'Principal', description: 'Who answered.' }),
    at: t.expose('at', { type: 'DateTime', description: 'When.' }),
  }),
});

builder.objectType('ResolvedElicitations', {
  description: 'What one answer to many has resolved.',
  fields: (t) => ({
    elicitations: t.field({ type: ['Elicitation'], description: 'All that the input names, each once, oldest first.', resolve: ({ elicitations }) => elicitations }),
  }),
});
