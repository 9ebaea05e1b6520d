import { OrbweaverError } from '../../base/errors.ts';
import type { RecordPlace } from '../../contracts/archive.ts';
import type { ExportOptions, ExportPage, ExportSource, ExportVersion, StreamFrom } from '../../contracts/export.ts';
import type { CopiedVisit } from './copied-visit.ts';
import { SortedSet } from './sorted-set.ts';
import type { VisitCopier } from './visit-copier.ts';

/** The limit is about pages. */
const ALL: StreamFrom = { cursor: '', rows: 0, limit: Number.POSITIVE_INFINITY };

/** A row of the export: a copy, and the visits that have to be copied for it. */
export interface ExportedVisits {
  readonly cursor: string;
  /** What it refers to first; without those that were copied before. */
  readonly visits: readonly CopiedVisit[];
  /** Absent for the answer that redirects to a page: it is no page. */
  readonly copy?: ExportedCopy;
}

/** What is said of a copy in a list. */
export interface ExportedCopy {
  readonly url: string;
  readonly date: number;
  /** '' where it is not known. */
  readonly mediaType: string;
  readonly status: number;
  readonly title?: string;
  text(): Promise<string | undefined>;
}

/** The tables that archives are made of: the newest copies, or all. */
export const ARCHIVE_TABLES = ['pages', 'versions'] as const;

export function checkArchiveTable({ table = 'pages' }: ExportOptions): void {
  if (ARCHIVE_TABLES.some((name) => name === table)) return;
  throw new OrbweaverError('USAGE', `There is no archive of the table "${table}".`, {
    remedy: 'Say --table pages (the newest copy of each page, the default) or --table versions (every copy).',
  });
}

interface PlacedRow {
  readonly cursor: string;
  readonly place: (RecordPlace & { readonly fileEnd?: number }) | undefined;
  readonly copy?: ExportedCopy;
}

/** Which visits are to be copied, each once. */
export class ExportedVisitsReader implements Disposable {
  readonly #source: ExportSource;
  readonly #copier: VisitCopier;
  readonly #table: string;
  readonly #copied = new SortedSet();
  readonly #pages = new SortedSet();
  /** Copies that cannot be read. */
  missing = 0;

  constructor(source: ExportSource, copier: VisitCopier, { table = 'pages' }: ExportOptions) {
    this.#source = source;
    this.#copier = copier;
    this.#table = table;
  }

  /** Of the rows up to `from` it is found out again what was copied for them, and nothing is told. */
  async *rows(from?: StreamFrom): AsyncGenerator<ExportedVisits> {
    let isPast = from === undefined || from.cursor === '';
    for await (const { cursor, place, copy } of this.#placed()) {
      const visits = await this.#visitsOf(place);
      // A copy that cannot be read is no row, and in no list.
      if (isPast)
        yield { cursor, visits: visits ?? [], ...(copy === undefined || visits === undefined ? {} : { copy }) };
      isPast ||= cursor === from?.cursor;
    }
  }

  async #visitsOf(place: PlacedRow['place']): Promise<CopiedVisit[] | undefined> {
    const visit = place === undefined ? undefined : await this.#copier.visitAt(place);
    if (visit === undefined) {
      this.missing++;
      return undefined;
    }
    const all = await this.#copier.withOriginals(visit);
    return all.filter(({ capture: { file, offset } }) => this.#copied.add(`${file} ${offset}`));
  }

  async *#placed(): AsyncGenerator<PlacedRow> {
    if (this.#table === 'versions') {
      for await (const version of this.#source.versions()) yield ofVersion(version);
      return;
    }
    for await (const page of this.#source.pages()) {
      this.#pages.add(page.url);
      yield ofPage(page);
    }
    yield* this.#redirects();
  }

  /** Who follows an old link in the archive is led to the page. */
  async *#redirects(): AsyncGenerator<PlacedRow> {
    for await (const { cursor, url, outcome } of this.#source.urls(ALL)) {
      if (outcome?.kind !== 'redirected' || !this.#pages.has(outcome.to)) continue;
      const place = await this.#copier.newest(url);
      if (place !== undefined) yield { cursor: `redirect ${cursor}`, place };
    }
  }

  [Symbol.dispose](): void {
    this.#copied[Symbol.dispose]();
    this.#pages[Symbol.dispose]();
  }
}

function ofPage(page: ExportPage): PlacedRow {
  const { cursor, url, facts } = page;
  const { mediaType, status, requestedAt: date } = facts;
  const title = facts.about?.title ?? facts.title;
  const copy = { url, date, mediaType, status, text: () => page.text(), ...(title === undefined ? {} : { title }) };
  return { cursor, place: facts.location, copy };
}

function ofVersion(version: ExportVersion): PlacedRow {
  const { cursor, url, date, file, offset, length, mediaType, status } = version;
  return {
    cursor,
    place: { file, offset, length },
    copy: { url, date, mediaType, status, text: () => version.text() },
  };
}

/** What to say of copies that are not part of the export. */
export function missingCopies(count: number): string {
  return `${count} ${count === 1 ? 'copy' : 'copies'} could not be read and ${count === 1 ? 'is' : 'are'} left out. To see what is wrong: orbweaver check`;
}
