import { hash32, pick } from '../../../src/simulate/model/seeded-hash.ts';

export interface ReaderCounts {
  asked: number;
  found: number;
  refused: number;
  /** Answers with 5xx, or none in half a minute. */
  readonly faults: string[];
  readonly milliseconds: number[];
}

const PATIENCE_MS = 30_000;
const REST_MS = 400;
const FAULTS_KEPT = 20;

/** People who search, open stored copies and look at the dashboard, one request after the other each. */
export class Readers {
  readonly counts: ReaderCounts = { asked: 0, found: 0, refused: 0, faults: [], milliseconds: [] };
  readonly #origin: string;
  readonly #words: (number: number) => string;
  readonly #stopped = new AbortController();
  readonly #loops: Promise<void>[];

  constructor(origin: string, count: number, seed: number, words: (number: number) => string) {
    this.#origin = origin;
    this.#words = words;
    this.#loops = Array.from({ length: count }, (_, reader) => this.#read(seed, reader));
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await Promise.all(this.#loops);
  }

  async #read(seed: number, reader: number): Promise<void> {
    let known: string[] = [];
    for (let step = 0; !this.#stopped.signal.aborted; step++) {
      const drawn = hash32(seed, reader, step, 411);
      const word = this.#words(drawn);
      const url = encodeURIComponent(known[pick(drawn, Math.max(1, known.length))] ?? '');
      const paths = [`/search?q=${word}`, `/search?q=${word}&format=json`, '/dashboard', `/search?q=${word}+the`];
      const ofPages = url === '' ? [] : [`/cached?url=${url}`, `/versions?url=${url}`, `/cached?url=${url}`];
      const all = [...paths, ...ofPages, '/changes', '/dashboard.json', `/suggest?q=${word.slice(0, 2)}`];
      const body = await this.#ask(all[step % all.length]);
      known = [...new Set([...linksIn(body), ...known])].slice(0, 50);
      await new Promise((resolve) => setTimeout(resolve, REST_MS));
    }
  }

  async #ask(path: string): Promise<string> {
    const began = performance.now();
    try {
      const response = await fetch(this.#origin + path, { signal: AbortSignal.timeout(PATIENCE_MS) });
      const body = await response.text();
      this.counts.asked++;
      this.counts.milliseconds.push(performance.now() - began);
      if (response.status === 200) this.counts.found++;
      if (response.status >= 500) this.#fault(`${path}: ${response.status} ${body.slice(0, 200)}`);
      return body;
    } catch (error) {
      // Nobody listens between two lives of the process.
      if ((error as Error).name === 'TimeoutError') this.#fault(`${path}: no answer in ${PATIENCE_MS} ms`);
      else this.counts.refused++;
      return '';
    }
  }

  #fault(what: string): void {
    if (this.counts.faults.length < FAULTS_KEPT) this.counts.faults.push(`${new Date().toISOString()} ${what}`);
  }
}

function linksIn(body: string): string[] {
  return Array.from(body.matchAll(/\/cached\?url=([^"&]+)/g), ([, url]) => decodeURIComponent(url));
}
