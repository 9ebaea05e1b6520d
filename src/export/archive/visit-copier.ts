import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { archivedResponse, captureOf, type Referral } from '../../archive/archived-response.ts';
import { CdxjIndex } from '../../archive/cdxj/cdxj-index.ts';
import { type Capture, REVISIT_MIME } from '../../archive/cdxj/cdxj-line.ts';
import { isGzip } from '../../archive/gzip/gzip-reader.ts';
import { isMissing, openArchiveBytes } from '../../archive/shipping/archive-bytes.ts';
import { markerOf } from '../../archive/shipping/shipped-markers.ts';
import { readRecordAt } from '../../archive/warc/read-record-at.ts';
import { readWarc } from '../../archive/warc/warc-reader.ts';
import { isBeside } from '../../archive/warc/warc-record.ts';
import type { RecordPlace } from '../../contracts/archive.ts';
import type { CopiedVisit } from './copied-visit.ts';
import { requestStart } from './request-start.ts';

const PIECE = 1024 * 1024;
/** The metadata record of a visit, and the head of what follows. */
const AHEAD = 8 * 1024;
/** A revisit refers to a response; a chain of them is a mistake, but one that can be followed. */
const MAX_REFERRALS = 4;

/** Finds the records of visits in the archives of a crawl, and reads them as they lie there: compressed, byte for byte. */
export class VisitCopier {
  readonly #folders: readonly { readonly folder: string; readonly index: CdxjIndex }[];

  /** Archive folders: those of the crawl first, then those of earlier crawls that it may refer to. */
  constructor(folders: readonly string[]) {
    this.#folders = folders.map((folder) => ({ folder, index: new CdxjIndex(folder) }));
  }

  /** Undefined where no visit can be read there. `fileEnd`: where its records end, where that is known. */
  async visitAt(place: RecordPlace & { readonly fileEnd?: number }): Promise<CopiedVisit | undefined> {
    const { file, offset, length } = place;
    const path = this.#pathOf(file);
    if (path === undefined) return undefined;
    const record = await readRecordAt(path, offset, length);
    const capture = record === undefined ? undefined : captureOf(record, file);
    if (record === undefined || capture === undefined) return undefined;
    const bytes = await openArchiveBytes(path);
    try {
      if (!isGzip(await bytes.read(offset, 3))) return undefined;
      const start = await requestStart(bytes, offset, capture.url);
      const end = place.fileEnd ?? (await endOfVisit(path, offset + length));
      const refersTo = archivedResponse(record, file)?.refersTo;
      return { path, start, end, capture, ...(refersTo === undefined ? {} : { refersTo }) };
    } finally {
      await bytes.close();
    }
  }

  /** The last visit of a URL in the archives of the crawl. */
  async newest(url: string): Promise<Capture | undefined> {
    const captures = await Promise.all(this.#folders.map(({ index }) => index.captures(url)));
    return captures
      .flat()
      .reduce<Capture | undefined>((last, one) => (last && last.date > one.date ? last : one), undefined);
  }

  /** The visit, and before it those that it refers to. */
  async withOriginals(visit: CopiedVisit): Promise<CopiedVisit[]> {
    const visits = [visit];
    for (let referrals = 0; visits[0].refersTo !== undefined && referrals < MAX_REFERRALS; referrals++) {
      const original = await this.#original(visits[0].refersTo, visits[0]);
      if (original === undefined) break;
      visits.unshift(original);
    }
    return visits;
  }

  /** In pieces. */
  async *bytesOf({ path, start, end }: CopiedVisit): AsyncGenerator<Buffer> {
    const bytes = await openArchiveBytes(path);
    try {
      for (let at = start; at < end; ) {
        const piece = await bytes.read(at, Math.min(PIECE, end - at));
        if (piece.length === 0) return;
        yield piece;
        at += piece.length;
      }
    } finally {
      await bytes.close();
    }
  }

  async #original({ url, date, digest }: Referral, revisit: CopiedVisit): Promise<CopiedVisit | undefined> {
    for (const { index } of this.#folders) {
      const captures = (await index.captures(url)).filter(
        ({ file, offset }) => file !== revisit.capture.file || offset !== revisit.capture.offset,
      );
      const distance = (capture: Capture): number => Math.abs(capture.date - date) || 0;
      const nearest = captures.sort((a, b) => distance(a) - distance(b));
      const responses = nearest.filter(({ mime }) => mime !== REVISIT_MIME);
      const chosen = responses.find((capture) => capture.digest === digest) ?? responses[0] ?? nearest[0];
      const found = chosen === undefined ? undefined : await this.visitAt(chosen);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #pathOf(file: string): string | undefined {
    for (const { folder } of this.#folders) {
      const path = join(folder, file);
      if (existsSync(path) || existsSync(join(folder, markerOf(file)))) return path;
    }
    return undefined;
  }
}

/** The records that follow a response, up to the first that is of another visit. */
async function endOfVisit(path: string, from: number): Promise<number> {
  let end = from;
  try {
    for await (const item of readWarc(path, { from, keep: 0, ahead: AHEAD })) {
      if (item.kind === 'damage' || !isBeside(item.record.type) || item.record.length === 0) return end;
      end = item.record.offset + item.record.length;
    }
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  return end;
}
