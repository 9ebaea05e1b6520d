import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises';
import { type Clock, dateOf } from '../base/clock.ts';
import type { Exchange, FailureCode, Fetcher, FetchRequest, FetchResult } from '../contracts/fetcher.ts';
import { pathOfFileUrl } from '../url/file-url.ts';
import { FileHead } from './file-head.ts';
import type { FileRules } from './file-rules.ts';
import { unquietMs, versionOf } from './file-version.ts';

export interface FileFetcherParts {
  /** As they are now. */
  readonly rules: () => Pick<FileRules, 'refusal'>;
  readonly clock: Clock;
  /** The media type, by the first bytes and the name. */
  readonly typeOf: (start: Uint8Array, url: string) => string;
  /** Larger files are cut. */
  readonly maxBytes: (mediaType: string) => number;
  /** A file that was written within this time is waited for. */
  readonly quietMs: number;
  /** That of the system where absent. */
  readonly open?: (path: string, flags: number) => Promise<FileHandle>;
}

/** As much as is needed to tell what a file is. */
const START_BYTES = 8192;
const CHUNK_BYTES = 1024 * 1024;
const GONE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG']);
/** Never through a link, and never waiting for somebody at the other end of a pipe. */
const HOW = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Files of this machine, in the terms of HTTP: 200 with what it holds, 304 where it is as it was, 404 where there is none, 410 where it
 * does not belong to the crawl any more. Whoever names a URL, only regular files that the rules let in are opened, and no
 * symbolic link on the way to one is followed.
 */
export class FileFetcher implements Fetcher {
  readonly #parts: FileFetcherParts;
  readonly #closing = new AbortController();

  constructor(parts: FileFetcherParts) {
    this.#parts = parts;
  }

