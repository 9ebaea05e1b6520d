import { systemClock } from '../../base/clock.ts';
import type { Settings } from '../../base/settings/schema.ts';
import type { RuleSet } from '../../contracts/content/extraction-rules.ts';
import type { RowVisit } from '../../contracts/state/row-store.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { decode } from '../../convert/charset.ts';
import { lockFolder } from '../../engines/folder-lock.ts';
import { openRows } from '../../engines/open-rows.ts';
import { requireCrawl } from '../../engines/state-folder.ts';
import { DocumentReader } from '../content/document-reader.ts';
import { CrawlReader } from '../report/crawl-reader.ts';
import { PageRows } from './page-rows.ts';

export interface ExtractedAgain {
  /** Pages that were read from the archive. */
  readonly pages: number;
  /** Copies that could not be read; their rows are as they were. */
  readonly unreadable: number;
}

/** Pages whose rows are written in one transaction. */
const BATCH = 100;

/** Tries rules on the newest copy of every page of a folder, without asking anybody. Refused while a crawl runs. Cut off, it can be run again. */
export async function extractAgain(
  folder: string,
  sets: readonly RuleSet[],
  { extractTime, durability }: Pick<Settings, 'extractTime' | 'durability'>,
  onProgress: (pages: number) => void = () => {},
): Promise<ExtractedAgain> {
  requireCrawl(folder);
  using _lock = lockFolder(folder);
  using crawl = new CrawlReader(folder);
  using store = openRows(folder, durability);
  store.declare(sets);
  const rules = new PageRows(sets, extractTime);
  const newest = crawl.copiesAt(Number.MAX_SAFE_INTEGER);
  const again = systemClock.now();
  const reader = new DocumentReader();
  let pages = 0;
  let unreadable = 0;
  let batch: RowVisit[] = [];
  const htmlOf = async (
    url: CanonicalUrl,
  ): Promise<{ readonly at: number; readonly address?: string; readonly html?: string } | undefined> => {
    const copy = await newest(url);
    const document = copy && (await crawl.shown(copy));
    if (document === undefined) return undefined;
    const {
      page,
      source,
      charset = 'utf-8',
    } = reader.read(document.body, url, headerOf(document.rawHeaders, 'content-type'));
    return {
      at: document.date,
      ...(document.address === undefined ? {} : { address: document.address }),
      ...(page === undefined ? {} : { html: source ?? decode(document.body, charset) }),
    };
  };
  for (const { url, visitedAt } of crawl.pages({ outcomes: ['stored', 'unchanged', 'failed'] })) {
    if (!rules.matches(url)) batch.push({ url, at: visitedAt, again, sets: [] });
    else {
      const copy = await htmlOf(url);
      if (copy === undefined) unreadable++;
      else {
        pages++;
        const { at, address, html } = copy;
        batch.push({ url, at, again, sets: html === undefined ? [] : (rules.of(url, () => html, address) ?? []) });
      }
    }
    if (batch.length < BATCH) continue;
    store.apply(batch);
    batch = [];
    onProgress(pages);
  }
  store.apply(batch);
  return { pages, unreadable };
}

function headerOf(rawHeaders: readonly string[], name: string): string | undefined {
  const at = rawHeaders.findIndex((header, place) => place % 2 === 0 && header.toLowerCase() === name);
  return at < 0 ? undefined : rawHeaders[at + 1];
}
