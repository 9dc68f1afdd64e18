import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import type { Refusal } from './refusal.ts';

export interface OriginRules {
  readonly publicUrl: string;
  /** Origins of other web sites whose pages may call. */
  readonly allowedOrigins: readonly string[];
}

/**
 * Keeps foreign web pages out. `Host` must name this server, else a page of `evil.example` whose name was pointed at 127.0.0.1 (DNS
 * rebinding) would count as ours; `Origin`, which browsers send with whatever can change something, must be ours or allowed.
 */
export function checkOrigin({ host, origin }: IncomingHttpHeaders, { publicUrl, allowedOrigins }: OriginRules): Refusal | null {
  const asked = URL.parse(`http://${host ?? ''}`);
  if (!asked || !(asked.hostname === 'localhost' || isAddress(asked.hostname) || asked.hostname === new URL(publicUrl).hostname)) {
    return { status: 421, code: 'MISDIRECTED_REQUEST', message: `This server is not ${JSON.stringify(host ?? '')}. Call it as ${publicUrl}.` };
  }
  if (origin === undefined || allowedOrigins.includes(origin)) return null;
  const caller = URL.parse(origin);
  if (caller?.host === asked.host || caller?.origin === new URL(publicUrl).origin) return null;
  return { status: 403, code: 'FORBIDDEN_ORIGIN', message: `Pages of ${JSON.stringify(origin)} may not call this server. Name the origin in allowedOrigins if they shall.` };
}

/** What lets pages of an allowed origin read the answer. */
export function corsHeaders({ origin }: IncomingHttpHeaders, { allowedOrigins }: OriginRules): Record<string, string> {
  if (allowedOrigins.length === 0) return {};
  if (origin === undefined || !allowedOrigins.includes(origin)) return { vary: 'origin' };
  return {
    vary: 'origin',
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': 'content-type, accept, authorization',
    'access-control-max-age': '7200',
  };
}

/** No foreign page can be served under an address: for that it takes a name. */
function isAddress(name: string): boolean {
  return isIP(name.replace(/^\[|\]$/g, '')) !== 0;
}
