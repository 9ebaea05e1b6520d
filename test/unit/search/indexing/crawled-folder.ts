import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { WarcArchive } from '../../../../src/archive/warc-archive.ts';
import type { ArchiveLocation } from '../../../../src/contracts/archive.ts';
import type { PageFacts } from '../../../../src/contracts/content/page-facts.ts';
import type { CrawlTask, Outcome, Settlement } from '../../../../src/contracts/crawl-task.ts';
import type { CanonicalUrl, HostKey } from '../../../../src/contracts/url.ts';
import { PageRows } from '../../../../src/engines/sqlite/rows/page-rows.ts';
import type { QueueRow } from '../../../../src/engines/sqlite/rows/queue-rows.ts';
import { openState } from '../../../../src/engines/sqlite/state-database.ts';
import { entryOf, NOON, testArchive } from '../../archive/archive-fixture.ts';

export interface Visited {
  readonly status?: number;
  readonly html?: string;
  readonly mediaType?: string;
  /** The text stored beside it; absent: none is stored. */
  readonly text?: string;
  /** What a browser made of it. */
  readonly rendered?: string;
  readonly outcome?: Outcome;
  readonly facts?: Partial<PageFacts>;
  readonly writer?: string;
  /** The same payload as at an earlier visit: a revisit record is written. */
  readonly sameAs?: { readonly url: string; readonly at: number };
}

/** A crawl folder whose visits are written one by one, with the crawl's own archive and state. */
export class CrawledFolder implements AsyncDisposable {
  readonly folder: string;
  readonly #db: DatabaseSync;
  readonly #rows: PageRows;
  readonly #archives = new Map<string, WarcArchive>();
  #time = NOON;

  constructor(folder: string) {
    this.folder = folder;
    this.#db = openState(folder);
    this.#rows = new PageRows(this.#db);
  }

  /** Archives a visit and settles it. Answers when it was made. */
  async visit(url: string, visited: Visited = {}): Promise<number> {
    const { location, at } = await this.archive(url, visited);
    this.settle(url, visited, location, at);
    return at;
  }

  /** Only the first half: as a crash would leave it. */
  async archive(url: string, visited: Visited = {}): Promise<{ location: ArchiveLocation; at: number }> {
    this.#time += 1000;
    const { html = '', mediaType = 'text/html', status = 200, text, rendered, sameAs, writer = 'w0' } = visited;
    const entry = entryOf({
      ...{ url, raw: html, mediaType, status, at: this.#time },
      rawHeaders: ['Content-Type', mediaType === 'text/html' ? 'text/html; charset=utf-8' : mediaType],
      ...(sameAs === undefined ? {} : { revisitOf: { url: sameAs.url, date: sameAs.at } }),
    });
    let archive = this.#archives.get(writer);
    if (archive === undefined) {
      archive = testArchive(join(this.folder, 'archive'), { writerId: writer });
      this.#archives.set(writer, archive);
    }
    const location = await archive.put({
      ...entry,
      ...(text === undefined ? {} : { text: Buffer.from(text) }),
      ...(rendered === undefined ? {} : { rendered: { html: Buffer.from(rendered), truncated: false } }),
    });
    return { location, at: this.#time };
  }

  settle(url: string, visited: Visited, location: ArchiveLocation | undefined, at: number): void {
    const { outcome = { kind: 'stored' }, status = 200, mediaType = 'text/html', html = '' } = visited;
    const task: CrawlTask = {
      ...{ url: url as CanonicalUrl, host: new URL(url).host as HostKey, depth: 0, redirects: 0, lane: 0 },
      ...{ discovery: { how: 'seed' }, purpose: 'page' },
    };
    const page: PageFacts = {
      ...{ status, mediaType, bytes: html.length, directives: [], noindex: false, linkCount: 0 },
      ...{ fetchMs: 5, requestedAt: at },
      ...(location === undefined ? {} : { location }),
      ...visited.facts,
    };
    const settlement: Settlement = {
      claim: { id: 1, task, tries: 0, claimedAt: at, dueAt: at, expiresAt: at + 1000 },
      outcome,
      ...(location === undefined ? {} : { page, archived: [location] }),
    };
    const row: QueueRow = {
      ...{ host: 1, lane: 0, ord: 1, url: task.url, depth: 0, redirects: 0, tries: 0, visited: 0, how: 'seed' },
      ...{ via: null, anchor: null, found_at: at, for_origin: null },
    };
    this.#rows.write(settlement, row, 1, at);
    this.#rows.writeArchive();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const archive of this.#archives.values()) await archive.close();
    this.#db.close();
  }
}

/** A page with a title, a heading, words and links. */
export function html(title: string, words: string, links: readonly (readonly [string, string])[] = []): string {
  const anchors = links.map(([url, text]) => `<a href="${url}">${text}</a>`).join(' ');
  return `<!doctype html><html lang="en"><title>${title}</title><h1>${title} heading</h1><p>${words}</p>${anchors}`;
}
