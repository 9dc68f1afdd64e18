import type { Credentials, Identity } from '../gate/credentials.ts';
import type { JsonWebTokens } from './json-web-tokens.ts';

export type { Identity };

/** Who shows this `Authorization`; null: nobody we let in. The one place that looks at credentials, for HTTP and WebSockets alike. */
export type Authenticate = (authorization: string | undefined) => Promise<Identity | null>;

/** A JSON Web Token has three parts (RFC 7519); keys of ours have none. Null: no issuer is configured. */
const threeParts = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** Whoever shows no credential is the local user, as long as there is none to show. */
export function authenticateBy({ find, local }: Pick<Credentials, 'find' | 'local'>, tokens: JsonWebTokens | null): Authenticate {
  return async (authorization) => {
    if (authorization === undefined) return tokens ? null : local();
    const [, token] = /^Bearer +([!-~]+) *$/i.exec(authorization) ?? [];
    if (token === undefined) return null;
    return tokens && threeParts.test(token) ? tokens.find(token) : find(token);
  };
}
