import { createHash } from 'node:crypto';
import { archivedResponse, captureOf } from '../../archive/archived-response.ts';
import { headerValue } from '../../archive/http-message.ts';
import { readWarc } from '../../archive/warc/warc-reader.ts';
import type { WarcRecord } from '../../archive/warc/warc-record.ts';
import { OrbweaverError } from '../../base/errors.ts';
import type { ArchivedDocument } from '../../contracts/archive.ts';
import { DocumentReader } from '../../crawl/content/document-reader.ts';
import { createResolver } from '../../url/resolver.ts';
import { defaultUrlOptions } from '../../url/url-options.ts';
import type { RecordedPage } from './change-record.ts';
import type { RecordedCrawl } from './recorded-crawl.ts';
import { RecordedGraphBuilder } from './recorded-graph.ts';

/** What comes after says little more of a page's topic. */
const TEXT_LENGTH = 8000;

interface VisitedPage {
  /** `content` is undefined where it was only said to be as before. */
  readonly visits: { readonly at: number; readonly content: string | undefined }[];
  /** Of the last visit that brought a body. */
  readAt: number;
  links: readonly { readonly url: string; readonly text: string }[];
  text: string;
}

/**
 * What WARC files tell of a web, whoever has written them: the pages that answered with content, the links between them,
 * and when a visit found another content than the one before. Records that are no answers of the web are passed over.
 */
export async function readWarcFiles(files: readonly string[], withTexts: boolean): Promise<RecordedCrawl> {
  const pages = new WarcPages(withTexts);
  for (const file of files) await readFile(file, pages);
  const recorded = pages.recorded();
  if (recorded.graph.urls.length > 0) return recorded;
  throw new OrbweaverError('INPUT_INVALID', `${files.join(', ')}: no page that was fetched whole, with status 200.`, {
    remedy: 'Give the WARC files of a crawl that has stored pages.',
  });
}

async function readFile(file: string, pages: WarcPages): Promise<void> {
  let damage = '';
  let records = 0;
  try {
    for await (const item of readWarc(file)) {
      if (item.kind === 'damage') damage ||= ` (${item.why})`;
      else {
        records++;
        if (item.record.whole) pages.add(item.record, file);
      }
    }
  } catch (cause) {
    throw new OrbweaverError('INPUT_INVALID', `${file} cannot be read (${(cause as Error).message}).`, {
      remedy: 'Give the path of a WARC file, plain or gzip.',
      cause,
    });
  }
  if (records > 0) return;
  throw new OrbweaverError('INPUT_INVALID', `${file}: no WARC record in it${damage}.`, {
    remedy: 'Give WARC files, plain or gzip.',
  });
}

class WarcPages {
  readonly #pages = new Map<string, VisitedPage>();
  /** Visits that found what was known name it by the digest of the record that holds it. */
  readonly #contents = new Map<string, string>();
  readonly #withTexts: boolean;
  readonly #reader = new DocumentReader({
    resolver: (base) => {
      const resolver = createResolver(base, defaultUrlOptions);
      return (reference) => resolver.resolve(reference);
    },
  });

  constructor(withTexts: boolean) {
    this.#withTexts = withTexts;
  }

  add(record: WarcRecord, file: string): void {
    const response = archivedResponse(record, file);
    if (response === undefined || Number.isNaN(response.document.date)) return;
    const { document, refersTo } = response;
    const url = createResolver(document.url, defaultUrlOptions).resolve(document.url);
    if (url === undefined || new URL(url).pathname === '/robots.txt') return;
    const digest = captureOf(record, file)?.digest;
    if (refersTo !== undefined) {
      const content = digest === undefined ? undefined : this.#contents.get(digest);
      this.#pages.get(url)?.visits.push({ at: document.date, content });
    } else if (document.status === 200) {
      const content = createHash('sha1').update(document.body).digest('base64');
      if (digest !== undefined) this.#contents.set(digest, content);
      this.#stored(url, document, content);
    }
  }

  #stored(url: string, document: ArchivedDocument, content: string): void {
    const page = this.#pages.get(url) ?? { visits: [], readAt: Number.NEGATIVE_INFINITY, links: [], text: '' };
    this.#pages.set(url, page);
    page.visits.push({ at: document.date, content });
    if (document.date < page.readAt) return;
    page.readAt = document.date;
    const contentType = headerValue(document.rawHeaders, 'content-type');
    const read = this.#reader.read(document.body, document.address ?? url, contentType, { wantsText: this.#withTexts });
    page.links = (read.page?.links ?? []).filter(({ nofollow }) => !nofollow);
    if (this.#withTexts) page.text = `${read.page?.title ?? ''} ${read.text}`.trim().slice(0, TEXT_LENGTH);
  }

  recorded(): RecordedCrawl {
    const urls = [...this.#pages.keys()];
    const numbers = new Map(urls.map((url, page) => [url, page]));
    const builder = new RecordedGraphBuilder();
    let from = Number.POSITIVE_INFINITY;
    let to = Number.NEGATIVE_INFINITY;
    const pages = Array.from(this.#pages, ([url, { visits, links }], page): RecordedPage => {
      for (const link of links) {
        const target = numbers.get(link.url);
        if (target !== undefined) builder.add(page, target, link.text);
      }
      visits.sort((one, other) => one.at - other.at);
      from = Math.min(from, visits[0].at);
      to = Math.max(to, visits[visits.length - 1].at);
      return { url, created: visits[0].at, changes: changesIn(visits) };
    });
    const graph = builder.build(urls);
    const texts = this.#withTexts ? { texts: Array.from(this.#pages.values(), ({ text }) => text) } : {};
    return { seeds: [], graph: { ...graph, ...texts }, changes: { pages, from, to } };
  }
}

/** A change is dated by the visit that found it. */
function changesIn(visits: VisitedPage['visits']): number[] {
  const changes: number[] = [];
  let before: string | undefined;
  for (const { at, content } of visits) {
    if (content === undefined) continue;
    if (before !== undefined && content !== before) changes.push(at);
    before = content;
  }
  return changes;
}
