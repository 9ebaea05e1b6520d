import type { TableWriter } from '../../../contracts/site-report.ts';
import type { KnownUrl } from '../../../contracts/state/known-url.ts';
import type { InLinkCount } from '../../../contracts/state/link-store.ts';
import { createTable } from '../../../engines/open-table.ts';
import { TABLE_COLUMNS } from './report-columns.ts';
import { holdsCopy, reportRow } from './report-row.ts';
import { REPORT_VIEWS, SLOW_MS } from './report-views.ts';
import { type End, followRedirects, groupDuplicates, markRepeated, type NamedUrl } from './row-relations.ts';

/** What a report says of itself. */
export interface ReportAbout {
  /** When reading began: what was settled before is in it. */
  readonly madeAt: number;
  readonly tookMs: number;
  /** Of the crawl as it was then; see `crawl-signature.ts`. */
  readonly signature: string;
  /** Whether the links of the crawl were there. */
  readonly hasLinks: boolean;
}

export interface ReportParts {
  readonly path: string;
  readonly urls: Iterable<KnownUrl>;
  /**
   * How many links lead to each page, without those on pages that are left out; absent where no links were gathered. For a copy or a
   * redirect the store has a link to what stands behind it, so that rank passes on: nobody can click it.
   */
  readonly inLinks?: (leftOut: (hi: number, lo: number) => boolean) => Iterable<InLinkCount>;
  readonly signature: string;
  readonly now: () => number;
  /** Told now and then. */
  readonly onProgress?: (progress: ReportProgress) => void;
}

export interface ReportProgress {
  readonly stage: 'reading' | 'linking' | 'sorting';
  /** URLs so far. */
  readonly urls: number;
}

const TOLD_EVERY = 5_000;
const HTML: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml']);

/** Makes the report of a crawl from its state and its links; it takes the place of the one before when it is whole. */
export function buildReport(parts: ReportParts): ReportAbout {
  const { path, urls, inLinks, signature, now, onProgress } = parts;
  const madeAt = now();
  const flags = REPORT_VIEWS.map(({ name }) => name);
  using table = createTable(path, TABLE_COLUMNS, flags);
  const draft = new ReportDraft(table);
  for (const known of urls) {
    draft.add(known);
    if (table.rows % TOLD_EVERY === 0) onProgress?.({ stage: 'reading', urls: table.rows });
  }
  onProgress?.({ stage: 'linking', urls: table.rows });
  if (inLinks !== undefined) draft.countLinks(inLinks((hi, lo) => draft.isAlias(hi, lo)));
  onProgress?.({ stage: 'sorting', urls: table.rows });
  draft.relate();
  const about = { madeAt, tookMs: Math.max(0, now() - madeAt), signature, hasLinks: inLinks !== undefined };
  table.publish(about);
  return about;
}

/** What is kept of each row until all are there. */
const Row = { html: 1, page: 2, orphanable: 4, broken: 8, waiting: 16, refused: 32, alias: 64 } as const;

class ReportDraft {
  readonly #table: TableWriter;
  readonly #traits: number[] = [];
  readonly #redirects: NamedUrl[] = [];
  readonly #duplicates: NamedUrl[] = [];

  constructor(table: TableWriter) {
    this.#table = table;
  }

