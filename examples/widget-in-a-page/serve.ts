import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Serves the page as a site of your own would, on http://localhost:5000 or the port that is given, under a content policy without any
 * `unsafe-inline`. Start the server with this origin allowed: `COUNTERSIGN_ALLOWED_ORIGINS=http://localhost:5000 npm start`.
 */
const port = Number(process.argv[2] ?? 5000);
const widget = fileURLToPath(import.meta.resolve('countersign/widget'));
const files: Readonly<Record<string, readonly [file: string, type: string]>> = {
  '/': [path.join(import.meta.dirname, 'index.html'), 'text/html'],
  '/page.css': [path.join(import.meta.dirname, 'page.css'), 'text/css'],
  '/page.js': [path.join(import.meta.dirname, 'page.js'), 'text/javascript'],
  '/countersign/widget.js': [widget, 'text/javascript'],
};

const server = createServer((request, response) => {
  const [file, type] = files[(request.url ?? '/').replace(/\?.*/, '')] ?? [];
  if (file === undefined) {
    response.writeHead(404).end();
    return;
  }
  void readFile(file).then((content) => {
    response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'content-security-policy': "default-src 'none'; script-src 'self'; style-src 'self'; connect-src http: ws:" });
    response.end(content);
  });
});
server.listen(port, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`http://localhost:${typeof address === 'object' && address ? address.port : port}\n`);
});
