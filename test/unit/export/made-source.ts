import type { PageFacts } from '../../../src/contracts/content/page-facts.ts';
import type {
  ExportFilter,
  ExportLink,
  ExportPage,
  ExportRow,
  ExportSource,
  ExportUrl,
  ExportVersion,
  StreamFrom,
} from '../../../src/contracts/export.ts';
import type { CanonicalUrl } from '../../../src/contracts/url.ts';
import { hostKeyOf } from '../../../src/url/host-key.ts';

/** What pages may say to hurt whoever opens an export. */
export const HOSTILE = [
  '=HYPERLINK("http://evil.example","click")',
  '+1+1',
  '-2+3',
  '@SUM(A1)',
  '\t=1',
  'a,b;c',
  'say "hi"',
  'two\r\nlines\nand\rmore',
  'nul\0byte and \u0007 bell and \u001b[31m',
  '</node><evil attr="1">&amp;]]>',
  'lone \ud83d half',
  '🕷️ ünïcode \u202e turned',
  '  padded  ',
  "'quoted'",
  '',
  '[x](javascript:alert(1)) # head\n- item',
  '\ufffe\uffff',
  'other\x85ends\u2028of\u2029lines',
  '$1,000 \\ back\\slash',
];

export const NOON = Date.UTC(2026, 10, 17, 12);

export function madePage(at: number, more: Partial<PageFacts> = {}): ExportPage {
  const url = `https://example.org/section-${at % 3}/page-${at}?q=a&b=${at}` as CanonicalUrl;
  const said = HOSTILE[at % HOSTILE.length];
  const facts: PageFacts = {
    ...{ status: 200, mediaType: 'text/html', bytes: 1000 + at, directives: [said], noindex: false },
    ...{ linkCount: 2, fetchMs: 12, requestedAt: NOON + at, title: said, digest: `sha1-${at}` },
    about: {
      ...{ title: said, description: said, siteName: said, authors: [said, 'B'], keywords: at % 2 === 0 ? [] : [said] },
      ...{ language: 'en', textLength: 10, words: 2, published: at % 2 === 0 ? NOON - 1 : 9e15, modified: NOON - 5 },
    },
    location: { file: 'a.warc.gz', offset: at * 100, length: 100, fileEnd: at * 100 + 100, indexEnd: 1 },
    ...more,
  };
  return {
    ...{ url, host: hostKeyOf(url), depth: at % 4, foundBy: 'link', foundAt: NOON, state: 'visited', held: true },
    ...{ outcome: { kind: 'stored' }, status: 200, visitedAt: NOON + at, facts, cursor: String(at) },
    document: async () => undefined,
    text: async () => `text ${at} ${said}`,
    markdown: async () => `# ${said}`,
    links: async () => [],
  };
}

export interface MadeSource {
  readonly pages?: number;
  /** The stream ends there with an error, as where the process is stopped. */
  readonly diesAt?: number;
  readonly filter?: ExportFilter;
  /** Waits a little at each row. */
  readonly isSlow?: boolean;
  /** Never gives this row, nor any after it. */
  readonly haltsAt?: number;
  /** Of the text of each page. */
  readonly textLength?: number;
  readonly identity?: string;
}

export class Died extends Error {}

/** A crawl that was never made: as many pages as wanted, each with three links and two versions. */
export function madeSource({
  pages = 100,
  diesAt,
  filter = {},
  isSlow = false,
  haltsAt,
  textLength,
  identity = 'made',
}: MadeSource): ExportSource {
  async function* rows<Row>(count: number, make: (at: number) => Row, from?: StreamFrom): AsyncGenerator<Row> {
    const begin = from === undefined || from.cursor === '' ? 0 : Number(from.cursor) + 1;
    const end = Math.min(count, begin + (from?.limit ?? filter.limit ?? count) - (from?.rows ?? 0));
    for (let at = begin; at < end; at++) {
      if (at === diesAt) throw new Died();
      // A turn that never comes must keep its process.
      if (at === haltsAt) await new Promise(() => setInterval(() => {}, 60_000));
      if (isSlow) await new Promise((resolve) => setTimeout(resolve, 5));
      yield make(at);
    }
  }
  const urls = (from?: StreamFrom): AsyncGenerator<ExportUrl> => rows(pages, madePage, from);
  return {
    ...{ filter, isResumable: true, identity, about: { name: 'made', seeds: [], folders: [] } },
    signature: () => 'same',
    pages: (from) =>
      rows(
        pages,
        (at) => ({
          ...madePage(at),
          ...(textLength === undefined ? {} : { text: async () => `${at} `.padEnd(textLength, 'words ') }),
        }),
        from,
      ),
    ...{ urls, decisions: urls },
    links: (from) => rows(3 * pages, (at) => madeLink(at, pages), from),
    versions: (from) => rows(2 * pages, madeVersion, from),
    rows: (from) => rows(pages, madeRow, from),
    documentAt: async () => undefined,
    [Symbol.asyncDispose]: async () => {},
  };
}

function madeLink(at: number, pages: number): ExportLink {
  const page = Math.floor(at / 3);
  return {
    ...{ cursor: String(at), source: madePage(page).url, target: madePage((page * 7 + (at % 3)) % (pages + 5)).url },
    ...{ text: HOSTILE[at % HOSTILE.length], nofollow: at % 5 === 0, seenAt: NOON },
  };
}

function madeRow(at: number): ExportRow {
  return {
    ...{ cursor: String(at), set: 'made', url: madePage(at).url, at: NOON, firstSeen: NOON - at, changedAt: NOON },
    ...(at % 4 === 0 ? { goneAt: NOON } : {}),
    fields: { title: HOSTILE[at % HOSTILE.length], price: at / 4, tags: ['a', 'b'], none: null },
  };
}

function madeVersion(at: number): ExportVersion {
  const { url, host } = madePage(Math.floor(at / 2));
  return {
    ...{ cursor: String(at), url, host, number: 1 + (at % 2), changed: at % 2 === 0 ? 'first' : 'changed' },
    ...{ date: NOON + at, status: 200, mediaType: 'text/html', revisit: false, digest: `d${at}` },
    ...{ file: 'a.warc.gz', offset: at, length: 10 },
    document: async () => undefined,
    text: async () => HOSTILE[at % HOSTILE.length],
  };
}
