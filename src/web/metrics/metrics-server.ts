import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { isOwnHost } from '../http/host-check.ts';
import { jsonReply, type Reply, send } from '../http/reply.ts';
import type { MetricsRoutes } from './metrics-routes.ts';

/** What a crawl without a page tells over HTTP: /metrics, /healthz, /readyz. Started by `startWebApp`. */
export class MetricsServer {
  readonly #routes: MetricsRoutes;
  readonly #isOpen: boolean;
  readonly #names: ReadonlySet<string>;

  /** `host`: where it listens. */
  constructor(routes: MetricsRoutes, host: string) {
    this.#routes = routes;
    this.#names = new Set([host.toLowerCase()]);
    // Elsewhere than on loopback it is for others, who may call it by any name: that of a service, say.
    this.#isOpen = !(host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.')));
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.resume();
    const reply = await this.#reply(request).catch(() => jsonReply({ error: 'This is a fault of ours.' }, 500));
    if (!response.destroyed) send(reply, response);
  }

  async #reply({ method, url = '', headers }: IncomingMessage): Promise<Reply> {
    if (!this.#isOpen && !isOwnHost(headers.host, this.#names))
      return jsonReply({ error: 'The request was meant for another name than that of this server.' }, 421);
    const [path] = url.split('?', 1);
    const route = {
      '/metrics': () => this.#routes.metrics(headers.accept),
      '/healthz': async () => jsonReply({ ok: true }),
      '/readyz': () => this.#routes.ready(),
    }[path];
    if (route === undefined)
      return jsonReply({ error: 'There is no such page here, only /metrics, /healthz and /readyz.' }, 404);
    if (method !== 'GET' && method !== 'HEAD') {
      const reply = jsonReply({ error: 'This can only be read.' }, 405);
      return { ...reply, headers: { ...reply.headers, allow: 'GET, HEAD' } };
    }
    return await route();
  }
}
