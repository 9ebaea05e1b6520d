import { randomUUID } from 'node:crypto';
import { formatCdxj } from '../../archive/cdxj/cdxj-line.ts';
import { systemClock } from '../../base/clock.ts';
import type { ExportJob, ExportOutput, ExportSource, ExportSummary, StreamFormat } from '../../contracts/export.ts';
import { archiveFolders } from '../archive/archive-folders.ts';
import {
  checkArchiveTable,
  type ExportedVisits,
  ExportedVisitsReader,
  missingCopies,
} from '../archive/exported-visits.ts';
import { SortedSet } from '../archive/sorted-set.ts';
import { SOFTWARE, subsetWarcinfo } from '../archive/subset-warcinfo.ts';
import { VisitCopier } from '../archive/visit-copier.ts';
import { isListed, notedPage, pageLines } from './page-lines.ts';
import { type ZipMember, ZipWriter } from './zip-writer.ts';
import { ZipNumIndex } from './zipnum-index.ts';

const WACZ_VERSION = '1.1.1';
/** A new WARC file is begun beyond this, as in the archive itself. */
const FILE_BYTES = 1_000_000_000;
const INDEX = 'index.cdx.gz';

/** A web archive in one file that replays in a browser: WARC files, their index, a list of pages with their texts. */
export const waczFormat: StreamFormat = {
  target: 'stream',
  isCompressible: false,
  options: ['table', 'title'],
  check: checkArchiveTable,
  write: writeWacz,
};

async function writeWacz(source: ExportSource, output: ExportOutput, job: ExportJob): Promise<ExportSummary> {
  const copier = new VisitCopier(archiveFolders(source.about));
  using reader = new ExportedVisitsReader(source, copier, job.options);
  using captures = new SortedSet();
  using pages = new SortedSet();
  const now = systemClock.now();
  const zip = new ZipWriter((bytes) => output.write(bytes), now);
  const members: ZipMember[] = [];
  const warc = new WarcFiles(reader, copier, captures, pages, source.about.name, now, job);
  for (let name = warc.nextName; name !== undefined; name = warc.nextName)
    members.push(await zip.add(`archive/${name}`, warc.file(name), 'stored'));
  const index = new ZipNumIndex(INDEX);
  members.push(await zip.add(`indexes/${INDEX}`, index.blocks(captures), 'stored'));
  members.push(await zip.add('indexes/index.idx', once(index.list), 'deflated'));
  members.push(await zip.add('pages/pages.jsonl', pageLines(pages), 'deflated'));
  const about = Buffer.from(JSON.stringify(dataPackage(source, job, now, members), undefined, 2));
  const written = await zip.add('datapackage.json', once(about), 'deflated');
  const digest = { path: 'datapackage.json', hash: `sha256:${written.sha256}` };
  await zip.add('datapackage-digest.json', once(Buffer.from(JSON.stringify(digest, undefined, 2))), 'deflated');
  await zip.finish();
  if (reader.missing > 0) job.notice(missingCopies(reader.missing));
  return { rows: warc.rows };
}

/** The WARC files of the archive, one after the other; what they hold is noted for the index and the list of pages. */
class WarcFiles {
  readonly #rows: AsyncIterator<ExportedVisits>;
  readonly #copier: VisitCopier;
  readonly #captures: SortedSet;
  readonly #pages: SortedSet;
  readonly #crawl: string;
  readonly #now: number;
  readonly #job: ExportJob;
  #files = 0;
  #isOver = false;
  rows = 0;

  constructor(
    reader: ExportedVisitsReader,
    copier: VisitCopier,
    captures: SortedSet,
    pages: SortedSet,
    crawl: string,
    now: number,
    job: ExportJob,
  ) {
    this.#rows = reader.rows();
    this.#copier = copier;
    this.#captures = captures;
    this.#pages = pages;
    this.#crawl = crawl;
    this.#now = now;
    this.#job = job;
  }

  /** Undefined when all is written; there is one file at least. */
  get nextName(): string | undefined {
    return this.#isOver ? undefined : `data-${String(this.#files++).padStart(5, '0')}.warc.gz`;
  }

  async *file(name: string): AsyncGenerator<Uint8Array> {
    const head = subsetWarcinfo({ id: randomUUID(), date: this.#now, isPartOf: this.#crawl, file: name });
    yield head;
    let at = head.length;
    while (at < FILE_BYTES) {
      const next = await this.#rows.next();
      if (next.done === true) {
        this.#isOver = true;
        return;
      }
      const { visits, copy } = next.value;
      for (const visit of visits) {
        const { capture, start } = visit;
        const line = formatCdxj({ ...capture, file: name, offset: at + capture.offset - start });
        this.#captures.add(line.trimEnd());
        for await (const piece of this.#copier.bytesOf(visit)) {
          yield piece;
          at += piece.length;
        }
      }
      if (copy === undefined) continue;
      if (isListed(copy)) this.#pages.add(await notedPage(this.rows, copy));
      this.#job.progress(++this.rows);
    }
  }
}

function dataPackage(source: ExportSource, { options }: ExportJob, now: number, members: readonly ZipMember[]): object {
  const { about } = source;
  return {
    profile: 'data-package',
    wacz_version: WACZ_VERSION,
    title: options.title ?? about.name,
    created: new Date(now).toISOString(),
    software: SOFTWARE,
    ...(about.seeds.length === 0 ? {} : { mainPageUrl: about.seeds[0] }),
    resources: members.map(({ name, sha256, bytes }) => ({
      name: name.slice(name.lastIndexOf('/') + 1),
      path: name,
      hash: `sha256:${sha256}`,
      bytes,
    })),
  };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