  async fetch(request: FetchRequest): Promise<FetchResult> {
    const { clock } = this.#parts;
    const startedAt = clock.now();
    const date = dateOf(clock, startedAt);
    const exchange = (): Exchange => ({
      ...{ startedAt, endedAt: clock.now(), address: '', requestHead: `GET ${request.url}\r\n\r\n` },
      ...(date === startedAt ? {} : { date }),
    });
    try {
      return await this.#fetch(request, exchange);
    } catch (error) {
      const { code = '', message } = error as NodeJS.ErrnoException;
      if (GONE.has(code)) return without(404, 'there is no such file', exchange());
      if (this.#closing.signal.aborted) return failed('aborted', 'the run ended', exchange());
      return failed('file-unreadable', code === '' ? message : describe(code), exchange());
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
  }

  async #fetch(request: FetchRequest, exchange: () => Exchange): Promise<FetchResult> {
    const { rules, clock, quietMs } = this.#parts;
    const path = pathOfFileUrl(request.url);
    if (path === undefined) return without(404, 'no path is written so', exchange());
    const refusal = rules().refusal(path, 'file');
    if (refusal !== undefined) return without(410, refusal, exchange());
    let found = await lstat(path, { bigint: true });
    if (!found.isFile()) return without(410, 'it is no regular file', exchange());
    if (request.validators?.etag === versionOf(found)) return notModified(found, exchange());
    const wait = unquietMs(found, Date.now(), quietMs);
    if (wait > 0) {
      await clock.sleep(wait, this.#closing.signal);
      const later = await lstat(path, { bigint: true });
      if (versionOf(later) !== versionOf(found)) return failed('file-changing', 'it is being written', exchange());
      found = later;
    }
    const file = await (this.#parts.open ?? open)(path, HOW);
    try {
      return await this.#read(request, path, found, file, exchange);
    } finally {
      await file.close();
    }
  }

  async #read(
    request: FetchRequest,
    path: string,
    found: BigIntStats,
    file: FileHandle,
    exchange: () => Exchange,
  ): Promise<FetchResult> {
    const opened = await file.stat({ bigint: true });
    if (!opened.isFile()) return without(410, 'it is no regular file', exchange());
    if (opened.dev !== found.dev || versionOf(opened) !== versionOf(found))
      return failed('file-changing', 'it was replaced', exchange());
    const strayed = await whereElse(file, path, opened);
    if (strayed === 'link') return without(410, 'a symbolic link leads to it', exchange());
    if (strayed === 'replaced') return failed('file-changing', 'it was replaced', exchange());
    const size = Number(opened.size);
    const start = await readUpTo(file, 0, Math.min(size, START_BYTES));
    const mediaType = this.#parts.typeOf(start, request.url);
    const head = new FileHead(200, 'OK', [
      ...['Content-Type', mediaType, 'Content-Length', String(size)],
      ...['Last-Modified', new Date(Number(opened.mtimeMs)).toUTCString(), 'ETag', versionOf(opened)],
    ]);
    const unwanted = request.wanted?.(head);
    if (unwanted !== undefined) return { kind: 'unwanted', head, exchange: exchange(), reason: unwanted };
    if (request.method === 'HEAD')
      return { kind: 'response', head, exchange: exchange(), raw: new Uint8Array(), body: new Uint8Array() };
    const wanted = Math.min(size, request.maxBytes ?? this.#parts.maxBytes(mediaType));
    await request.admit?.(wanted);
    const body = start.byteLength >= wanted ? start.subarray(0, wanted) : await readUpTo(file, 0, wanted, start);
    const after = await file.stat({ bigint: true });
    if (body.byteLength < wanted || versionOf(after) !== versionOf(opened))
      return failed('file-changing', 'it was written while it was read', exchange());
    const cut = wanted < size ? { truncated: 'length' as const } : {};
    return { kind: 'response', head, exchange: exchange(), raw: body, body, ...cut };
  }
}

/**
 * A folder on the way may be a link since it was walked, and no link any more a moment later: where the system tells what was opened, that
 * counts. Elsewhere the path must lead to the same file once more, without a link.
 */
async function whereElse(
  file: FileHandle,
  path: string,
  opened: BigIntStats,
): Promise<'link' | 'replaced' | undefined> {
  const place =
    process.platform === 'linux' ? await readlink(`/proc/self/fd/${file.fd}`).catch(() => undefined) : undefined;
  if (place === path) return undefined;
  if ((await realpath(path)) !== path) return 'link';
  if (place !== undefined) return 'replaced';
  const again = await lstat(path, { bigint: true });
  return again.dev === opened.dev && again.ino === opened.ino ? undefined : 'replaced';
}

/** Fewer where the file ends. `start`: what was read already. */
async function readUpTo(file: FileHandle, from: number, bytes: number, start?: Uint8Array): Promise<Uint8Array> {
  const buffer = new Uint8Array(bytes);
  if (start !== undefined) buffer.set(start);
  let at = start?.byteLength ?? 0;
  while (at < bytes) {
    const { bytesRead } = await file.read(buffer, at, Math.min(CHUNK_BYTES, bytes - at), from + at);
    if (bytesRead === 0) break;
    at += bytesRead;
  }
  return at === bytes ? buffer : buffer.subarray(0, at);
}

function notModified(found: BigIntStats, exchange: Exchange): FetchResult {
  const head = new FileHead(304, 'Not Modified', ['ETag', versionOf(found)]);
  return { kind: 'response', head, exchange, raw: new Uint8Array(), body: new Uint8Array() };
}

/** The reason is the body, so that the archive tells it. */
function without(status: 404 | 410, why: string, exchange: Exchange): FetchResult {
  const body = new TextEncoder().encode(`${why}\n`);
  const fields = ['Content-Type', 'text/plain;charset=utf-8', 'Content-Length', String(body.byteLength)];
  const head = new FileHead(status, status === 404 ? 'Not Found' : 'Gone', fields);
  return { kind: 'response', head, exchange, raw: body, body };
}

function failed(code: FailureCode, detail: string, exchange: Exchange): FetchResult {
  return { kind: 'failed', code, detail, exchange, bytes: 0 };
}

function describe(code: string): string {
  return code === 'EACCES' || code === 'EPERM' ? 'reading it is not permitted' : `reading it failed: ${code}`;
}
