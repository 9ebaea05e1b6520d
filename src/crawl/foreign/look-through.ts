import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { foreignFiles } from '../../archive/foreign/foreign-files.ts';
import { type ReadRecord, readRecord } from '../../archive/foreign/foreign-record.ts';
import { type ForeignItem, readForeign } from '../../archive/foreign/read-foreign.ts';
import { RecordSpool } from '../../archive/foreign/record-spool.ts';
import { parseHttpHead } from '../../archive/http-message.ts';
import type { WarcRecord } from '../../archive/warc/warc-record.ts';
import { OrbweaverError } from '../../base/errors.ts';
import type { ForeignCapture, ForeignCapturesWriter, ForeignFileReport } from '../../contracts/foreign-capture.ts';
import type { UrlOptions } from '../../url/url-options.ts';

/** How far the looking through of foreign files has come. */
export interface LookingThrough {
  readonly file: string;
  /** Of all files. */
  readonly files: number;
  readonly number: number;
  /** Of this file. */
  readonly records: number;
  readonly captures: number;
}

export interface LookThroughParts {
  readonly captures: ForeignCapturesWriter;
  readonly folder: string;
  readonly urlOptions: UrlOptions;
  /** Of longer records only so many bytes are kept. */
  readonly keep: number;
  readonly onProgress?: (progress: LookingThrough) => void;
  readonly signal?: AbortSignal;
}

/** Records of which it is remembered what they answered: a request stands near its response. */
const REMEMBERED = 64;
const PROGRESS_EVERY = 1000;
/** Enough for the first line. */
const LONGEST_REQUEST = 64 * 1024;

/** Where records lie that cannot be read alone. */
export function spoolFolder(folder: string): string {
  return join(folder, 'foreign');
}

/**
 * Finds the captures of all files that were named and are not known as they are. Answers what it found in each of them; files that were
 * looked through earlier tell what they told then.
 */
export async function lookThrough(named: readonly string[], parts: LookThroughParts): Promise<ForeignFileReport[]> {
  const paths = await foreignFiles(named);
  for (const [at, path] of paths.entries()) {
    parts.signal?.throwIfAborted();
    await lookThroughFile(path, parts, { files: paths.length, number: at + 1 });
  }
  const wanted = new Set(paths);
  return parts.captures.reports().filter(({ path }) => wanted.has(path));
}

async function lookThroughFile(
  path: string,
  parts: LookThroughParts,
  place: Pick<LookingThrough, 'files' | 'number'>,
): Promise<void> {
  const { captures, keep } = parts;
  const { size: bytes, mtimeMs } = statSync(path);
  const number = captures.begin({ path, bytes, modifiedAt: Math.floor(mtimeMs) });
  if (number === undefined) return;
  mkdirSync(spoolFolder(parts.folder), { recursive: true });
  using spool = new RecordSpool(join(spoolFolder(parts.folder), `${number}.warc.gz`));
  const found = new FoundRecords(number, path, parts, spool);
  const scratch = join(spoolFolder(parts.folder), `${number}.tmp`);
  const tell = (): void => parts.onProgress?.({ ...place, file: path, ...found.progress });
  tell();
  for await (const item of readItems(path, { keep, scratch })) {
    parts.signal?.throwIfAborted();
    found.take(item);
    if (found.progress.records % PROGRESS_EVERY === 0) tell();
  }
  rmSync(scratch, { force: true });
  captures.end(number, found.report);
  tell();
}

/** A file that cannot be read at all ends it, told by its name: nothing says what would be missing. */
async function* readItems(path: string, how: Parameters<typeof readForeign>[1]): AsyncGenerator<ForeignItem> {
  try {
    yield* readForeign(path, how);
  } catch (cause) {
    const { syscall, code } = cause as NodeJS.ErrnoException;
    if (syscall === undefined || code === 'ENOSPC') throw cause;
    throw new OrbweaverError('INPUT_INVALID', `${path} cannot be read: ${(cause as Error).message}.`, {
      remedy: 'Look at the permissions of the file and at its disk, or leave it out.',
      cause,
    });
  }
}

