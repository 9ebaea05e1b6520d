import type { Connection } from './connection.ts';

/** All connections that are open, whoever opened them. Beyond a number the one idle for longest is closed. */
export class OpenConnections {
  readonly counters = { opened: 0, failed: 0, evicted: 0 };
  readonly #max: number;
  /** In order of use: the first is the one used longest ago. */
  readonly #open = new Set<Connection>();

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#open.size;
  }

  used(connection: Connection): void {
    if (this.#open.delete(connection)) this.#open.add(connection);
  }

  add(connection: Connection): void {
    this.counters.opened++;
    this.#open.add(connection);
    connection.socket.once('close', () => this.#open.delete(connection));
    if (this.#open.size <= this.#max) return;
    for (const candidate of this.#open) {
      if (candidate.busy > 0 || candidate === connection) continue;
      this.counters.evicted++;
      // Its end is told only later: the next connection would choose the same one again, and nothing would be closed for it.
      this.#open.delete(candidate);
      candidate.socket.destroy();
      break;
    }
  }
}
