import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { BroadcastChannel } from 'node:worker_threads';
import type { HandedVisits, HandOver } from '../../../../src/contracts/handed-visit.ts';
import { PageHandOver } from '../../../../src/crawl/visit/page-hand-over.ts';

const TEXT = 'A few words.';

test('hands over in one message what one turn of the event loop brings', async () => {
  using receiver = new Receiver('together');
  using handOver = new PageHandOver(receiver.handOver);
  for (const start of [0, 10, 20]) hand(handOver, start, TEXT);
  assert.equal(receiver.waiting, 0, 'what is not sent is not counted');
  const first = await receiver.next();
  assert.deepEqual(
    first.map(({ start, text }) => [start, text]),
    [0, 10, 20].map((start) => [start, TEXT]),
  );
  assert.equal(
    receiver.waiting,
    first.reduce((sum, { size }) => sum + size, 0),
  );
  hand(handOver, 30, TEXT);
  assert.equal((await receiver.next())[0].start, 30);
});

test('gives up what there is no room for, of what is not yet sent, too', async () => {
  using receiver = new Receiver('room');
  using handOver = new PageHandOver(receiver.handOver);
  const long = 'x'.repeat(12_000_000);
  for (const start of [0, 1, 2]) hand(handOver, start, long);
  assert.deepEqual(
    (await receiver.next()).map(({ start }) => start),
    [0, 1],
  );
});

test('hands over what is left when it is closed, and nothing where nobody takes it', async () => {
  using receiver = new Receiver('end');
  {
    using handOver = new PageHandOver(receiver.handOver);
    hand(handOver, 0, TEXT);
  }
  assert.equal((await receiver.next()).length, 1);
  using late = new PageHandOver(receiver.handOver);
  hand(late, 1, TEXT);
  receiver.leave();
  await nextTurn();
  await nextTurn();
  assert.equal(receiver.waiting, -1, 'nothing is counted that nobody takes');
});

function hand(handOver: PageHandOver, start: number, text: string): void {
  const links = { urls: '', texts: '', nofollow: new Uint8Array(0) };
  const fields = { mediaType: 'text/html', title: '', headings: '', description: '', language: '', links };
  const place = {
    file: 'a.warc.gz',
    start,
    offset: start,
    length: 1,
    fileEnd: start + 1,
    indexEnd: 0,
    url: 'http://example.org/',
  };
  handOver.hand(place, fields, text);
}

/** The thread of the index, as far as it is asked here. */
class Receiver implements Disposable {
  readonly handOver: HandOver;
  readonly #channel: BroadcastChannel;
  readonly #messages: HandedVisits[] = [];
  #came: () => void = () => {};

  constructor(name: string) {
    this.handOver = { channel: `page-hand-over-test-${name}`, waiting: new SharedArrayBuffer(4) };
    this.#channel = new BroadcastChannel(this.handOver.channel);
    this.#channel.onmessage = (message) => {
      this.#messages.push((message as { readonly data: HandedVisits }).data);
      this.#came();
    };
  }

  get waiting(): number {
    return Atomics.load(new Int32Array(this.handOver.waiting), 0);
  }

  async next(): Promise<HandedVisits> {
    while (this.#messages.length === 0)
      await new Promise<void>((resolve) => {
        this.#came = resolve;
      });
    return this.#messages.shift() as HandedVisits;
  }

  leave(): void {
    Atomics.store(new Int32Array(this.handOver.waiting), 0, -1);
  }

  [Symbol.dispose](): void {
    this.#channel.close();
  }
}
