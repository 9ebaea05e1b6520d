import { spawn } from 'node:child_process';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const LAUNCHER = fileURLToPath(new URL('../../bin/orbweaver.cjs', import.meta.url));
/** A name of its own, so that crawls that were kept have the URLs of the next run. */
const PORT = 38217;

/** Crawls a folder with default settings, but without delay; pages that `isAbsent` names answer 404. */
export async function crawlSite(tree: string, folder: string, isAbsent: (path: string) => boolean): Promise<string> {
  const origin = `http://127.0.0.1:${PORT}/`;
  if (existsSync(join(folder, 'state.db'))) return origin;
  const server = createServer((request, response) => answer(tree, isAbsent, request, response));
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(PORT, '127.0.0.1', resolve));
  try {
    const args = [
      'crawl',
      origin,
      '--dir',
      folder,
      '--allow-private',
      '--delay',
      '0ms',
      '--delay-factor',
      '0',
      '--quiet',
    ];
    const child = spawn(process.execPath, [LAUNCHER, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
    const code = await new Promise((resolve) => child.on('close', resolve));
    if (code !== 0) throw new Error(`the crawl of ${tree} ended with ${code}`);
    return origin;
  } finally {
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
}

function answer(
  tree: string,
  isAbsent: (path: string) => boolean,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname)).slice(1);
  const named = join(tree, path);
  const file = existsSync(named) && statSync(named).isDirectory() ? join(named, 'index.html') : named;
  if (!existsSync(file) || isAbsent(path)) return void response.writeHead(404).end();
  response.setHeader('Content-Type', /\.html?$/.test(file) ? 'text/html' : 'application/octet-stream');
  createReadStream(file).pipe(response);
}
