import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MessagePort } from 'node:worker_threads';
import { takeUtf8, utf8Of } from '../../../../src/base/bytes/utf8-text.ts';
import type { HandedVisits } from '../../../../src/contracts/handed-visit.ts';
import { PageHandOver } from '../../../../src/crawl/visit/page-hand-over.ts';
import { HandOverPorts } from '../../../../src/search/indexing/handed/hand-over-ports.ts';

const TEXT = 'A few words.';

test('hands over in one message what one turn of the event loop brings', async () => {
  using receiver = new Receiver();
  using handOver = receiver.connect();
  for (const start of [0, 10, 20]) hand(handOver, start, TEXT);
  assert.equal(receiver.waiting, 0, 'what is not sent is not counted');
  const first = await receiver.next();
  assert.deepEqual(
    first.map(({ start, text }) => [start, takeUtf8(text)]),
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
  using receiver = new Receiver();
  using handOver = receiver.connect();
  const long = 'x'.repeat(12_000_000);
  for (const start of [0, 1, 2]) hand(handOver, start, long);
  assert.deepEqual(
    (await receiver.next()).map(({ start }) => start),
    [0, 1],
  );
});

test('hands over what is left when it is closed, and nothing where nobody takes it', async () => {
  using receiver = new Receiver();
  {
    using handOver = receiver.connect();
    hand(handOver, 0, TEXT);
  }
  assert.equal((await receiver.next()).length, 1);
  using late = receiver.connect();
  hand(late, 1, TEXT);
  receiver.leave();
  await nextTurn();
  await nextTurn();
  assert.equal(receiver.waiting, -1, 'nothing is counted that nobody takes');
});

function hand(handOver: PageHandOver, start: number, text: string): void {
  const links = { urls: '', texts: '', targets: new Uint32Array(0) };
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
  handOver.hand(place, fields, utf8Of(text));
}

/** The thread of the index, as far as it is asked here. */
class Receiver implements Disposable {
  readonly #handOver = new HandOverPorts();
  readonly #messages: HandedVisits[] = [];
  readonly #ports: MessagePort[] = [];
  #came: () => void = () => {};

  constructor() {
    Atomics.store(new Int32Array(this.#handOver.waiting), 0, 0);
    this.#handOver.receive((port) => {
      this.#ports.push(port);
      port.on('message', (visits: HandedVisits) => {
        this.#messages.push(visits);
        this.#came();
      });
    });
  }

  connect(): PageHandOver {
    return new PageHandOver(this.#handOver.connect());
  }

  get waiting(): number {
    return Atomics.load(new Int32Array(this.#handOver.waiting), 0);
  }

  async next(): Promise<HandedVisits> {
    while (this.#messages.length === 0)
      await new Promise<void>((resolve) => {
        this.#came = resolve;
      });
    return this.#messages.shift() as HandedVisits;
  }

  leave(): void {
    Atomics.store(new Int32Array(this.#handOver.waiting), 0, -1);
  }

  [Symbol.dispose](): void {
    for (const port of this.#ports) port.close();
  }
}

test('page threads that come before the thread of the index are heard, too', async () => {
  const ports = new HandOverPorts();
  using early = new PageHandOver(ports.connect());
  Atomics.store(new Int32Array(ports.waiting), 0, 0);
  hand(early, 7, TEXT);
  await nextTurn();
  const received: MessagePort[] = [];
  ports.receive((port) => received.push(port));
  const [visits] = (await once(received[0], 'message')) as [HandedVisits];
  assert.equal(visits[0].start, 7);
  received[0].close();
});
