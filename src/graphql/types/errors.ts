import { builder } from '../builder.ts';
import { errorTypeOf } from '../error-types.ts';

builder.interfaceType('Error', {
  description: 'An expected failure. Nothing was changed. Unexpected failures are in the `errors` of the response, with an id to look up in the log of the server.',
  resolveType: (failure) => errorTypeOf(failure),
  fields: (t) => ({
    message: t.exposeString('message', { description: 'What was wrong and what would be right, for people. Its wording may change; tell errors apart by their type.' }),
  }),
});

builder.objectType('InputIssue', {
  description: 'One thing wrong with an input.',
  fields: (t) => ({
    path: t.exposeStringList('path', { description: 'The way to the value, from the input on, with list positions as numbers: `["event", "toolCall", "name"]`. Empty: the input as a whole.' }),
    message: t.exposeString('message', { description: 'What would be right, for people.' }),
  }),
});

builder.objectType('InvalidInputError', {
  description: 'The input breaks a rule that its types cannot express: a length, a range, a reserved name, params that the handler does not take.',
  interfaces: ['Error'],
  fields: (t) => ({
    issues: t.field({ type: ['InputIssue'], description: 'All that is wrong with it, at least one.', resolve: ({ issues }) => issues }),
  }),
});

builder.objectType('NotFoundError', {
  description: 'Something that the input names does not exist, or the caller may not see it.',
  interfaces: ['Error'],
  fields: (t) => ({ id: t.exposeID('id', { description: 'The id, or the key, that leads nowhere; of several the first.' }) }),
});

builder.objectType('ConflictError', {
  description: 'The change does not go with what is there: a name that is taken, a session that has ended, a change at the same time.',
  interfaces: ['Error'],
});

builder.objectType('ForbiddenError', {
  description: 'The caller may see it and may not do it. Whoever evaluates on a session cannot accept what it asks for.',
  interfaces: ['Error'],
});

builder.objectType('AlreadyResolvedError', {
  description: 'Someone else was first, or the deadline has passed. This answer decided nothing.',
  interfaces: ['Error'],
  fields: (t) => ({ elicitation: t.field({ type: 'Elicitation', description: 'As it was resolved; of several the first.', resolve: ({ elicitation }) => elicitation }) }),
});

builder.objectType('StaleElicitationError', {
  description: '`expectedDigest` is not the digest of the elicitation: what the approver saw is not what would run. Nothing is decided.',
  interfaces: ['Error'],
  fields: (t) => ({ elicitation: t.field({ type: 'Elicitation', description: 'As it is, to look at again.', resolve: ({ elicitation }) => elicitation }) }),
});

builder.objectType('IdempotencyKeyReusedError', {
  description: 'The idempotency key stands for another event of this session. Nothing was judged.',
  interfaces: ['Error'],
  fields: (t) => ({ evaluation: t.field({ type: 'Evaluation', description: 'The one that the key stands for.', resolve: ({ evaluation }) => evaluation }) }),
});

builder.objectType('EditRefusedError', {
  description: 'The edited call was judged and does not pass, or this elicitation cannot be edited. Nothing is decided: accept, decline or edit it otherwise.',
  interfaces: ['Error'],
  fields: (t) => ({
    issues: t.field({ type: ['InputIssue'], description: 'What is wrong with the edit, at least one.', resolve: ({ issues }) => issues }),
    policy: t.exposeString('policy', { nullable: true, description: 'The name of the policy that objects; null where the edit itself is impossible.' }),
  }),
});

builder.objectType('TooManyPendingError', {
  description: 'As many calls wait for a decision as the caller may have, or the server holds, at once. Nothing was stored, and the act is not permitted: try again later.',
  interfaces: ['Error'],
  fields: (t) => ({ limit: t.exposeInt('limit', { description: 'The limit that was met: of the caller, or of the server. The message says which.' }) }),
});

builder.objectType('RateLimitedError', {
  description: 'The credential was used too often within a minute. Nothing was done: wait, then call again.',
  interfaces: ['Error'],
  fields: (t) => ({ retryAfterSeconds: t.exposeInt('retryAfterSeconds', { description: 'From when on it is taken again, in seconds from now, at least 1.' }) }),
});
