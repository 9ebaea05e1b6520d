import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { type AddressInfo, createServer as createNetServer, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { systemClock } from '../../../../src/base/clock.ts';
import type { CanonicalUrl } from '../../../../src/contracts/url.ts';
import { type WebhookParts, type WebhookPosition, WebhookSender } from '../../../../src/crawl/notify/webhooks.ts';
import { SmallChangeLog } from '../small-change-log.ts';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly numbers: readonly number[];
}

/** A real server that takes batches, or answers with whatever `status` says. */
class Receiver implements AsyncDisposable {
  readonly received: Received[] = [];
  /** Every request, taken or not. */
  readonly asked: number[] = [];
  readonly #server: Server;
  readonly #waiting: (() => void)[] = [];
  status: (request: number) => number = () => 204;

  constructor() {
    this.#server = createServer(async (request, response) => {
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(piece as Buffer);
      const text = Buffer.concat(pieces).toString();
      const status = this.status(this.asked.length);
      this.asked.push(status);
      const headers = status === 302 ? { location: 'http://127.0.0.1:9/' } : {};
      response.writeHead(status, headers).end('thanks');
      if (status < 300) {
        const { changes } = JSON.parse(text) as { changes: { number: number }[] };
        this.received.push({ headers: request.headers, text, numbers: changes.map(({ number }) => number) });
      }
      for (const wake of this.#waiting.splice(0)) wake();
    });
  }

  async listen(port = 0): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook?key=1`;
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  get numbers(): number[] {
    return this.received.flatMap(({ numbers }) => numbers);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** What the state of a crawl remembers, for any number of senders one after another. */
function positions(): { of: (url: string) => WebhookPosition; values: Map<string, number> } {
  const values = new Map<string, number>();
  return { values, of: (url) => ({ read: () => values.get(url), write: (number) => void values.set(url, number) }) };
}

const FAST = { pollMs: 2, backoffStartMs: 1, backoffMaxMs: 4, batch: 10 };

function sender(parts: Pick<WebhookParts, 'urls' | 'log' | 'position'> & Partial<WebhookParts>): WebhookSender {
  return new WebhookSender({
    crawl: 'a crawl',
    secret: '',
    userAgent: 'Orbweaver/test',
    clock: systemClock,
    random: () => 0.5,
    timing: FAST,
    ...parts,
  });
}

describe('WebhookSender', () => {
  test('sends what is logged, in order, in signed batches', async () => {
    await using receiver = new Receiver();
    const url = await receiver.listen();
    const log = new SmallChangeLog();
    const at = positions();
    {
      await using sending = sender({ urls: [url], log, position: at.of, secret: 'a key' });
      sending.start();
      for (let i = 0; i < 25; i++) log.add({ kind: 'new' }, `http://a.test/${i}`);
    }
    assert.deepEqual(
      receiver.numbers,
      Array.from({ length: 25 }, (_, at) => at + 1),
    );
    const [{ headers, text }] = receiver.received;
    assert.equal(headers['content-type'], 'application/json');
    assert.equal(headers['x-orbweaver-delivery'], '1-10');
    const expected = `sha256=${createHmac('sha256', 'a key').update(text).digest('hex')}`;
    assert.equal(headers['x-orbweaver-signature'], expected);
    assert.deepEqual(JSON.parse(text).changes[0], {
      number: 1,
      at: '2026-11-01T00:00:01.000Z',
      kind: 'new',
      url: 'http://a.test/0',
    });
    assert.equal(JSON.parse(text).crawl, 'a crawl');
    assert.equal(at.values.get(url), 25);
  });

  test('fails, then recovers: nothing is lost, nothing out of order, and both are told once', async () => {
    await using receiver = new Receiver();
    const url = await receiver.listen();
    const log = new SmallChangeLog();
    const notices: string[] = [];
    receiver.status = (request) => [500, 429, 302, 404][request] ?? 200;
    await using sending = sender({
      ...{ urls: [url], log, position: positions().of },
      onTrouble: (message) => {
        notices.push(message);
        throw new Error('a listener that throws');
      },
    });
    sending.start();
    for (let i = 0; i < 12; i++) log.add({ kind: 'changed' });
    await receiver.until(() => receiver.numbers.length === 12);
    assert.deepEqual(
      receiver.numbers,
      Array.from({ length: 12 }, (_, at) => at + 1),
    );
    assert.deepEqual(receiver.asked.slice(0, 4), [500, 429, 302, 404]);
    assert.equal(notices.length, 2);
    assert.match(notices[0], /HTTP 500/);
    assert.doesNotMatch(notices[0], /key=1/);
    assert.match(notices[1], /again/);
  });

  test('a restart goes on where the last run ended; a server that was away gets it all', async () => {
    const log = new SmallChangeLog();
    const at = positions();
    const first = new Receiver();
    const url = await first.listen();
    {
      await using sending = sender({ urls: [url], log, position: at.of });
      sending.start();
      for (let i = 0; i < 7; i++) log.add({ kind: 'new' });
      await first.until(() => first.numbers.length === 7);
      await first[Symbol.asyncDispose]();
      for (let i = 0; i < 30; i++) log.add({ kind: 'gone', status: 404 });
    }
    assert.equal(at.values.get(url), 7);
    await using second = new Receiver();
    await second.listen(Number(new URL(url).port));
    {
      await using sending = sender({ urls: [url], log, position: at.of });
      sending.start();
    }
    assert.deepEqual(
      second.numbers,
      Array.from({ length: 30 }, (_, at) => at + 8),
    );
  });

  test('of a crawl that is older than its webhook, only what comes is told', async () => {
    await using receiver = new Receiver();
    const url = await receiver.listen();
    const log = new SmallChangeLog();
    for (let i = 0; i < 5; i++) log.add({ kind: 'new' });
    const at = positions();
    await using sending = sender({ urls: [url], log, position: at.of });
    sending.start();
    assert.equal(at.values.get(url), 5);
    log.add({ kind: 'moved', to: 'http://b.test/' as CanonicalUrl });
    await receiver.until(() => receiver.numbers.length > 0);
    assert.deepEqual(receiver.numbers, [6]);
  });

  test('one that is down does not hold up another, nor the end of the crawl', async () => {
    await using receiver = new Receiver();
    const url = await receiver.listen();
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const mute = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
    const log = new SmallChangeLog();
    const at = positions();
    try {
      await using sending = sender({ urls: [mute, url], log, position: at.of, timing: { ...FAST, drainMs: 20 } });
      sending.start();
      log.add({ kind: 'new' });
      await receiver.until(() => receiver.numbers.length === 1);
      while (at.values.get(url) !== 1) await new Promise((resolve) => setImmediate(resolve));
    } finally {
      silent.closeAllConnections();
      silent.close();
    }
    assert.equal(at.values.get(url), 1);
    assert.equal(at.values.get(mute), 0);
  });

  test('an answer that does not come in time is a failure like others', async () => {
    await using receiver = new Receiver();
    const url = await receiver.listen();
    const log = new SmallChangeLog();
    let asked = 0;
    await using sending = sender({
      ...{ urls: [url], log, position: positions().of, timing: { ...FAST, answerMs: 5 } },
      // The first never answers.
      post: (to, request) =>
        asked++ === 0
          ? new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason)))
          : fetch(to, { ...request, signal: null }),
    });
    sending.start();
    log.add({ kind: 'back' });
    await receiver.until(() => receiver.numbers.length === 1);
    assert.ok(asked >= 2);
  });

  test('a server that takes the connection and never answers is tried again, and does not hold up the end', async () => {
    const connections = new Set<Socket>();
    let asked = 0;
    let heard = (): void => {};
    const server = createNetServer((socket) => {
      connections.add(socket);
      // Whoever has waited long enough breaks off.
      socket.on('error', () => {});
      socket.once('data', () => {
        asked++;
        heard();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const log = new SmallChangeLog();
    const at = positions();
    at.values.set(url, 0);
    log.add({ kind: 'new' });
    const notices: string[] = [];
    const sending = sender({
      ...{ urls: [url], log, position: at.of, onTrouble: (message) => notices.push(message) },
      timing: { ...FAST, answerMs: 50, drainMs: 5 },
    });
    sending.start();
    while (asked < 3)
      await new Promise<void>((resolve) => {
        heard = resolve;
      });
    await sending[Symbol.asyncDispose]();
    assert.equal(at.values.get(url), 0);
    assert.deepEqual(
      notices.map((notice) => /no answer in time/.test(notice)),
      [true],
    );
    for (const socket of connections) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  test('a log or a state that cannot be used is waited for', async () => {
    await using receiver = new Receiver();
    const url = await receiver.listen();
    const log = new SmallChangeLog();
    let trouble = 3;
    const at = positions();
    const position = (of: string): WebhookPosition => ({
      read: () => {
        if (trouble-- > 0) throw new Error('the disk is full');
        return at.of(of).read() ?? 0;
      },
      write: (number) => at.of(of).write(number),
    });
    const sending = sender({ urls: [url], log, position });
    sending.start();
    log.add({ kind: 'new' });
    await receiver.until(() => receiver.numbers.length === 1);
    await sending[Symbol.asyncDispose]();
    assert.deepEqual(receiver.numbers, [1]);
    assert.equal(sending.status()[0].trouble, undefined);
  });
});
