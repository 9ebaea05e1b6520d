import type { HandedVisit } from '../../../contracts/handed-visit.ts';
import type { LastVisit } from '../../../contracts/page-store.ts';
import type { CrawlFolderReader } from '../crawl-folder-reader.ts';
import type { HandedVisits } from './handed-visits.ts';

/** They are over in a fraction of a second. */
const READ_AT_ONCE = 64;

/**
 * The records of the pages of visits that were handed over, read with those of the visits that come next: each commit of the crawl
 * empties what SQLite holds in memory. Only of visits that are settled: their records are of these visits, or of later ones, which
 * have their own turn.
 */
export class HandedRecords {
  readonly #reader: Pick<CrawlFolderReader, 'pages'>;
  readonly #handed: Pick<HandedVisits, 'ahead'>;
  #records = new Map<HandedVisit, LastVisit | undefined>();

  constructor(reader: Pick<CrawlFolderReader, 'pages'>, handed: Pick<HandedVisits, 'ahead'>) {
    this.#reader = reader;
    this.#handed = handed;
  }

  /** For who goes through the files once more: a later visit may have had its turn by then, in a file that comes first. */
  forget(): void {
    this.#records.clear();
  }

  /** Of the visit whose turn it is; its file is settled as far as `end`. */
  of(visit: HandedVisit, end: number): LastVisit | undefined {
    if (!this.#records.has(visit)) {
      const visits = [visit, ...this.#handed.ahead(visit.file, end, READ_AT_ONCE - 1)];
      const pages = this.#reader.pages(visits.map(({ url }) => url));
      this.#records = new Map(visits.map((one) => [one, pages.get(one.url)]));
    }
    const record = this.#records.get(visit);
    this.#records.delete(visit);
    return record;
  }
}
