import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clock } from '../../../../src/base/clock.ts';
import type { Frontier } from '../../../../src/contracts/frontier.ts';
import type { HostKey } from '../../../../src/contracts/url.ts';
import { BorrowedTurns, type HostClock } from '../../../../src/crawl/notify/borrowed-turns.ts';
import { PushConsumer, type PushConsumerParts } from '../../../../src/crawl/notify/push-consumer.ts';
import { leaveWords, PushInbox } from '../../../../src/crawl/notify/push-inbox.ts';
import { defaultUrlOptions } from '../../../../src/url/url-options.ts';
import { temporaryFolder } from '../../../crawl/crawl-web.ts';

const HOST = 'a.test' as HostKey;

/** Time passes while somebody sleeps, and only then. */
class SleptTime implements Clock {
  #now = 1_000_000;
  now(): number {
    return this.#now;
  }
  async sleep(ms: number): Promise<void> {
    this.#now += ms;
  }
}

function borrowed(held: (now: number) => HostClock | undefined, answers: boolean) {
  const clock = new SleptTime();
  const announced: { at: number; until: number }[] = [];
  const turns = new BorrowedTurns({
    clock,
    clockOf: async () => {
      const is = held(clock.now());
      const until = answers ? Math.max(0, ...announced.map((word) => word.until)) : 0;
      return is && { ...is, holdUntil: Math.max(is.holdUntil, until) };
    },
    announce: async (_, until) => void announced.push({ at: clock.now(), until }),
    mayAnswer: () => true,
    usualDelayMs: 1000,
  });
  const sent: number[] = [];
  const ask = (ms = 100) =>
    turns.use(HOST, async () => {
      sent.push(clock.now());
      await clock.sleep(ms);
      return 'file';
    });
  return { clock, announced, sent, ask };
}

test('a host is asked when it has rested, in a rest that the crawl has granted, and rests a whole delay after it', async () => {
  const free = { dueAt: 1_004_000, holdUntil: 0, leased: false, delayMs: 2000 };
  const { clock, announced, sent, ask } = borrowed(() => free, true);
  assert.equal(await ask(), 'file');
  assert.ok(sent[0] >= 1_004_000, 'after its rest');
  assert.ok(announced[0].at <= sent[0] && announced[0].until >= sent[0] + 10_000 + 2000, 'the crawl knows');
  assert.equal(announced[1].until, clock.now() + 2000);
  assert.equal(await ask(), 'file');
  assert.ok(sent[1] >= sent[0] + 100 + 2000, 'two of ours keep the delay, too');
});

test('a request of the crawl that is under way is waited for', async () => {
  const { sent, ask } = borrowed((now) => ({ dueAt: 0, holdUntil: 0, leased: now < 1_003_000, delayMs: 1000 }), true);
  assert.equal(await ask(), 'file');
  assert.ok(sent[0] >= 1_003_000);
});

test('a host that has asked for a long rest is not asked', async () => {
  const { sent, ask } = borrowed(() => ({ dueAt: 0, holdUntil: 9e12, leased: false, delayMs: 1000 }), true);
  assert.equal(await ask(), undefined);
  assert.deepEqual(sent, []);
});

test('without a crawl that answers, and for hosts that it does not know, they go one by one', async () => {
  const { sent, ask } = borrowed(() => undefined, false);
  assert.deepEqual(await Promise.all([ask(), ask()]), ['file', 'file']);
  assert.ok(sent[1] >= sent[0] + 100 + 1000);
});

test('the crawl holds a host that it is told to let rest, and takes nothing for new', async () => {
  using folder = temporaryFolder();
  const clock = new SleptTime();
  const held: unknown[] = [];
  const frontier = { holdHosts: async (...hold: unknown[]) => void held.push(hold.slice(0, 2)) } as unknown as Frontier;
  const parts = { frontier, clock, urlOptions: defaultUrlOptions, inbox: new PushInbox(folder.path, 0, () => {}) };
  const pushConsumer = new PushConsumer(parts as unknown as PushConsumerParts);
  await leaveWords(folder.path, [{ url: 'http://a.test/', restUntil: clock.now() + 17_000 }], clock.now());
  assert.equal(await pushConsumer.consume(), false);
  assert.deepEqual(held, [[[HOST], clock.now() + 17_000]]);
});
