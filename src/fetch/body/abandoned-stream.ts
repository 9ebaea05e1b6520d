import type { Connection } from '../connect/connection.ts';
import type { DeadlineSweep, Watched } from '../deadline-sweep.ts';

/** What may be on its way when a stream is reset. */
const MOST_BYTES = 2 ** 20;
const WATCHED_MS = 10_000;

/** Ends a connection of HTTP/2 whose server goes on sending though its stream was reset. */
export class AbandonedStream implements Watched {
  readonly #connection: Connection;
  readonly #sweep: DeadlineSweep;
  readonly #requests: number;
  readonly #received: number;
  readonly #until: number;

  constructor(connection: Connection, sweep: DeadlineSweep) {
    this.#connection = connection;
    this.#sweep = sweep;
    this.#requests = connection.requests;
    this.#received = connection.socket.bytesRead;
    this.#until = sweep.now() + WATCHED_MS;
    sweep.watch(this);
  }

  check(now: number): void {
    const { socket, requests } = this.#connection;
    // The next request has deadlines and limits of its own.
    const isOver = now >= this.#until || socket.destroyed || requests !== this.#requests;
    const isFlooded = !isOver && socket.bytesRead - this.#received > MOST_BYTES;
    if (isFlooded) socket.destroy();
    if (isOver || isFlooded) this.#sweep.unwatch(this);
  }
}
