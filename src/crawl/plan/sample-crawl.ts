import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Settings } from '../../base/settings/schema.ts';
import { openCrawl } from '../assemble.ts';
import { isFocused } from '../settings-to-parts.ts';
import { type CrawlSample, readSample, type SampleVisit } from './read-sample.ts';

export interface SampleOptions {
  readonly settings: Settings;
  readonly seeds: readonly string[];
  readonly version: string;
  /** About this many requests; those under way when it is reached come on top. */
  readonly requests: number;
  /** And no longer than this. */
  readonly maxMs: number;
  /** Told after each request. */
  readonly onRequest?: (requests: number) => void;
  /** Told what the crawl tells its user, such as that a server does not answer. */
  readonly onWarning?: (message: string) => void;
  /** Where no page was found: told of the folder while it is there. */
  readonly onNothing?: (folder: string) => Promise<void>;
}

/** Requests at once: a sample is small, and should not end far beyond its number. */
const AT_ONCE = 8;

/** Samples a web with the crawler itself: same settings, same politeness, a few requests, in a temporary folder. */
export async function sampleCrawl(options: SampleOptions): Promise<CrawlSample> {
  const { seeds, version, requests, maxMs, onRequest } = options;
  const folder = await mkdtemp(join(tmpdir(), 'orbweaver-plan-'));
  try {
    const settings: Settings = {
      ...options.settings,
      concurrency: Math.min(options.settings.concurrency, AT_ONCE),
      workers: 0,
      maxPages: Number.POSITIVE_INFINITY,
      maxBytes: Number.POSITIVE_INFINITY,
      maxDuration: Math.min(options.settings.maxDuration, maxMs),
      webhook: [],
      store: '',
      continuous: false,
      // Pages near the seeds are not like the others. A focused crawl takes in what its own order comes across.
      ...(isFocused(options.settings) ? {} : { order: 'random', boost: {} }),
    };
    const visits: SampleVisit[] = [];
    let asked = 0;
    let elapsedMs = 0;
    let ended = '';
    {
      await using crawl = await openCrawl({ folder, settings, version });
      await crawl.addSeeds(seeds);
      using _listening = crawl.on('settled', ({ claim, outcome, bytes }) => {
        visits.push({ claim, outcome, bytes });
        // What is refused costs no request, but for what is refused after a look at it.
        if (outcome.kind === 'refused' && bytes === 0) return;
        asked++;
        onRequest?.(asked);
        if (asked >= requests) crawl.stop();
      });
      using _warned = crawl.on('warning', ({ message }) => options.onWarning?.(message));
      const summary = await crawl.run();
      elapsedMs = summary.seconds * 1000;
      ended = summary.ended;
    }
    const sample = await readSample({
      folder,
      settings,
      seeds,
      visits,
      requests: asked,
      elapsedMs,
      finished: ended === 'finished',
    });
    if (sample.found === 0) await options.onNothing?.(folder);
    return sample;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
