import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { FetchLike, Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { failed } from './answer.ts';

/** An MCP server over streamable HTTP. A request whose connection ends without its answer is answered with an error: nobody else would notice. */
export function openHttpUpstream({ url, headers }: { readonly url: URL; readonly headers: Readonly<Record<string, string>> }): Transport {
  const lost = (id: string | number) => transport.onmessage?.(failed(id, `The connection to ${url.host} ended before the answer came.`));
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers: { ...headers } }, fetch: noticingLosses(lost) });
  const close = transport.close.bind(transport);
  transport.close = async () => {
    await transport.terminateSession().catch(() => undefined); // it may be gone already
    await close();
  };
  return transport;
}

/** The answer may still be on its way from the reader to us. */
const readMilliseconds = 500;

/** A stream whose events have ids is taken up again by itself, a few times. */
const resumedMilliseconds = 30_000;

function noticingLosses(lost: (id: string | number) => void): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, init);
    const id = init?.method === 'POST' && response.ok ? requestIdIn(init.body) : null;
    if (id === null || !response.body) return response;
    const { status, statusText, headers } = response;
    return new Response(followed(response.body, (isResumable) => setTimeout(lost, isResumable ? resumedMilliseconds : readMilliseconds, id).unref()), { status, statusText, headers });
  };
}

function followed(body: ReadableStream<Uint8Array<ArrayBuffer>>, ended: (isResumable: boolean) => void): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let isResumable = false;
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          controller.close();
          ended(isResumable);
          return;
        }
        isResumable ||= /^id:/m.test(decoder.decode(value, { stream: true }));
        controller.enqueue(value);
      } catch (error) {
        controller.error(error);
        ended(isResumable);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

function requestIdIn(body: RequestInit['body']): string | number | null {
  if (typeof body !== 'string') return null;
  const { id, method } = JSON.parse(body) as { id?: string | number; method?: string };
  return method === undefined ? null : (id ?? null);
}
