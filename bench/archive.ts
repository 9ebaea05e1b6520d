/**
 * How many visits of some 43 KB the archive takes per second of processor time, and how large they get; then the
 * encoder alone, beside zlib.
 * Run: npx node bench/archive.ts [visits]
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { FastDeflate } from '../src/archive/gzip/fast-deflate.ts';
import { LearntCode } from '../src/archive/gzip/learnt-code.ts';
import { sha1Base32 } from '../src/archive/sha1-base32.ts';
import { openWarcArchive } from '../src/archive/warc-archive.ts';
import { systemClock } from '../src/base/clock.ts';
import type { ArchiveEntry } from '../src/contracts/archive.ts';
import type { CanonicalUrl } from '../src/contracts/url.ts';
import { realPages } from './harness/real-pages.ts';
import { type Candidate, takeTurns } from './harness/take-turns.ts';

const VISITS = Number(process.argv[2] ?? 3000);
const ENCODER_ROUNDS = 40;

function entry(n: number, body: Buffer, raw: Buffer, digest: string): ArchiveEntry {
  const coded = raw === body ? [] : ['Content-Encoding', 'gzip'];
  const rawHeaders = [
    ...['Date', 'Fri, 02 Jan 2026 12:00:00 GMT', 'Server', 'nginx/1.24.0', 'Content-Type', 'text/html; charset=utf-8'],
    ...['Connection', 'keep-alive', 'Cache-Control', 'max-age=600', 'ETag', `"5f3c-${n}"`, 'Vary', 'Accept-Encoding'],
    ...['Content-Length', String(raw.length), ...coded],
  ];
  const url = `http://host${n % 500}.example.com/articles/2026/01/page-${n}.html` as CanonicalUrl;
  return {
    url,
    result: {
      kind: 'response',
      head: { status: 200, statusText: 'OK', httpVersion: '1.1', rawHeaders, header: () => undefined },
      exchange: {
        startedAt: 1_767_355_200_000 + n,
        endedAt: 1_767_355_200_200 + n,
        address: '203.0.113.7',
        requestHead: `GET /articles/2026/01/page-${n}.html HTTP/1.1\r\nHost: host${n % 500}.example.com\r\nUser-Agent: Orbweaver/0.1 (+https://crawler.example/)\r\nAccept: text/html,*/*;q=0.5\r\nAccept-Encoding: gzip, br, zstd`,
      },
      raw,
      body,
    },
    payloadDigest: digest,
    mediaType: 'text/html',
    metadata: { via: 'http://host1.example.com/articles/', hopsFromSeed: 'LL', fetchTimeMs: 200, charset: 'utf-8' },
  };
}

async function measure(name: string, level: number, bodies: readonly Buffer[], coded: boolean): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-bench-'));
  try {
    const archive = openWarcArchive({
      folder,
      writerId: 'bench',
      clock: systemClock,
      software: 'Orbweaver',
      userAgent: 'bench',
      robots: 'obey',
      level,
    });
    const prepared = bodies.map((body) => ({ body, raw: coded ? gzipSync(body) : body, digest: sha1Base32(body) }));
    const put = async (n: number): Promise<void> => {
      const { body, raw, digest } = prepared[n % prepared.length];
      await archive.put(entry(n, body, raw, digest));
    };
    for (let n = 0; n < 300; n++) await put(n);
    const before = process.cpuUsage();
    for (let n = 0; n < VISITS; n++) await put(n);
    const { user, system } = process.cpuUsage(before);
    await archive.close();
    const files = readdirSync(folder).filter((file) => file.endsWith('.warc.gz'));
    const bytes = files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
    const perSecond = Math.round((VISITS * 1e6) / (user + system));
    const size = Math.round(bytes / (VISITS + 300));
    const scanBefore = process.cpuUsage();
    let seen = 0;
    for await (const _ of archive.scan()) seen++;
    const scanned = process.cpuUsage(scanBefore);
    const scanRate = Math.round((seen * 1e6) / (scanned.user + scanned.system));
    console.log(`${name.padEnd(24)} ${perSecond} visits/CPU-s written, ${size} bytes each; ${scanRate}/CPU-s scanned`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Compressing alone, no records, no disk. */
function measureEncoders(bodies: readonly Buffer[]): void {
  const encoder = new FastDeflate();
  const code = new LearntCode();
  const fast = (body: Buffer): number => {
    encoder.clear();
    encoder.deflate([body], code, true);
    return encoder.length;
  };
  const zlib = (level: number) => (body: Buffer) => deflateRawSync(body, { level }).length;
  const sizes = new Map<string, number>();
  const candidate = (name: string, pack: (body: Buffer) => number): Candidate => ({
    name,
    work: () => {
      const size = bodies.reduce((sum, body) => sum + pack(body), 0);
      sizes.set(name, size / bodies.length);
    },
  });
  const candidates = [
    candidate('encoder of level 1', fast),
    candidate('zlib level 1', zlib(1)),
    candidate('zlib level 6', zlib(6)),
  ];
  for (const { name, best, median } of takeTurns(candidates, ENCODER_ROUNDS, bodies.length)) {
    const [bestTime, medianTime] = [best, median].map((perSecond) => Math.round(1e6 / perSecond));
    console.log(
      `${name.padEnd(24)} ${bestTime} us a page at best, ${medianTime} in the median; ${Math.round(sizes.get(name) ?? 0)} bytes`,
    );
  }
}

const bodies = realPages()
  .bodies.filter((page) => page.length > 30_000 && page.length < 56_000)
  .map((page) => Buffer.from(page));
const mean = Math.round(bodies.reduce((sum, body) => sum + body.length, 0) / bodies.length);
console.log(`${VISITS} visits of ${bodies.length} different pages, ${mean} bytes each; 3 records per visit`);
for (const level of [0, 1, 2, 6]) await measure(`not coded, level ${level}`, level, bodies, false);
for (const level of [1, 6]) await measure(`gzip-coded, level ${level}`, level, bodies, true);
measureEncoders(bodies);
