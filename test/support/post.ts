/** One GraphQL call as any HTTP client sends it. */
export function post(url: string, query: string, { variables, headers, signal }: { variables?: object; headers?: Record<string, string>; signal?: AbortSignal } = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query, variables }),
    ...(signal ? { signal } : {}),
  });
}
