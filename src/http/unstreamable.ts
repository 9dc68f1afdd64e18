import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { OperationContext } from './operation.ts';

/** A subscription whose caller takes no stream is refused before it starts; Yoga would start it, say 406 and leave it running. */
export const refuseUnstreamable: Plugin<OperationContext> = {
  onSubscribe({ args, setResultAndStopExecution }) {
    const { operation } = args.contextValue;
    operation.isSubscription = true;
    if (!operation.takesStream) setResultAndStopExecution({ errors: [notAcceptable] });
  },
};

const notAcceptable = new GraphQLError('A subscription needs "Accept: text/event-stream", or the WebSocket protocol graphql-transport-ws.', {
  extensions: { code: 'NOT_ACCEPTABLE', http: { status: 406, spec: false } },
});
