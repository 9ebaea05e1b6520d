import { OrbweaverError } from '../base/errors.ts';
import type { Settings } from '../base/settings/schema.ts';
import type { Outcome } from '../contracts/crawl-task.ts';
import { openCrawl } from '../crawl/assemble.ts';
import { leaveWord } from '../crawl/notify/push-inbox.ts';
import { CrawlReader } from '../crawl/report/crawl-reader.ts';
import { followCrawl } from '../search/indexing/follow-crawl.ts';
import { oneLine } from './untrusted-text.ts';

export interface UrlCrawlerParts {
  readonly folder: string;
  readonly settings: Settings;
  readonly version: string;
}

const LOOK_MS = 250;
const MOST_REDIRECTS = 5;

/** Fetches single URLs into a crawl folder, one after another: by the crawl that runs in it, or by a short run of its own. */
export class UrlCrawler {
  readonly #parts: UrlCrawlerParts;
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: UrlCrawlerParts) {
    this.#parts = parts;
  }

  /** How the visit ended, in words. */
  crawl(url: string, waitMs: number, signal?: AbortSignal): Promise<string> {
    const done = this.#last.then(() => this.#crawl(url, waitMs, signal));
    this.#last = done.catch(() => {});
    return done;
  }

  async #crawl(asked: string, waitMs: number, signal: AbortSignal | undefined): Promise<string> {
    if (!/^https?:\/\//i.test(asked) || !URL.canParse(asked))
      throw new OrbweaverError('SEED_INVALID', `${oneLine(asked)} is not an http or https URL.`, {
        remedy: 'Write it as https://example.org/path.',
      });
    const stored = await this.#outcomeOf(asked);
    if (stored !== undefined && holdsCopy(stored.outcome))
      return `${stored.url} is stored already (${stored.outcome.kind}, ${new Date(stored.at).toISOString()}). Read it with get.`;
    try {
      return await this.#runFor(asked, waitMs, signal);
    } catch (error) {
      if (!(error instanceof OrbweaverError) || error.code !== 'FOLDER_IN_USE') throw error;
      return await this.#handOver(asked, waitMs, signal);
    }
  }

  /** A run of the folder that ends when the URL is settled. */
  async #runFor(asked: string, waitMs: number, signal: AbortSignal | undefined): Promise<string> {
    const { folder, settings, version } = this.#parts;
    let answer: { readonly url: string; readonly outcome: Outcome } | undefined;
    {
      await using crawl = await openCrawl({ folder, settings: { ...settings, workers: 0 }, version });
      await crawl.addSeeds([{ url: asked, depth: 0 }]);
      const target = (await this.#outcomeOf(asked))?.url ?? new URL(asked).href;
      let wanted: string = target;
      let redirects = 0;
      crawl.on('settled', ({ claim, outcome }) => {
        if (claim.task.url !== wanted || outcome.kind === 'deferred') return;
        answer = { url: wanted, outcome };
        if (outcome.kind === 'redirected' && ++redirects <= MOST_REDIRECTS) wanted = outcome.to;
        else crawl.stop();
      });
      const ends = AbortSignal.any([AbortSignal.timeout(waitMs), ...(signal === undefined ? [] : [signal])]);
      ends.addEventListener('abort', () => crawl.stop(), { once: true });
      if (ends.aborted) crawl.stop();
      await crawl.run();
    }
    if (answer === undefined) return notYet(asked, waitMs);
    const indexed = settings.index && holdsCopy(answer.outcome) ? await this.#index() : '';
    return `${answer.url}: ${describe(answer.outcome)}${indexed}`;
  }

  /** What was stored can be found; ranks are left to the next run of the crawl. */
  async #index(): Promise<string> {
    try {
      await followCrawl(this.#parts.folder, { mode: 'catch-up', pause: AbortSignal.abort() });
      return ' It can be searched now.';
    } catch (error) {
      return ` It cannot be searched yet: ${oneLine(error instanceof Error ? error.message : String(error))}`;
    }
  }

  /** The crawl that runs takes it, as far as its scope and its budget allow. */
  async #handOver(asked: string, waitMs: number, signal: AbortSignal | undefined): Promise<string> {
    const begun = Date.now();
    await leaveWord(this.#parts.folder, [asked], begun);
    while (Date.now() - begun < waitMs && signal?.aborted !== true) {
      const known = await this.#outcomeOf(asked);
      if (known !== undefined && known.outcome.kind !== 'deferred') return `${known.url}: ${describe(known.outcome)}`;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    return notYet(asked, waitMs);
  }

  async #outcomeOf(asked: string): Promise<{ url: string; outcome: Outcome; at: number } | undefined> {
    const { hasState } = await import('../engines/state-folder.ts');
    if (!hasState(this.#parts.folder)) return undefined;
    using reader = new CrawlReader(this.#parts.folder);
    const { url, page } = await reader.explain(asked);
    if (page?.outcome === undefined) return page === undefined ? undefined : { url, outcome: WAITS, at: 0 };
    return { url, outcome: page.outcome, at: page.visitedAt ?? 0 };
  }
}

const WAITS: Outcome = { kind: 'deferred', why: 'it waits for its turn' };

function holdsCopy({ kind }: Outcome): boolean {
  return kind === 'stored' || kind === 'duplicate' || kind === 'unchanged';
}

function describe(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'stored':
    case 'unchanged':
      return 'stored. Read it with get.';
    case 'duplicate':
      return `stored; its content is that of ${outcome.of}.`;
    case 'redirected':
      return `redirects to ${oneLine(outcome.to)}.`;
    case 'refused':
      return `refused by ${outcome.by}: ${oneLine(outcome.rule)}. Nothing was fetched.`;
    case 'gone':
      return `there is no page: HTTP ${outcome.status}.`;
    case 'failed':
      return `failed: ${outcome.code}${outcome.detail === undefined ? '' : ` (${oneLine(outcome.detail)})`}.`;
    case 'deferred':
      return `not yet: ${oneLine(outcome.why)}.`;
  }
}

function notYet(url: string, waitMs: number): string {
  return `${oneLine(url)} was not settled within ${waitMs / 1000} s: it waits for its turn, or is refused by the scope of the crawl. explain tells which; the next run of the crawl goes on with it.`;
}
