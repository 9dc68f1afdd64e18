import { Pool } from 'undici';

/** A lean GraphQL client over kept-alive connections: what it costs itself is small beside what it measures. */
export interface BenchClient {
  /** The operation's only root field; throws on errors. */
  call<T>(query: string, variables: object): Promise<T>;
  close(): Promise<void>;
}

export function openClient(url: string, connections: number, token?: string): BenchClient {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
  return {
    async call<T>(query: string, variables: object): Promise<T> {
      const { statusCode, body } = await pool.request({
        path: pathname,
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
        body: JSON.stringify({ query, variables }),
      });
      const text = await body.text();
      const { data, errors } = JSON.parse(text) as { data?: Record<string, T>; errors?: unknown };
      const [value] = Object.values(data ?? {});
      if (statusCode !== 200 || errors !== undefined || value === undefined) throw new Error(`HTTP ${statusCode}: ${text}`);
      return value;
    },
    close: () => pool.close(),
  };
}
