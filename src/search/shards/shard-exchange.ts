import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { ExchangeThreadData, Received, ReceivedAll, Sent } from './exchange-thread.ts';

/** `.ts` in a checkout, `.js` in a package. */
const THREAD = new URL(
  import.meta.url.endsWith('.ts') ? './exchange-thread.ts' : './exchange-thread.js',
  import.meta.url,
);
/** The thread gives up by itself long before. */
const LONGEST_WAIT_MS = 5_000;

export interface ShardExchangeOptions {
  readonly token: string;
  readonly timeoutMs: number;
}

/**
 * Requests to other machines for somebody who works without turns of the event loop, as a search in memory does: sent at once, waited
 * for later. A thread of its own does the talking. Whoever waits is a thread that does nothing but search.
 */
export class ShardExchange implements Disposable {
  readonly #port: MessagePort;
  readonly #worker: Worker;
  readonly #signal = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  readonly #timeoutMs: number;
  readonly #received = new Map<number, readonly Received[]>();
  #number = 0;

  constructor({ token, timeoutMs }: ShardExchangeOptions) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#timeoutMs = timeoutMs;
    const data: ExchangeThreadData = { port: port2, signal: this.#signal, token, timeoutMs };
    this.#worker = new Worker(THREAD, { workerData: data, transferList: [port2] });
    this.#worker.unref();
    port1.unref();
  }

  /** The number to ask for the replies with. */
  send(requests: Sent['requests']): number {
    const number = ++this.#number;
    this.#port.postMessage({ number, requests } satisfies Sent);
    return number;
  }

  /** Waits for all replies. Undefined where the thread is gone. */
  wait(number: number): readonly Received[] | undefined {
    const until = performance.now() + this.#timeoutMs + LONGEST_WAIT_MS;
    for (;;) {
      const seen = Atomics.load(this.#signal, 0);
      const found = this.poll(number);
      if (found !== undefined) return found;
      const left = until - performance.now();
      if (left <= 0) return undefined;
      Atomics.wait(this.#signal, 0, seen, left);
    }
  }

  /** The replies where they are there. */
  poll(number: number): readonly Received[] | undefined {
    for (;;) {
      const message = receiveMessageOnPort(this.#port);
      if (message === undefined) break;
      const { number: of, replies } = message.message as ReceivedAll;
      this.#received.set(of, replies);
    }
    const found = this.#received.get(number);
    this.#received.delete(number);
    return found;
  }

  [Symbol.dispose](): void {
    this.#port.close();
    void this.#worker.terminate();
  }
}
