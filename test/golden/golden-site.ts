import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Never resolved: the site is its own proxy, so that its URLs are the same wherever it runs. */
export const GOLDEN_HOST = 'golden.test';

/** Pages by path. The front page links to all others. */
export const GOLDEN_PAGES: Readonly<Record<string, { readonly title: string; readonly text: string }>> = {
  '/': { title: 'Golden orb weavers', text: 'Golden silk spiders spin strong webs in warm regions.' },
  '/silk': { title: 'Silk', text: 'Dragline silk is stronger than steel of the same weight.' },
  '/webs': { title: 'Webs', text: 'A wheel of sticky spirals between radial threads catches insects.' },
  '/venom': { title: 'Venom', text: 'The venom is harmless to people and paralyses grasshoppers.' },
  '/range': { title: 'Range', text: 'They live in Madagascar, Australia and the Americas.' },
  '/males': { title: 'Males', text: 'Males are tiny and wait at the hub of the web.' },
  '/kites': { title: 'Kites', text: 'Young spiders travel by ballooning on a strand of gossamer.' },
};

export interface GoldenSite extends AsyncDisposable {
  readonly port: number;
  /** Paths that were asked for, in order. */
  readonly requests: readonly string[];
}

/** `mostRequests`: it is gone after that many answers. */
export async function serveGoldenSite(mostRequests = Number.POSITIVE_INFINITY): Promise<GoldenSite> {
  const requests: string[] = [];
  const server = createServer((request, answer) => {
    const { pathname } = new URL(request.url ?? '/', `http://${GOLDEN_HOST}`);
    requests.push(pathname);
    if (requests.length >= mostRequests)
      answer.on('finish', () => {
        server.close();
        server.closeAllConnections();
      });
    const page = GOLDEN_PAGES[pathname];
    if (page === undefined) {
      answer.writeHead(404, { 'content-type': 'text/plain' }).end('none');
      return;
    }
    const links = Object.keys(GOLDEN_PAGES).map((path) => `<a href="${path}">${GOLDEN_PAGES[path].title}</a>`);
    answer.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    answer.end(
      `<!doctype html><html lang="en"><head><title>${page.title}</title></head><body><h1>${page.title}</h1><p>${page.text}</p><p>${links.join(' ')}</p></body></html>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}
