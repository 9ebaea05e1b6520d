/** Serves a folder of HTML from a process of its own, so that its work is not counted as the crawler's. Started by serve-html.ts. */
import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  ...{ '.html': 'text/html', '.htm': 'text/html', '.css': 'text/css', '.js': 'text/javascript', '.txt': 'text/plain' },
  ...{ '.png': 'image/png', '.svg': 'image/svg+xml', '.pdf': 'application/pdf' },
};

const [folder] = process.argv.slice(2);

async function fileAt(path: string): Promise<string> {
  const file = join(folder, normalize(decodeURIComponent(path)));
  return (await stat(file)).isDirectory() ? join(file, 'index.html') : file;
}

const server = createServer(async (request, response) => {
  try {
    const file = await fileAt(new URL(request.url ?? '/', 'http://localhost').pathname);
    const body = await readFile(file);
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
    response.end(body);
  } catch {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('not found');
  }
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
