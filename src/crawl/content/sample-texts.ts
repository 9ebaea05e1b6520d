import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Settings } from '../../base/settings/schema.ts';
import type { Crawl } from '../crawl.ts';
import { CrawlReader } from '../report/crawl-reader.ts';

const LONGEST_MS = 60_000;

/** Main texts of a few pages, by a polite crawl in a temporary folder. Pages that cannot be fetched are missing. */
export async function sampleTexts(
  urls: readonly string[],
  settings: Settings,
  open: (folder: string, settings: Settings) => Promise<Crawl>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'orbweaver-samples-'));
  const plain = {
    topic: '',
    topicFile: '',
    like: [],
    unlike: [],
    continuous: false,
    order: 'breadth-first',
    webhook: [],
    extract: '',
    store: '',
    archiveStore: '',
    archiveLocal: 'keep' as const,
  };
  const small = {
    maxDepth: 0,
    maxPages: Number.POSITIVE_INFINITY,
    sitemaps: 'off' as const,
    workers: 0,
    scope: 'any' as const,
    // Nobody waits for long for a sample: others may do.
    retries: 0,
    unreachableLimit: 1,
    maxDuration: LONGEST_MS,
  };
  const texts = new Map<string, string>();
  try {
    {
      await using crawl = await open(folder, { ...settings, ...plain, ...small, text: true });
      await crawl.addSeeds(urls);
      const stop = (): void => crawl.stop();
      signal.addEventListener('abort', stop);
      if (!signal.aborted) await crawl.run();
      signal.removeEventListener('abort', stop);
    }
    using reader = new CrawlReader(folder);
    for (const url of urls) {
      const text = await textAt(reader, url);
      if (text !== undefined) texts.set(url, text);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return texts;
}

/** Of the page, or of that to which it leads. */
async function textAt(reader: CrawlReader, asked: string): Promise<string | undefined> {
  let url = asked;
  for (let hops = 0; hops < 5; hops++) {
    const { page } = await reader.explain(url);
    if (page?.outcome?.kind === 'stored') return reader.textOf(await reader.get(url));
    if (page?.outcome?.kind !== 'redirected') return undefined;
    url = page.outcome.to;
  }
  return undefined;
}
