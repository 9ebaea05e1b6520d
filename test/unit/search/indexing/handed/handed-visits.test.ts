import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { HandedVisit } from '../../../../../src/contracts/handed-visit.ts';
import { HandedVisits } from '../../../../../src/search/indexing/handed/handed-visits.ts';

const SIZE = 5_000_000;

test('keeps what the index takes next, however late it is', async () => {
  using handed = new HandedChannel();
  for (let start = 0; start < 8; start++) await handed.send('a.warc.gz', start);
  for (let start = 0; start < 8; start++) assert.equal(handed.visits.take('a.warc.gz', start)?.start, start);
  assert.equal(handed.visits.size, 0);
  assert.equal(handed.waiting, 0);
});

test('lets visits go that others have overtaken, and makes room for more', async () => {
  using handed = new HandedChannel();
  // Its thread died before these were settled.
  for (let start = 0; start < 3; start++) await handed.send('dead.warc.gz', start);
  for (let start = 0; start < 2; start++) await handed.send('alive.warc.gz', start);
  assert.equal(handed.visits.take('alive.warc.gz', 0)?.start, 0);
  for (let start = 2; start < 5; start++) await handed.send('alive.warc.gz', start);
  assert.equal(handed.visits.take('dead.warc.gz', 2), undefined);
  for (let start = 1; start < 5; start++) assert.equal(handed.visits.take('alive.warc.gz', start)?.start, start);
  assert.equal(handed.waiting, 0);
});

/** Visits as a page thread hands them over, of which only place and size count here. */
class HandedChannel implements Disposable {
  readonly visits: HandedVisits;
  readonly #sender: MessagePort;
  readonly #receiver: MessagePort;
  readonly #waiting = new SharedArrayBuffer(4);

  constructor() {
    const { port1, port2 } = new MessageChannel();
    this.visits = new HandedVisits(this.#waiting);
    this.visits.listen(port2);
    // The test waits for it.
    port2.ref();
    this.#sender = port1;
    this.#receiver = port2;
  }

  get waiting(): number {
    return Atomics.load(new Int32Array(this.#waiting), 0);
  }

  /** Until it has come and what it displaces is gone. */
  async send(file: string, start: number): Promise<void> {
    const links = { urls: '', texts: '', targets: new Uint32Array(0) };
    const fields = { mediaType: 'text/html', title: '', headings: '', description: '', language: '', links };
    const visit = {
      url: 'http://example.org/',
      file,
      start,
      offset: start,
      end: start + 1,
      fields,
      text: new Uint8Array(0),
      size: SIZE,
    };
    Atomics.add(new Int32Array(this.#waiting), 0, SIZE);
    const came = once(this.#receiver, 'message');
    this.#sender.postMessage([visit] satisfies readonly HandedVisit[]);
    await came;
  }

  [Symbol.dispose](): void {
    this.visits[Symbol.dispose]();
    this.#sender.close();
  }
}
