import type { Clock } from '../../base/clock.ts';
import { OrbweaverError } from '../../base/errors.ts';
import { OpenSearchTrouble } from './opensearch-client.ts';

export interface PatienceParts {
  readonly clock: Clock;
  readonly random: () => number;
  /** Cuts a wait short: whoever gave it wants to know at once whether it goes on. */
  readonly signal?: AbortSignal;
  /** How long nothing may succeed before it is given up; asked after every failure. */
  readonly forMs: () => number;
  /** Told when the server begins to fail, and when it is back. */
  readonly onTrouble?: (message: string) => void;
}

const FIRST_WAIT_MS = 500;
const MOST_WAIT_MS = 60_000;

/** How long a server is given that is away or overloaded: longer after each failure. */
export class Patience {
  readonly #parts: PatienceParts;
  #failures = 0;
  #since = 0;

  constructor(parts: PatienceParts) {
    this.#parts = parts;
  }

  /** Waits before the next try; throws where there is to be none. */
  async failed({ message, retryAfterMs }: OpenSearchTrouble): Promise<void> {
    const { clock, random, signal, forMs, onTrouble } = this.#parts;
    if (this.#failures === 0) {
      this.#since = clock.now();
      onTrouble?.(`${message}. Documents are kept and sent again.`);
    }
    this.#failures++;
    if (clock.now() - this.#since >= forMs())
      throw new OrbweaverError('SINK_FAILED', `${message}.`, {
        remedy: 'What is missing is sent by the next run, or by: orbweaver opensearch.',
      });
    const doubled = Math.min(FIRST_WAIT_MS * 2 ** Math.min(this.#failures - 1, 20), MOST_WAIT_MS);
    // A little at random, so that nodes that fail together do not come back together.
    const wait = Math.max(retryAfterMs, doubled * (0.75 + random() / 4));
    await clock.sleep(wait, signal?.aborted === true ? undefined : signal);
  }

  succeeded(): void {
    if (this.#failures > 0) this.#parts.onTrouble?.('It takes documents again.');
    this.#failures = 0;
  }

  /** Does something as often as it takes. */
  async keepTrying<T>(task: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        const result = await task();
        this.succeeded();
        return result;
      } catch (error) {
        if (!(error instanceof OpenSearchTrouble)) throw error;
        await this.failed(error);
      }
    }
  }
}
