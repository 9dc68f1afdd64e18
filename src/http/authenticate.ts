import type { Credentials, Identity } from '../gate/credentials.ts';

export type { Identity };

/** Who shows this `Authorization`; null: nobody we let in. The one place that looks at credentials, for HTTP and WebSockets alike. */
export type Authenticate = (authorization: string | undefined) => Promise<Identity | null>;

/** Whoever shows no credential is the local user, as long as there is none to show. */
export function authenticateBy({ find, local }: Pick<Credentials, 'find' | 'local'>): Authenticate {
  return async (authorization) => {
    if (authorization === undefined) return local();
    const [, token] = /^Bearer +([!-~]+) *$/i.exec(authorization) ?? [];
    return token === undefined ? null : find(token);
  };
}
