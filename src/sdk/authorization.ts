/** A key or an OpenID Connect token; a function is asked before each connection, for tokens that run out. */
export type Token = string | (() => string | Promise<string>);

/** The header, or graphql-ws' connection parameters, which are the same. Empty without a token. */
export async function authorizationOf(token: Token | undefined): Promise<Record<string, string>> {
  const text = typeof token === 'function' ? await token() : token;
  return text === undefined ? {} : { authorization: `Bearer ${text}` };
}
