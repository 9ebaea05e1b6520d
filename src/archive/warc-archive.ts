import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { OrbweaverError } from '../base/errors.ts';
import type {
  Archive,
  ArchivedDocument,
  ArchivedVersion,
  ArchiveEntry,
  ArchiveLocation,
  PutLocation,
  RecordPlace,
} from '../contracts/archive.ts';
import type { CanonicalUrl } from '../contracts/url.ts';
import { type ArchiveDisk, nodeDisk } from './archive-disk.ts';
import { isWriterId } from './archive-file-name.ts';
import { archivedResponse, asShown, type Referral, withBodyOf } from './archived-response.ts';
import { CdxjIndex } from './cdxj/cdxj-index.ts';
import { type Capture, REVISIT_MIME } from './cdxj/cdxj-line.ts';
import { sortCdxj } from './cdxj/cdxj-sort.ts';
import { gzipMember } from './gzip/gzip-member.ts';
import { isMissing, openArchiveBytes } from './shipping/archive-bytes.ts';
import { readableFiles } from './shipping/readable-files.ts';
import { filesAround, type ShippedArchive, shippedCaptures } from './shipping/shipped-captures.ts';
import { storageError } from './storage-error.ts';
import { readRecordAt } from './warc/read-record-at.ts';
import { readTextBetween, textOfRecords } from './warc/read-text-between.ts';
import { type MadeMembers, VisitEncoder } from './warc/visit-encoder.ts';
import { type VisitRecords, visitRecords } from './warc/visit-records.ts';
import { readWarc } from './warc/warc-reader.ts';
import { isBeside, isRenderedPage, isText } from './warc/warc-record.ts';
import { WarcWriter } from './warc/warc-writer.ts';
import { type CrawlDescription, warcinfoRecord } from './warc/warcinfo-record.ts';

export interface WarcArchiveOptions extends CrawlDescription {
  readonly folder: string;
  /** Tells the files of this writer from those of others in the folder: letters, digits, dot, underscore. */
  readonly writerId: string;
  readonly clock: Clock;
  /** A new file is begun rather than growing one beyond this. Default: 1 GB. */
  readonly maxFileBytes?: number;
  /** 0: stored; 1, the default: fast; 2 to 9: zlib's levels, a tenth to a fifth smaller for several times the time. */
  readonly level?: number;
  /** 'data': `put` waits for the device (survives a power failure). Default: 'none' (survives any end of the process). */
  readonly sync?: 'none' | 'data';
  readonly disk?: ArchiveDisk;
  readonly uuid?: () => string;
  /** Archive folders of earlier crawls that revisit records here may refer to. */
  readonly elsewhere?: readonly string[];
  /** What was shipped of the crawl, for files that are not in the folder. */
  readonly shipped?: ShippedArchive;
  /** Damage met while scanning. */
  readonly onDamage?: (damage: { readonly file: string; readonly at: number; readonly why: string }) => void;
}

const DEFAULT_MAX_FILE_BYTES = 1_000_000_000;
const DEFAULT_LEVEL = 1;
/** A revisit refers to a response; a chain of them is a mistake, but one that can be followed. */
const MAX_REFERRALS = 4;

/** WARC files with an index beside each. Nothing is written, and no file created, before the first `put`. */
export class WarcArchive implements Archive {
  readonly #options: WarcArchiveOptions;
  readonly #writer: WarcWriter;
  readonly #index: CdxjIndex;
  readonly #level: number;
  /** Made for the first `put`: who only reads needs none. */
  #encoder: VisitEncoder | undefined;
  readonly #uuid: () => string;
  readonly #appending = new Set<Promise<PutLocation>>();
  readonly #sorting = new Set<Promise<void>>();
  #closed = false;

