import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { pour, repeated } from './byte-pour.ts';
import { BODY_BYTES, type HostileCase } from './hostile-case.ts';
import { head, message, page } from './hostile-message.ts';

const MEBIBYTE = 1024 * 1024;
const SPACES = manySpaces(1);

/** 1 MiB of one byte after another, compressed on its own: gzip and zstd may be repeated without end. */
const GZIP_PIECE = gzipSync(SPACES, { level: 9 });
const ZSTD_PIECE = zstdCompressSync(SPACES);
const PLAIN = gzipSync(page('coded'));

function coded(
  name: string,
  coding: string,
  bytes: () => Buffer,
  expect: readonly string[],
  bound = 'decode-max-ratio',
): HostileCase {
  let made: Buffer | undefined;
  const answer = (): Buffer => {
    made ??= message(bytes(), [`Content-Encoding: ${coding}`]);
    return made;
  };
  return {
    ...{ name, group: 'coding', bound, expect, maxBytes: BODY_BYTES },
    answer: (socket) => void socket.write(answer()),
    prepare: () => void answer(),
  };
}

function manySpaces(mebibytes: number): Buffer {
  return Buffer.alloc(mebibytes * MEBIBYTE, 'a ');
}

/** Bodies that grow when they are unpacked, or cannot be. */
export const CODING_CASES: readonly HostileCase[] = [
  endless('gzip-bomb', 'gzip', GZIP_PIECE),
  endless('zstd-bomb', 'zstd', ZSTD_PIECE),
  coded(
    'brotli-bomb',
    'br',
    () => brotliCompressSync(manySpaces(512), { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }),
    ['failed encoding-bomb'],
  ),
  coded('gzip-bomb-one-member', 'gzip', () => gzipSync(manySpaces(512), { level: 9 }), ['failed encoding-bomb']),
  coded(
    'zstd-window-bomb',
    'zstd',
    () => zstdCompressSync(manySpaces(256), { params: { [constants.ZSTD_c_windowLog]: 27 } }),
    ['failed encoding-invalid', 'failed encoding-bomb'],
    'window of 8 MiB',
  ),
  coded('gzip-in-gzip', 'gzip, gzip', () => gzipSync(gzipSync(Buffer.alloc(8 * MEBIBYTE))), ['failed encoding-bomb']),
  coded('gzip-in-brotli', 'gzip, br', () => brotliCompressSync(gzipSync(Buffer.alloc(8 * MEBIBYTE))), [
    'failed encoding-bomb',
  ]),
  coded(
    'codings-nested-deep',
    'gzip, gzip, gzip, gzip',
    () => gzipSync(gzipSync(gzipSync(PLAIN))),
    ['failed encoding-invalid'],
    'two layers',
  ),
  coded(
    'codings-named-often',
    Array(5000).fill('identity').join(', '),
    () => Buffer.from(page('identity')),
    ['stored'],
    'head of 64 KiB',
  ),
  coded('below-the-ratio', 'gzip', () => gzipSync(sparse(12 * MEBIBYTE)), ['stored'], 'max-body, decoded'),
  coded(
    'gzip-truncated',
    'gzip',
    () => PLAIN.subarray(0, PLAIN.length - 30),
    ['stored', 'duplicate'],
    'what was decoded is kept',
  ),
  coded('gzip-broken', 'gzip', () => broken(PLAIN), ['failed encoding-invalid', 'stored'], 'encoding-invalid'),
  coded('gzip-that-is-none', 'gzip', () => Buffer.from(page('plain')), ['failed encoding-invalid'], 'encoding-invalid'),
  coded(
    'gzip-with-garbage',
    'gzip',
    () => Buffer.concat([PLAIN, Buffer.alloc(5000, 7)]),
    ['stored', 'duplicate'],
    'garbage is passed over',
  ),
  coded('brotli-that-is-none', 'br', () => Buffer.from(page('plain')), ['failed encoding-invalid'], 'encoding-invalid'),
  coded('zstd-that-is-none', 'zstd', () => Buffer.from(page('plain')), ['failed encoding-invalid'], 'encoding-invalid'),
  coded('deflate-bomb', 'deflate', () => deflateSync(Buffer.alloc(8 * MEBIBYTE)), ['failed encoding-bomb']),
  coded(
    'coding-unknown',
    'compress-o-matic',
    () => Buffer.from(page('plain')),
    ['failed encoding-invalid'],
    'encoding-invalid',
  ),
];

function endless(name: string, coding: string, piece: Buffer): HostileCase {
  return {
    ...{ name, group: 'coding', bound: 'decode-max-ratio', expect: ['failed encoding-bomb'], maxBytes: BODY_BYTES },
    answer: (socket) => {
      socket.write(head(['Content-Type: text/html', `Content-Encoding: ${coding}`]));
      pour(socket, repeated(piece));
    },
  };
}

/** Compresses well, but not like a bomb: a word that differs in every line. */
function sparse(bytes: number): Buffer {
  const lines: string[] = [];
  for (let at = 0; at < bytes; at += 130) lines.push(`<p>${'x'.repeat(110)} ${(at * 2654435761) >>> 0}</p>\n`);
  return Buffer.from(lines.join(''));
}

function broken(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  copy.fill(0xff, 30, 60);
  return copy;
}
