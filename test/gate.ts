import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A host that keeps a crawl alive as long as its test wants, however fast or slow the machine is: each page names the next one, and has
 * a text of its own, because an endless row of empty pages would be held back as a trap. Once the gate is open, pages also name what
 * the crawl is about.
 */
export class Gate implements AsyncDisposable {
  readonly origin: string;
  readonly #server: Server;
  #behind: readonly string[] = [];
  #ended = false;

  private constructor(server: Server) {
    this.#server = server;
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', ({ url = '/' }, response) => {
      const number = Number(url.slice(1));
      response.setHeader('content-type', 'text/html');
      if (Number.isNaN(number)) response.writeHead(404).end();
      else response.end(this.#page(number));
    });
  }

  static async start(): Promise<Gate> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Gate(server);
  }

  /** The seed. */
  get first(): string {
    return `${this.origin}/1`;
  }

  open(urls: readonly string[]): void {
    this.#behind = urls;
  }

  /** No page names a next one: the crawl may end. */
  end(): void {
    this.#ended = true;
  }

  #page(number: number): string {
    const links = this.#ended ? this.#behind : [`/${number + 1}`, ...this.#behind];
    const words = Array.from({ length: 80 }, (_, at) => ((number * 7919 + at * 104_729) % 46_656).toString(36));
    return `<title>${number}</title><p>${words.join(' ')}</p>${links.map((url) => `<a href="${url}">${url}</a>`).join(' ')}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
