import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { sha1Base32 } from '../../../src/archive/sha1-base32.ts';
import { openWarcArchive, type WarcArchive, type WarcArchiveOptions } from '../../../src/archive/warc-archive.ts';
import type { Clock } from '../../../src/base/clock.ts';
import type { ArchiveEntry } from '../../../src/contracts/archive.ts';
import type { ResponseHead } from '../../../src/contracts/fetcher.ts';
import type { CanonicalUrl } from '../../../src/contracts/url.ts';

export const NOON = Date.UTC(2026, 0, 2, 12, 0, 0);

/** A clock that stands still until it is moved. */
export class HandClock implements Clock {
  time = NOON;

  now(): number {
    return this.time;
  }

  async sleep(): Promise<void> {}
}

export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-archive-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function testArchive(folder: string, options: Partial<WarcArchiveOptions> = {}): WarcArchive {
  return openWarcArchive({
    folder,
    writerId: 'main',
    clock: new HandClock(),
    software: 'Orbweaver/test',
    userAgent: 'OrbweaverTest/1.0 (+https://crawler.example/)',
    robots: 'obey',
    ...options,
  });
}

export interface EntryParts {
  readonly url?: string;
  readonly at?: number;
  readonly status?: number;
  readonly statusText?: string;
  readonly httpVersion?: string;
  readonly rawHeaders?: readonly string[];
  readonly raw?: Uint8Array | string;
  /** When the raw body is coded. */
  readonly body?: Uint8Array;
  readonly truncated?: 'length' | 'time' | 'disconnect';
  readonly mediaType?: string;
  readonly metadata?: ArchiveEntry['metadata'];
  readonly revisitOf?: ArchiveEntry['revisitOf'];
  readonly profile?: ArchiveEntry['profile'];
  readonly requestHead?: string;
}

export function entryOf(parts: EntryParts = {}): ArchiveEntry {
  const url = (parts.url ?? 'http://example.com/') as CanonicalUrl;
  const raw = typeof parts.raw === 'string' ? Buffer.from(parts.raw) : (parts.raw ?? Buffer.from('<p>Hello'));
  const body = parts.body ?? raw;
  const rawHeaders = parts.rawHeaders ?? ['Content-Type', 'text/html'];
  const startedAt = parts.at ?? NOON;
  const head: ResponseHead = {
    status: parts.status ?? 200,
    statusText: parts.statusText ?? 'OK',
    httpVersion: parts.httpVersion ?? '1.1',
    rawHeaders,
    header: () => undefined,
  };
  const target = new URL(url);
  return {
    url,
    result: {
      kind: 'response',
      head,
      exchange: {
        startedAt,
        endedAt: startedAt + 25,
        address: '203.0.113.7',
        requestHead:
          parts.requestHead ??
          `GET ${target.pathname}${target.search} HTTP/1.1\r\nHost: ${target.host}\r\nUser-Agent: test`,
      },
      raw,
      body,
      truncated: parts.truncated,
    },
    payloadDigest: sha1Base32(body),
    mediaType: parts.mediaType ?? 'text/html',
    metadata: parts.metadata ?? { via: 'http://example.com/from', hopsFromSeed: 'L', fetchTimeMs: 25 },
    revisitOf: parts.revisitOf,
    profile: parts.profile,
  };
}

export function headersOf(rawHeaders: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let at = 0; at < rawHeaders.length; at += 2) headers[rawHeaders[at].toLowerCase()] = rawHeaders[at + 1];
  return headers;
}

export async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