  add(known: KnownUrl): void {
    // A URL that moved while the state was read; what came first is what the last visit left.
    if (this.#table.rowOf(known.url) !== undefined) return;
    const values = reportRow(known);
    const row = this.#table.add(values);
    this.#traits.push(traitsOf(known));
    if (values.redirectsTo !== undefined) this.#redirects.push({ row, url: String(values.redirectsTo) });
    if (values.duplicateOf !== undefined) this.#duplicates.push({ row, url: String(values.duplicateOf) });
    for (const view of viewsOf(known)) this.#table.flag(row, view);
  }

  /** Another page stands behind it. */
  isAlias(hi: number, lo: number): boolean {
    const row = this.#table.rowAt(hi, lo);
    return row !== undefined && this.#has(row, Row.alias);
  }

  countLinks(counts: Iterable<InLinkCount>): void {
    const table = this.#table;
    const fromOthers = new Uint32Array(table.rows);
    const links = new Uint32Array(table.rows);
    for (const { hi, lo, links: count, fromOthers: others } of counts) {
      const row = table.rowAt(hi, lo);
      if (row === undefined) continue;
      links[row] += count;
      fromOthers[row] += others;
    }
    for (let row = 0; row < table.rows; row++) {
      table.set(row, 'inLinks', links[row]);
      if (fromOthers[row] === 0 && this.#has(row, Row.orphanable)) table.flag(row, 'orphans');
    }
  }

  relate(): void {
    followRedirects(this.#table, this.#redirects, (row) => this.#endOf(row));
    groupDuplicates(this.#table, this.#duplicates);
    const isPage = (row: number): boolean => this.#has(row, Row.page) && this.#has(row, Row.html);
    markRepeated(this.#table, 'title', 'sameTitle', 'titles-repeated', isPage);
    markRepeated(this.#table, 'description', 'sameDescription', 'descriptions-repeated', isPage);
  }

  #endOf(row: number): End | undefined {
    if (this.#has(row, Row.page)) return 'page';
    if (this.#has(row, Row.broken)) return 'broken';
    if (this.#has(row, Row.refused)) return 'refused';
    return this.#has(row, Row.waiting) ? 'waiting' : undefined;
  }

  #has(row: number, trait: number): boolean {
    return (this.#traits[row] & trait) !== 0;
  }
}

function traitsOf({ state, outcome, facts, foundBy }: KnownUrl): number {
  const isPage = state === 'visited' && holdsCopy(outcome);
  const isHtml = HTML.has(facts?.mediaType ?? '');
  return (
    (isHtml ? Row.html : 0) |
    (isPage ? Row.page : 0) |
    (isPage && isHtml && foundBy !== 'seed' ? Row.orphanable : 0) |
    (isBroken(outcome) ? Row.broken : 0) |
    (state === 'waiting' ? Row.waiting : 0) |
    (outcome?.kind === 'refused' ? Row.refused : 0) |
    (outcome?.kind === 'redirected' || outcome?.kind === 'duplicate' ? Row.alias : 0)
  );
}

/** The views that need nothing but the URL itself. */
function* viewsOf(known: KnownUrl): Generator<string> {
  const { state, outcome, facts, url } = known;
  yield 'all';
  if (state === 'waiting') yield 'waiting';
  if (state === 'visited') yield 'visited';
  if (outcome?.kind === 'refused') yield outcome.by === 'robots' ? 'robots' : 'refused';
  if (facts?.noindex === true || (outcome?.kind === 'refused' && outcome.by === 'directive')) yield 'noindex';
  if (isBroken(outcome)) yield 'broken';
  if (outcome?.kind === 'redirected') yield 'redirects';
  // Of a page whose answer did not come, the time is that of an earlier one.
  if ((facts?.fetchMs ?? 0) >= SLOW_MS && outcome?.kind !== 'failed' && outcome?.kind !== 'refused') yield 'slow';
  if (state !== 'visited' || !holdsCopy(outcome)) return;
  yield 'pages';
  if (facts?.canonical !== undefined && facts.canonical !== url) yield 'canonicalised';
  if (!HTML.has(facts?.mediaType ?? '')) return;
  if ((facts?.title ?? '').trim() === '') yield 'titles-missing';
  // Without `about` nothing was read of the page that could tell.
  if (facts?.about !== undefined && (facts.about.description ?? '').trim() === '') yield 'descriptions-missing';
}

function isBroken(outcome: KnownUrl['outcome']): boolean {
  return outcome?.kind === 'gone' || outcome?.kind === 'failed';
}
