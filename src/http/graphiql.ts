import type { IncomingMessage, ServerResponse } from 'node:http';

/** Whether a person in a browser wants the page rather than an answer. */
export function wantsGraphiQL({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && (headers.accept ?? '').includes('text/html');
}

let page: Promise<string> | undefined;

/** Nine megabytes with all that it needs, so that it works without a network; loaded when first asked for. */
export async function sendGraphiQL(response: ServerResponse): Promise<void> {
  page ??= import('@graphql-yoga/render-graphiql').then(({ renderGraphiQL }) =>
    renderGraphiQL({ title: 'Countersign', endpoint: '/graphql', subscriptionsProtocol: 'WS', defaultQuery: '{\n  viewer {\n    name\n  }\n}\n' }),
  );
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "frame-ancestors 'none'", // nobody may lay another page over the one that can approve
    'x-content-type-options': 'nosniff',
  });
  response.end(await page);
}
