import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';

export interface Click {
  readonly url: string;
  readonly query: string;
  /** Of the result in the list, from 1. */
  readonly position: number;
}

/** Which results were opened; kept in the crawl folder alone, and only where its owner asked for it. */
export class ClickLog {
  readonly #path: string;
  readonly #clock: Clock;

  constructor(folder: string, clock: Clock) {
    this.#path = join(folder, 'clicks.jsonl');
    this.#clock = clock;
  }

  /** One line, in one write: lines of two servers do not mix. */
  async add(click: Click): Promise<void> {
    const line = { at: new Date(this.#clock.now()).toISOString(), ...click };
    await appendFile(this.#path, `${JSON.stringify(line)}\n`);
  }
}
