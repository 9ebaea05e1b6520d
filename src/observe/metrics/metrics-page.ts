import { CONTENT_TYPES, expose, formatFor } from './exposition.ts';
import type { MetricFamily, MetricSource } from './metric.ts';

export interface RenderedMetrics {
  readonly type: string;
  readonly body: string;
}

/** What is served at /metrics: the figures of all sources at one moment. */
export class MetricsPage {
  readonly #sources = new Set<MetricSource>();

  constructor(...sources: readonly MetricSource[]) {
    for (const source of sources) this.#sources.add(source);
  }

  /** Until it is disposed of. */
  add(source: MetricSource): Disposable {
    this.#sources.add(source);
    return { [Symbol.dispose]: () => this.#sources.delete(source) };
  }

  /** `accept`: header of the request. A source that fails keeps nobody from the figures of the others. */
  async render(accept: string | undefined): Promise<RenderedMetrics> {
    const answers = await Promise.allSettled([...this.#sources].map(async (source) => await source.families()));
    const families = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const failed = answers.filter(({ status }) => status === 'rejected').length;
    families.push({ name: 'orbweaver_scrape_failures', samples: [{ value: failed }] });
    const format = formatFor(accept);
    return { type: CONTENT_TYPES[format], body: expose(joined(families), format) };
  }
}

/** A name comes once, with the samples of all who told of it. */
function joined(families: readonly MetricFamily[]): MetricFamily[] {
  const byName = new Map<string, MetricFamily>();
  for (const family of families) {
    const before = byName.get(family.name);
    if (before !== undefined && 'samples' in before && 'samples' in family)
      byName.set(family.name, { name: family.name, samples: [...before.samples, ...family.samples] });
    else byName.set(family.name, family);
  }
  return [...byName.values()];
}
