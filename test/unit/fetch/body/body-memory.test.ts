import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { BodyMemory } from '../../../../src/fetch/body/body-memory.ts';
import { response, serveHttp, testFetcher } from '../loopback.ts';

const MEBIBYTE = 2 ** 20;
const PLAIN: Readonly<Record<string, number>> = { '/small': 100_000, '/large': 3 * MEBIBYTE };
/** Of a page that unpacks to a little more than its size, and of one that unpacks to a hundred times as much. */
const USUAL = gzipSync(
  Buffer.from(Array.from({ length: 40_000 }, (_, i) => ((i * 2654435761) >>> 0).toString(36)).join(' ')),
);
const DENSE_TEXT = Buffer.alloc(3 * MEBIBYTE, Array.from({ length: 20_000 }, (_, i) => `${i}`).join(' '));
/** The best compression takes seconds. */
const QUICKLY = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const DENSE = brotliCompressSync(DENSE_TEXT, QUICKLY);

function serve() {
  return serveHttp(({ url = '' }, reply) => {
    reply.setHeader('content-type', 'text/html');
    if (url === '/usual') reply.setHeader('content-encoding', 'gzip').end(USUAL);
    else if (url === '/dense') reply.setHeader('content-encoding', 'br').end(DENSE);
    else if (url === '/twice') reply.setHeader('content-encoding', 'gzip, gzip').end(gzipSync(gzipSync('twice')));
    else if (url === '/twice-dense')
      reply.setHeader('content-encoding', 'gzip, br').end(brotliCompressSync(gzipSync(DENSE_TEXT), QUICKLY));
    else if (url === '/often') reply.setHeader('content-encoding', 'identity, none, identity').end('often');
    else reply.end(Buffer.alloc(PLAIN[url], 'x'));
  });
}

describe('what a body asks for before it is in memory as a whole', () => {
  const cap = 16 * MEBIBYTE;
  for (const [path, asked, length] of [
    ['/small', [], 100_000],
    ['/large', [3 * MEBIBYTE], 3 * MEBIBYTE],
    ['/usual', [9 * USUAL.length], undefined],
    ['/dense', [DENSE.length + cap], 3 * MEBIBYTE],
    ['/twice', [], 5],
    ['/often', [], 5],
    ['/twice-dense', undefined, 3 * MEBIBYTE],
  ] as const)
    test(path, async () => {
      await using server = await serve();
      await using fetcher = testFetcher({ maxBytes: cap });
      const asks: number[] = [];
      const admit = async (bytes: number): Promise<void> => void asks.push(bytes);
      const { body } = response(await fetcher.fetch(`http://site.test:${server.port}${path}`, { admit }));
      if (asked !== undefined) assert.deepEqual(asks, asked);
      if (length !== undefined) assert.equal(body.length, length);
    });
});

test('bodies that wait for memory keep neither their connection nor other bodies', async () => {
  await using server = await serve();
  await using fetcher = testFetcher();
  const memory = new BodyMemory(3 * 4 * MEBIBYTE, () => assert.fail('no file is needed'));
  const url = `http://site.test:${server.port}`;
  const first = memory.room();
  response(await fetcher.fetch(`${url}/large`, { admit: first.take }));
  const second = memory.room();
  let arrived = false;
  const waiting = fetcher.fetch(`${url}/large`, { admit: second.take }).then((result) => {
    arrived = true;
    return response(result);
  });
  // Over the same connection, which allows one request at a time: it comes after the body that waits.
  response(await fetcher.fetch(`${url}/usual`, { admit: memory.room().take }));
  assert.equal(arrived, false);
  first[Symbol.dispose]();
  assert.equal((await waiting).body.length, 3 * MEBIBYTE);
  second[Symbol.dispose]();
});

test('room that was given back before it was there is not kept', async () => {
  const memory = new BodyMemory(3 * MEBIBYTE, () => assert.fail('no file is needed'));
  const [first, second] = [memory.room(), memory.room()];
  await first.take(MEBIBYTE);
  const late = second.take(MEBIBYTE);
  second[Symbol.dispose]();
  first[Symbol.dispose]();
  await late;
  assert.equal(memory.reading, 0);
});
