import type { Settlement } from '../../contracts/crawl-task.ts';
import type { Sink, SunkVisit } from '../../contracts/plugin.ts';
import { type Part, pluginFailed } from '../../plugins/plugins.ts';
import type { FinishedWork, PageWork } from '../visit/page-work.ts';

/** The sinks of a run: each gets every visit before it is settled. */
export class Sinks implements AsyncDisposable {
  readonly #sinks: readonly Part<Sink>[];
  #hasFailed = false;

  constructor(sinks: readonly Part<Sink>[]) {
    this.#sinks = sinks;
  }

  get any(): boolean {
    return this.#sinks.length > 0;
  }

  async write(finished: readonly FinishedWork[], settlements: readonly Settlement[], now: number): Promise<void> {
    const visits = settlements.flatMap((settlement, at) => visitOf(settlement, finished[at].work, now));
    if (visits.length > 0) await this.#each((sink) => sink.write(visits));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Whoever has failed already is told of that, and not of what follows from it.
    if (!this.#hasFailed) await this.#each((sink) => sink.close?.());
  }

  async #each(call: (sink: Sink) => void | Promise<void>): Promise<void> {
    for (const { plugin, call: sink } of this.#sinks)
      try {
        await call(sink);
      } catch (cause) {
        this.#hasFailed = true;
        throw pluginFailed(plugin, cause);
      }
  }
}

/** What is tried again has not ended yet, and robots.txt is no page. */
function visitOf(settlement: Settlement, work: PageWork, now: number): SunkVisit[] {
  const rows = work.kind === 'page' ? (work.rows ?? []) : [];
  const { claim, outcome, page, nextVisit, planned } = settlement;
  if (claim.task.purpose !== 'page' || outcome.kind === 'deferred') return [];
  if (outcome.kind === 'failed' && nextVisit !== undefined && planned !== true) return [];
  return [
    {
      ...{ url: claim.task.url, at: now, outcome, rows },
      ...(page === undefined ? {} : { status: page.status, mediaType: page.mediaType }),
      ...(page?.about === undefined ? {} : { about: page.about }),
    },
  ];
}
