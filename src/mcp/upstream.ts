import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { openHttpUpstream } from './http-upstream.ts';

/** The MCP server that the gateway stands before. */
export type UpstreamTarget =
  | { readonly kind: 'command'; readonly command: string; readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> }
  | { readonly kind: 'url'; readonly url: URL; readonly headers: Readonly<Record<string, string>> };

/** What a message may have, which a server reads whole before it can be judged. */
const messageBytesMax = 64 * 1024 * 1024;

export function openUpstream(target: UpstreamTarget): Transport {
  switch (target.kind) {
    case 'command':
      return new StdioClientTransport({ command: target.command, args: [...target.args], env: { ...target.env }, stderr: 'inherit', maxBufferSize: messageBytesMax });
    case 'url':
      return openHttpUpstream(target);
    default:
      return target satisfies never;
  }
}
