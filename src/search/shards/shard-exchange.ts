import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { ExchangeThreadData, Received, ReceivedAll, Sent } from './exchange-thread.ts';

/** `.ts` in a checkout, `.js` in a package. */
const THREAD = new URL(
  import.meta.url.endsWith('.ts') ? './exchange-thread.ts' : './exchange-thread.js',
  import.meta.url,
);
/** The thread gives up by itself long before. */
const LONGEST_WAIT_MS = 5_000;
/** A thread that ends between two looks is noticed with the next one. */
const LOOK_MS = 100;

export interface ShardExchangeOptions {
  readonly token: string;
  readonly timeoutMs: number;
}

/**
 * Requests to other machines for somebody who works without turns of the event loop, as a search in memory does: sent at once, waited
 * for later. A thread of its own does the talking. Whoever waits is a thread that does nothing but search.
 */
export class ShardExchange implements Disposable {
  readonly #options: ShardExchangeOptions;
  #thread: ExchangeThread;
  readonly #received = new Map<number, readonly Received[]>();
  #number = 0;

  constructor(options: ShardExchangeOptions) {
    this.#options = options;
    this.#thread = startThread(options);
  }

  /** The number to ask for the replies with. */
  send(requests: Sent['requests']): number {
    // A thread that has ended takes along the shards it was asking: they are left out of that answer, and asked by the next one.
    if (hasEnded(this.#thread)) this.#thread = startThread(this.#options);
    const number = ++this.#number;
    this.#thread.port.postMessage({ number, requests } satisfies Sent);
    return number;
  }

  /** Waits for all replies. Undefined where the thread is gone. */
  wait(number: number): readonly Received[] | undefined {
    const until = performance.now() + this.#options.timeoutMs + LONGEST_WAIT_MS;
    for (;;) {
      const { signal } = this.#thread;
      const seen = Atomics.load(signal, 0);
      const found = this.poll(number);
      if (found !== undefined) return found;
      const left = until - performance.now();
      if (left <= 0 || hasEnded(this.#thread)) return undefined;
      Atomics.wait(signal, 0, seen, Math.min(left, LOOK_MS));
    }
  }

  /** The replies where they are there. */
  poll(number: number): readonly Received[] | undefined {
    for (;;) {
      const message = receiveMessageOnPort(this.#thread.port);
      if (message === undefined) break;
      const { number: of, replies } = message.message as ReceivedAll;
      this.#received.set(of, replies);
    }
    const found = this.#received.get(number);
    this.#received.delete(number);
    return found;
  }

  [Symbol.dispose](): void {
    this.#thread.port.close();
    void this.#thread.worker.terminate();
  }
}

interface ExchangeThread {
  readonly worker: Worker;
  readonly port: MessagePort;
  readonly signal: Int32Array<SharedArrayBuffer>;
}

function startThread({ token, timeoutMs }: ShardExchangeOptions): ExchangeThread {
  const { port1: port, port2 } = new MessageChannel();
  const signal = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  const data: ExchangeThreadData = { port: port2, signal, token, timeoutMs };
  const worker = new Worker(THREAD, { workerData: data, transferList: [port2] });
  // A fault of the thread ends nothing but the thread.
  worker.on('error', () => Atomics.store(signal, 1, 1));
  worker.unref();
  port.unref();
  return { worker, port, signal };
}

function hasEnded({ signal }: ExchangeThread): boolean {
  return Atomics.load(signal, 1) === 1;
}
