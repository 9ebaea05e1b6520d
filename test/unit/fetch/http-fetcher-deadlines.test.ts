import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { describe, test } from 'node:test';
import { VirtualClock } from '../../../src/base/virtual-clock.ts';
import { DnsCache } from '../../../src/fetch/connect/dns-cache.ts';
import { DeadlineSweep } from '../../../src/fetch/deadline-sweep.ts';
import type { HttpFetcherOptions } from '../../../src/fetch/http-fetcher.ts';
import { brief, response, serveRaw, settleWithin, testFetcher, text, until } from './loopback.ts';

const LIMITS: Partial<HttpFetcherOptions> = {
  connectMs: 10_000,
  headersMs: 20_000,
  bodyIdleMs: 15_000,
  totalMs: 120_000,
  minRate: 0,
};

/** Fetches from a server that answers as told, in virtual time; the result and how long it took. */
async function timed(
  answer: (socket: Socket, clock: VirtualClock) => void,
  limits: Partial<HttpFetcherOptions> = {},
): Promise<{ result: Awaited<ReturnType<ReturnType<typeof testFetcher>['fetch']>>; ms: number }> {
  const clock = new VirtualClock();
  await using server = await serveRaw((socket) => answer(socket, clock));
  await using site = testFetcher({ ...LIMITS, ...limits }, { clock });
  const startedAt = clock.now();
  const result = site.fetch(`http://site.test:${server.port}/`);
  await until(() => server.requests.length === 1);
  const settled = await settleWithin(clock, 200_000, result);
  return { result: settled, ms: clock.now() - startedAt };
}

/** Writes a piece every so often, in virtual time, until the other side hangs up. */
async function drip(socket: Socket, clock: VirtualClock, piece: string, everyMs: number): Promise<void> {
  while (!socket.destroyed) {
    socket.write(piece);
    await clock.sleep(everyMs);
  }
}

function around(actual: number, expected: number): void {
  assert.ok(actual >= expected && actual <= expected + 500, `${actual} ms instead of ${expected}`);
}

describe('deadlines', () => {
  test('no answer at all', async () => {
    const { result, ms } = await timed(() => {});
    assert.equal(brief(result), 'failed headers-timeout');
    assert.ok(result.kind === 'failed' && result.exchange?.requestHead.startsWith('GET / HTTP/1.1'));
    around(ms, 20_000);
  });

  test('headers dripping in, one byte a second, do not move the deadline', async () => {
    const { result, ms } = await timed((socket, clock) => {
      socket.write('HTTP/1.1 200 OK\r\nX: ');
      void drip(socket, clock, 'x', 1000);
    });
    assert.equal(brief(result), 'failed headers-timeout');
    around(ms, 20_000);
  });

  test('neither do interim answers', async () => {
    const { result, ms } = await timed((socket, clock) => {
      void drip(socket, clock, 'HTTP/1.1 102 Processing\r\n\r\n', 1000);
    });
    assert.equal(brief(result), 'failed headers-timeout');
    around(ms, 20_000);
  });

  test('a body that stalls', async () => {
    const { result, ms } = await timed((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf');
    });
    assert.equal(brief(result), 'failed body-timeout');
    assert.ok(result.kind === 'failed' && result.bytes === 4);
    around(ms, 15_000);
  });

  test('a body that keeps coming is not idle, but the last deadline ends it; what arrived is kept', async () => {
    const { result, ms } = await timed((socket, clock) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      void drip(socket, clock, 'piece ', 10_000);
    });
    const { body, truncated } = response(result);
    assert.match(text(body), /^(piece ){11,13}$/);
    assert.equal(truncated, 'time');
    around(ms, 120_000);
  });

  test('the last deadline before any body is a failure', async () => {
    const { result, ms } = await timed(() => {}, { totalMs: 5000 });
    assert.equal(brief(result), 'failed deadline');
    around(ms, 5000);
  });

  test('a body below the least rate is given up after the time of grace', async () => {
    const { result, ms } = await timed(
      (socket, clock) => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        void drip(socket, clock, 'x'.repeat(100), 1000);
      },
      { minRate: 500, minRateGraceMs: 10_000, minRateWindowMs: 5000 },
    );
    assert.equal(brief(result), 'failed too-slow');
    around(ms, 10_000);
  });

  test('a body above the least rate is not', async () => {
    let pieces = 0;
    const { result } = await timed(
      (socket, clock) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 30000\r\n\r\n');
        void (async () => {
          for (; pieces < 30; pieces++) {
            socket.write('x'.repeat(1000));
            await clock.sleep(1000);
          }
        })();
      },
      { minRate: 500, minRateGraceMs: 10_000, minRateWindowMs: 5000 },
    );
    assert.equal(response(result).body.length, 30_000);
    assert.equal(response(result).truncated, undefined);
  });

  test('a body that begins well and then slows down is given up within a window', async () => {
    const { result, ms } = await timed(
      (socket, clock) => {
        socket.write(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(500_000)}`);
        void drip(socket, clock, 'x', 1000);
      },
      { minRate: 500, minRateGraceMs: 10_000, minRateWindowMs: 5000 },
    );
    assert.equal(brief(result), 'failed too-slow');
    around(ms, 15_000);
  });

  test('the last deadline also covers a name that is never resolved', async () => {
    const clock = new VirtualClock();
    const never = new Promise<never>(() => {});
    const dns = new DnsCache([{ resolve4: () => never, resolve6: () => never }], {}, { clock });
    const site = testFetcher({ ...LIMITS, totalMs: 5000 }, { clock, dns });
    const result = await settleWithin(clock, 10_000, site.fetch('http://site.test/'));
    assert.equal(brief(result), 'failed deadline');
    assert.ok(result.kind === 'failed' && result.exchange === undefined);
    void site.fetcher.close();
  });

  test('a connection that never stands', async () => {
    const clock = new VirtualClock();
    // TLS towards a server that says nothing: the handshake does not end.
    await using server = await serveRaw(() => {});
    await using site = testFetcher(LIMITS, { clock });
    const startedAt = clock.now();
    const result = site.fetch(`https://site.test:${server.port}/`);
    await until(() => server.connections === 1);
    assert.equal(brief(await settleWithin(clock, 20_000, result)), 'failed tls-failed');
    around(clock.now() - startedAt, 10_000);
  });

  test('a process that was busy does not take its own delay for silence', async () => {
    const clock = new VirtualClock();
    const sweep = new DeadlineSweep(clock, 100);
    const checks: number[] = [];
    const item = { check: (now: number) => void checks.push(now) };
    const start = clock.now();
    sweep.watch(item);
    const step = async (ms: number): Promise<void> => {
      clock.advance(ms);
      for (let i = 0; i < 5; i++) await Promise.resolve();
    };
    await step(100);
    // Known before the timer has come: what arrived meanwhile is read first.
    clock.advance(30_000);
    assert.equal(sweep.now(), start + 200);
    await step(0);
    await step(100);
    assert.deepEqual(checks, [start + 100, start + 200, start + 300]);
    assert.equal(clock.now() - sweep.now(), 29_900);
    sweep.unwatch(item);
  });
});
