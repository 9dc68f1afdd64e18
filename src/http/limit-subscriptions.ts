import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { OnLimitHit } from '../gate/limit-hit.ts';
import type { OperationContext } from './operation.ts';

/** Bounds how many subscriptions a credential has at once, over all of its connections: each of them is work for each ask. */
export function limitSubscriptions(subscriptionsPerCredential: number, onLimitHit: OnLimitHit): Plugin<OperationContext> {
  const counts = new Map<string, number>();
  const refusal = { errors: [tooMany(subscriptionsPerCredential)] }; // made once: whoever floods gets it thousands of times
  const enter = (credential: string) => {
    counts.set(credential, (counts.get(credential) ?? 0) + 1);
    let isIn = true;
    return () => {
      if (!isIn) return;
      isIn = false;
      const left = (counts.get(credential) ?? 1) - 1;
      if (left > 0) counts.set(credential, left);
      else counts.delete(credential);
    };
  };
  return {
    onSubscribe({ args, setResultAndStopExecution }) {
      const { operation } = args.contextValue;
      const { identity, signal } = operation;
      if ((counts.get(identity.credential) ?? 0) >= subscriptionsPerCredential) {
        operation.isCounted = true;
        onLimitHit({ limit: 'limits.subscriptionsPerCredential', principal: identity.principal });
        setResultAndStopExecution(refusal);
        return undefined;
      }
      const leave = enter(identity.credential);
      signal.addEventListener('abort', leave, { once: true });
      if (signal.aborted) leave();
      return {
        onSubscribeResult({ result }) {
          if (!(Symbol.asyncIterator in result)) leave();
          return { onEnd: leave };
        },
        onSubscribeError: leave,
      };
    },
  };
}

function tooMany(limit: number): GraphQLError {
  return new GraphQLError(`This credential has ${limit} subscriptions already, which is the limit, over all of its connections. Complete some.`, {
    extensions: { code: 'TOO_MANY_SUBSCRIPTIONS', http: { status: 429, spec: false } },
  });
}
