import type { Clock } from '../../base/clock.ts';
import type { RobotsRecord } from '../../contracts/content/robots.ts';
import type { Fetcher } from '../../contracts/fetcher.ts';
import type { PageStore } from '../../contracts/page-store.ts';
import type { CanonicalUrl, Origin } from '../../contracts/url.ts';
import { robotsFetch, robotsOutcome } from '../../fetch/robots/robots-outcome.ts';
import { judgeOfRecord } from '../../fetch/robots/robots-record.ts';
import type { RobotsJudge } from '../../fetch/robots/robots-rules.ts';
import { originOf } from '../../url/host-key.ts';

interface Known {
  readonly judge: RobotsJudge;
  readonly until: number;
}

const ROBOTS_BYTES = 512 * 1024;
const MOST_REDIRECTS = 5;
const MOST_ORIGINS = 2000;
/** A file that could not be had is asked for again then. */
const LEAST_MS = 60_000;

/**
 * What robots.txt of an origin says of resources that pages load from it. Files that the crawl has read count; others are read for
 * this alone, each once, and obeyed alike: whose file cannot be had is not asked for anything else.
 */
export class SubResourceRobots {
  readonly #fetcher: Pick<Fetcher, 'fetch'>;
  readonly #store: Pick<PageStore, 'robots'>;
  readonly #clock: Clock;
  readonly #options: { readonly agent: string; readonly maxAgeMs: number };
  readonly #known = new Map<Origin, Promise<Known>>();

  constructor(
    fetcher: Pick<Fetcher, 'fetch'>,
    store: Pick<PageStore, 'robots'>,
    clock: Clock,
    options: { readonly agent: string; readonly maxAgeMs: number },
  ) {
    this.#fetcher = fetcher;
    this.#store = store;
    this.#clock = clock;
    this.#options = options;
  }

  async allows(url: CanonicalUrl): Promise<boolean> {
    const { judge } = await this.#of(originOf(url));
    return judge.judge(url).allowed;
  }

  async #of(origin: Origin): Promise<Known> {
    const known = await this.#known.get(origin);
    if (known !== undefined && known.until > this.#clock.now()) return known;
    if (this.#known.size >= MOST_ORIGINS) this.#known.clear();
    const asking = this.#ask(origin);
    this.#known.set(origin, asking);
    // What went wrong once is not the answer for the rest of the run.
    asking.catch(() => {
      if (this.#known.get(origin) === asking) this.#known.delete(origin);
    });
    return await asking;
  }

  async #ask(origin: Origin): Promise<Known> {
    const { agent, maxAgeMs } = this.#options;
    const now = this.#clock.now();
    const kept = await this.#store.robots(origin);
    const isFresh = kept !== undefined && kept.expiresAt > now && now - (kept.askedAt ?? kept.fetchedAt) < maxAgeMs;
    const record = isFresh && kept.state !== 'moved' ? kept : await this.#read(origin, kept);
    const until = Math.max(Math.min(record.expiresAt, now + maxAgeMs), now + LEAST_MS);
    return { judge: judgeOfRecord(record, agent), until };
  }

  async #read(origin: Origin, previous: RobotsRecord | undefined): Promise<RobotsRecord> {
    let url = `${origin}/robots.txt` as CanonicalUrl;
    for (let redirects = 0; ; redirects++) {
      const fetched = robotsFetch(url, await this.#fetcher.fetch({ url, maxBytes: ROBOTS_BYTES }));
      const asked = { origin, fetched, now: this.#clock.now(), redirects };
      const record = robotsOutcome(previous === undefined ? asked : { ...asked, previous });
      if (record.state !== 'moved' || fetched.kind !== 'redirect' || redirects >= MOST_REDIRECTS) return record;
      url = fetched.to as CanonicalUrl;
    }
  }
}