/** What one file holds. */
class FoundRecords {
  readonly #file: number;
  readonly #path: string;
  readonly #parts: LookThroughParts;
  readonly #spool: RecordSpool;
  readonly #counts: Record<string, number> = {};
  readonly #refused = new Map<string, { count: number; first: string }>();
  /** By record id, the last few: what was captured, and which were asked for otherwise than by GET. */
  readonly #captured = new Map<string, Pick<ForeignCapture, 'url' | 'date'>>();
  readonly #posted = new Set<string>();
  #records = 0;
  #captures = 0;

  constructor(file: number, path: string, parts: LookThroughParts, spool: RecordSpool) {
    this.#file = file;
    this.#path = path;
    this.#parts = parts;
    this.#spool = spool;
  }

  get progress(): Pick<LookingThrough, 'records' | 'captures'> {
    return { records: this.#records, captures: this.#captures };
  }

  get report(): Pick<ForeignFileReport, 'counts' | 'refused'> {
    const refused = [...this.#refused].map(([why, { count, first }]) => ({ why, count, first }));
    return { counts: { records: this.#records, ...this.#counts }, refused };
  }

  take(item: ForeignItem): void {
    if (item.kind === 'damage') {
      this.#refuse(item.why, `${item.inside === undefined ? '' : `${item.inside}, `}at ${item.at}`);
      return;
    }
    this.#records++;
    const { record, alone } = item;
    if (record.type === 'request') this.#noteRequest(record);
    const read = readRecord(record, this.#parts.urlOptions);
    if (read.kind === 'refused') this.#refuse(read.why, placeOf(record));
    else this.#count(read.kind === 'skipped' ? read.as : this.#keep(record, alone, read.capture));
  }

  #keep(record: WarcRecord, alone: boolean, capture: Extract<ReadRecord, { kind: 'capture' }>['capture']): string {
    const id = record.fields.get('WARC-Record-ID') ?? '';
    if (this.#posted.has(id)) return 'answers to forms';
    const { offset, length } = record;
    const place = alone ? { path: this.#path, offset, length } : this.#spool.put(record);
    const added = this.#parts.captures.add(this.#file, { ...capture, ...place });
    if (added !== 'added') return added === 'repeated' ? 'repeated' : capture.kind;
    this.#captures++;
    remember(this.#captured, id, capture);
    return capture.kind;
  }

  /** The answer to a form that was sent is none to its URL. The request comes before its response, or after it. */
  #noteRequest({ block, fields }: WarcRecord): void {
    const method = parseHttpHead(block.subarray(0, LONGEST_REQUEST))?.startLine.split(' ', 1)[0];
    if (method === undefined || method === 'GET' || method === 'HEAD') return;
    for (const id of [fields.get('WARC-Concurrent-To'), fields.get('WARC-Record-ID')]) {
      if (id === undefined) continue;
      this.#posted.add(id);
      if (this.#posted.size > REMEMBERED) this.#posted.delete(this.#posted.values().next().value as string);
      const capture = this.#captured.get(id);
      if (capture === undefined) continue;
      this.#parts.captures.remove(capture);
      this.#captures--;
      this.#counts.response--;
      this.#count('answers to forms');
    }
  }

  #count(as: string): void {
    this.#counts[as] = (this.#counts[as] ?? 0) + 1;
  }

  #refuse(why: string, place: string): void {
    const known = this.#refused.get(why);
    if (known === undefined) this.#refused.set(why, { count: 1, first: place });
    else known.count++;
  }
}

function placeOf({ offset, fields }: WarcRecord): string {
  const target = fields.get('WARC-Target-URI');
  return `at ${offset}${target === undefined ? '' : ` (${target.slice(0, 200)})`}`;
}

function remember<T>(among: Map<string, T>, id: string, value: T): void {
  if (id === '') return;
  among.set(id, value);
  if (among.size > REMEMBERED) among.delete(among.keys().next().value as string);
}
