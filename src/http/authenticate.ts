import type { Gate } from '../gate/gate.ts';

/** Who a caller is; null: nobody we know. The one place that looks at credentials, for HTTP and WebSockets alike. */
export type Authenticate = () => Principal | null;

export type Principal = Gate['principal'];

/** No credentials exist: whoever reaches the loopback address is the local user. */
export function authenticateAs(localUser: Principal): Authenticate {
  return () => localUser;
}