  constructor(options: WarcArchiveOptions) {
    const { folder, writerId, clock, level = DEFAULT_LEVEL, uuid = randomUUID } = options;
    this.#options = options;
    this.#level = level;
    this.#uuid = uuid;
    this.#index = new CdxjIndex(folder);
    this.#writer = new WarcWriter({
      folder,
      writerId,
      maxFileBytes: options.maxFileBytes ?? DEFAULT_MAX_FILE_BYTES,
      sync: options.sync ?? 'none',
      disk: options.disk ?? nodeDisk,
      now: () => clock.now(),
      warcinfo: (file) => gzipMember(warcinfoRecord(options, file, clock.now(), uuid()), level),
      onComplete: (file) => this.#sortInBackground(file),
    });
  }

  async put(entry: ArchiveEntry): Promise<PutLocation> {
    if (this.#closed) throw new OrbweaverError('INTERNAL', 'The archive was closed before this put.');
    this.#encoder ??= new VisitEncoder(this.#level);
    const records = visitRecords(entry, this.#uuid);
    const making = this.#encoder.inBackground(records);
    const location =
      making === undefined
        ? this.#writer.append(this.#encoder.encode(records))
        : await this.#appendLater(this.#encoder, records, making);
    if (this.#options.sync === 'data') await this.#writer.durable();
    return location;
  }

  async get(url: CanonicalUrl, at?: number): Promise<ArchivedDocument | undefined> {
    const captures = await this.#index.captures(url);
    for (const capture of byNearness(captures, at ?? Number.POSITIVE_INFINITY)) {
      const document = await this.readAt(capture);
      // A copy whose file is damaged, or whose original is gone: the next best is better than none.
      if (document !== undefined) return document;
    }
    return undefined;
  }

  /** The visit at a known place: the fast way, without the index. Undefined where it cannot be read. */
  async readAt(location: Pick<ArchiveLocation, 'file' | 'offset' | 'length'>): Promise<ArchivedDocument | undefined> {
    return this.#read(location, MAX_REFERRALS);
  }

  async textAt(location: RecordPlace & { readonly fileEnd?: number }): Promise<string | undefined> {
    const after = location.offset + location.length;
    const path = join(this.#options.folder, location.file);
    const { fileEnd } = location;
    const text = fileEnd === undefined ? 'unsure' : await this.#textBetween(path, after, fileEnd);
    if (text !== 'unsure') return text;
    for await (const item of readWarc(path, { from: after, ...this.#alsoShipped })) {
      if (item.kind === 'damage') return undefined;
      const { type, block, fields } = item.record;
      if (isText(type, fields)) return Buffer.from(block).toString();
      // The records of a visit lie together: whatever else comes belongs to the next.
      if (!isBeside(type)) return undefined;
    }
    return undefined;
  }

  async shown(document: ArchivedDocument): Promise<ArchivedDocument> {
    return document.isRendered === true ? await this.#pageBeside(document) : document;
  }

  async asPage(document: ArchivedDocument): Promise<ArchivedDocument> {
    const { isRendered, isConverted } = document;
    return isRendered === true || isConverted === true ? await this.#pageBeside(document) : document;
  }

  async #pageBeside(document: ArchivedDocument): Promise<ArchivedDocument> {
    const { file, offset, length } = document.location;
    const path = join(this.#options.folder, file);
    for await (const item of readWarc(path, { from: offset + length, ...this.#alsoShipped })) {
      if (item.kind === 'damage') break;
      const { type, block, fields } = item.record;
      if (isRenderedPage(type, fields)) return asShown(document, Buffer.from(block));
      if (!isBeside(type)) break;
    }
    return document;
  }

  async #textBetween(path: string, from: number, to: number): Promise<string | undefined | 'unsure'> {
    try {
      return readTextBetween(path, from, to);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    const bytes = await openArchiveBytes(path, this.#options.shipped);
    return textOfRecords(await bytes.read(from, to - from));
  }

  get #alsoShipped(): { readonly elsewhere?: ShippedArchive } {
    return this.#options.shipped === undefined ? {} : { elsewhere: this.#options.shipped };
  }

  async versions(url: CanonicalUrl): Promise<ArchivedVersion[]> {
    return (await this.#index.captures(url)).map(versionOf);
  }

  async *scan(from?: { file: string; offset: number }): AsyncGenerator<ArchivedDocument> {
    for (const file of await this.files()) {
      if (from !== undefined && file < from.file) continue;
      yield* this.scanFile(file, file === from?.file ? from.offset : 0);
    }
  }

  /** The responses of one file from the offset on, in write order. */
  async *scanFile(file: string, offset = 0): AsyncGenerator<ArchivedDocument> {
    for await (const item of readWarc(join(this.#options.folder, file), {
      from: offset,
      ...this.#alsoShipped,
    })) {
      if (item.kind === 'damage') {
        this.#options.onDamage?.({ file, at: item.at, why: item.why });
      } else if (item.record.type === 'response' && item.record.whole) {
        const response = archivedResponse(item.record, file);
        if (response !== undefined) yield response.document;
      }
    }
  }

  /** The names of the WARC files, in order; also of those that were deleted when they had been shipped. */
  files(): Promise<string[]> {
    return readableFiles(this.#options.folder);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    // A put whose body is being compressed was accepted, and is written before the end.
    await Promise.allSettled(this.#appending);
    await this.#writer.close();
    await Promise.all(this.#sorting);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #read(
    location: Pick<ArchiveLocation, 'file' | 'offset' | 'length'>,
    referrals: number,
  ): Promise<ArchivedDocument | undefined> {
    const record = await this.#record(location);
    const response = record === undefined ? undefined : archivedResponse(record, location.file);
    if (response?.refersTo === undefined) return response?.document;
    if (referrals === 0) return undefined;
    const original = await this.#findOriginal(response.refersTo, location);
    const document =
      original === undefined ? await this.#elsewhere(response.refersTo) : await this.#read(original, referrals - 1);
    return document === undefined ? undefined : withBodyOf(response.document, document);
  }

  /** The original lies in the archive of an earlier crawl. */
  async #elsewhere({ url, date }: Referral): Promise<ArchivedDocument | undefined> {
    const { shipped, ...options } = this.#options;
    for (const folder of options.elsewhere ?? []) {
      const document = await new WarcArchive({ ...options, folder, elsewhere: [] }).get(url as CanonicalUrl, date);
      if (document !== undefined) return document;
    }
    if (shipped === undefined) return undefined;
    const captures = await shippedCaptures(url, filesAround(await shipped.files(), date), shipped);
    const responses = captures.filter(({ mime }) => mime !== REVISIT_MIME);
    for (const capture of byNearness(responses, date)) {
      const document = await this.#read(capture, 0);
      if (document !== undefined) return document;
    }
    return undefined;
  }

  async #record(location: Pick<ArchiveLocation, 'file' | 'offset' | 'length'>) {
    try {
      const { folder, shipped } = this.#options;
      return await readRecordAt(join(folder, location.file), location.offset, location.length, shipped);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw storageError(error, this.#options.folder);
    }
  }

  /** The response with the same payload nearest to the date told; where no digest tells, the nearest response. */
  async #findOriginal(
    refersTo: Referral,
    revisit: Pick<ArchiveLocation, 'file' | 'offset'>,
  ): Promise<Capture | undefined> {
    const captures = (await this.#index.captures(refersTo.url)).filter(
      (capture) => capture.file !== revisit.file || capture.offset !== revisit.offset,
    );
    const nearest = byNearness(captures, refersTo.date);
    const responses = nearest.filter((capture) => capture.mime !== REVISIT_MIME);
    return responses.find((capture) => capture.digest === refersTo.digest) ?? responses[0] ?? nearest[0];
  }

  #appendLater(encoder: VisitEncoder, records: VisitRecords, making: Promise<MadeMembers>): Promise<PutLocation> {
    const appending = making
      .then((made) => this.#writer.append(encoder.encode(records, made)))
      .finally(() => this.#appending.delete(appending));
    this.#appending.add(appending);
    return appending;
  }

  #sortInBackground(file: string): void {
    // The sorted copy only makes look-ups faster: without it they still work, and the next start makes it.
    const sorting = sortCdxj(this.#options.folder, file)
      .catch(() => {})
      .finally(() => this.#sorting.delete(sorting));
    this.#sorting.add(sorting);
  }
}

/** Makes the folder where needed. Before the first `put` after a crash, `repairArchive` has to have run. */
export function openWarcArchive(options: WarcArchiveOptions): WarcArchive {
  if (!isWriterId(options.writerId)) {
    throw new OrbweaverError('INTERNAL', `"${options.writerId}" cannot be part of a file name.`);
  }
  try {
    mkdirSync(options.folder, { recursive: true });
  } catch (error) {
    throw new OrbweaverError('FOLDER_UNWRITABLE', `The archive folder ${options.folder} cannot be made.`, {
      cause: error,
    });
  }
  return new WarcArchive(options);
}

/** What the index says of a visit, for those who ask for versions. */
export function versionOf({ file, offset, length, date, status, mime, digest }: Capture): ArchivedVersion {
  return {
    ...{ file, offset, length, date, status, mediaType: mime, revisit: mime === REVISIT_MIME },
    ...(digest === undefined ? {} : { digest }),
  };
}

/** Nearest first; of two equally near, and where no time is given, the newer. */
function byNearness(oldestFirst: readonly Capture[], at: number): Capture[] {
  const newestFirst = oldestFirst.toReversed();
  if (!Number.isFinite(at)) return newestFirst;
  return newestFirst.sort((a, b) => Math.abs(a.date - at) - Math.abs(b.date - at));
}
