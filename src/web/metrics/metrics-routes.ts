import type { MetricsPage } from '../../observe/metrics/metrics-page.ts';
import type { Readiness } from '../../observe/readiness.ts';
import { DATA_POLICY, jsonReply, type Reply } from '../http/reply.ts';
import type { WebRequest } from '../http/web-request.ts';

/** For those who watch the process: figures, and whether it can do its work. */
export class MetricsRoutes {
  readonly #metrics: MetricsPage;
  readonly #readiness: Readiness;

  constructor(metrics: MetricsPage, readiness: Readiness) {
    this.#metrics = metrics;
    this.#readiness = readiness;
  }

  /** By their paths. */
  routes(): [path: string, route: (ask: Pick<WebRequest, 'headers'>) => Promise<Reply>][] {
    return [
      ['/metrics', (ask) => this.metrics(ask.headers.accept)],
      ['/readyz', () => this.ready()],
    ];
  }

  /** `accept`: header of the request. */
  async metrics(accept: string | undefined): Promise<Reply> {
    const { type, body } = await this.#metrics.render(accept);
    return {
      status: 200,
      headers: {
        'content-type': type,
        'cache-control': 'no-store',
        vary: 'accept',
        'content-security-policy': DATA_POLICY,
      },
      body,
    };
  }

  async ready(): Promise<Reply> {
    const report = await this.#readiness.report();
    return jsonReply(report, report.ready ? 200 : 503);
  }
}
