import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { refuse, type Refusal } from './refusal.ts';

/** Where `npm run bundle` puts the console: the same place for the source, for the built program and in the package. */
const folder = path.join(import.meta.dirname, '../../dist/console');

/** The console's pages. Each is the same document, whose script shows what the path names. */
const page = /^\/(?:(?:elicitations|sessions|policies)(?:\/[\w-]+)?|audit|overview)?$/;

/** Files whose names change with their content. */
const asset = /^\/assets\/[\w.-]+\.(js|css|svg)$/;

const types: Readonly<Record<string, string>> = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8', svg: 'image/svg+xml' };

/** Scripts and styles are files of ours alone, no other page may frame this one, and what a script would write as markup is refused. */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types lit-html',
].join('; ');

const headers = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'cross-origin-opener-policy': 'same-origin', 'cross-origin-resource-policy': 'same-origin' };

/** Whether the console has something there. */
export function isPage(pathname: string): boolean {
  return page.test(pathname) || asset.test(pathname);
}

/** Serves the console. It only reads files: whatever is decided goes through GraphQL. */
export async function sendPage({ method }: IncomingMessage, response: ServerResponse, pathname: string): Promise<void> {
  if (method !== 'GET' && method !== 'HEAD') {
    refuse(response, wrongMethod);
    return;
  }
  const [, extension] = asset.exec(pathname) ?? [];
  const content = await readFile(path.join(folder, extension === undefined ? 'index.html' : pathname)).catch(() => null);
  if (content === null) {
    refuse(response, extension === undefined ? notBuilt : gone);
    return;
  }
  const shown =
    extension === undefined
      ? { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': contentPolicy, 'cache-control': 'no-cache' }
      : { 'content-type': types[extension], 'cache-control': 'public, max-age=31536000, immutable' };
  response.writeHead(200, { ...headers, ...shown, 'content-length': content.byteLength });
  response.end(method === 'HEAD' ? undefined : content);
}

const wrongMethod: Refusal = { status: 405, code: 'METHOD_NOT_ALLOWED', message: 'Pages are read with GET. GraphQL is at /graphql.', headers: { allow: 'GET, HEAD' } };
const notBuilt: Refusal = { status: 404, code: 'CONSOLE_NOT_BUILT', message: 'The console is not built: run `npm run bundle`. GraphQL is at /graphql.' };
const gone: Refusal = { status: 404, code: 'NOT_FOUND', message: 'This file of the console is not there any more: load the page again.' };
