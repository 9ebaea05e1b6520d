import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A site without an end whose pages are all new: nothing for a guard against traps to end. */
export async function endlessSite(): Promise<{ readonly url: string } & AsyncDisposable> {
  const server = createServer((request, response) => {
    const number = Number(/^\/(\d+)$/.exec(request.url ?? '')?.[1] ?? 0);
    response.setHeader('content-type', 'text/html');
    response.statusCode = request.url === '/robots.txt' || request.url?.includes('sitemap') ? 404 : 200;
    const words = Array.from({ length: 60 }, (_, at) => digest(`${number} ${at}`).slice(0, 7));
    const links = [number + 1, number + 2].map((next) => `<a href="/${next}">${digest(`${next}`).slice(0, 9)}</a>`);
    response.end(`<title>${words[0]} ${words[1]}</title><p>${words.join(' ')}</p>${links.join(' ')}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}/`, [Symbol.asyncDispose]: close };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
