import type { FetchResult } from '../contracts/fetcher.ts';

export type Answered = Extract<FetchResult, { kind: 'response' }>;

interface Kept {
  readonly result: Answered;
  readonly until: number;
}

/** Of what a page is built of, whatever its server says: the pages of one site are rendered within minutes. */
const LEAST_MS = 10 * 60_000;
const MOST_MS = 24 * 3_600_000;

/** Scripts and style sheets that many pages share, in bounded memory: each is asked for once. */
export class ResourceCache {
  readonly #maxBytes: number;
  readonly #now: () => number;
  /** The least recently used first. */
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  constructor(maxBytes: number, now: () => number) {
    this.#maxBytes = maxBytes;
    this.#now = now;
  }

  /** `key`: the URL, and for whom. */
  get(key: string): Answered | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    this.#kept.delete(key);
    if (kept.until <= this.#now()) {
      this.#bytes -= kept.result.body.byteLength;
      return undefined;
    }
    this.#kept.set(key, kept);
    return kept.result;
  }

  /** `isPart`: the page is built of it, and it is the same for all. Data is kept only as long as its server allows. */
  put(key: string, result: Answered, isPart: boolean): void {
    const control = result.head.header('cache-control') ?? '';
    const said = Number(/(?:^|[\s,])max-age=(\d+)/i.exec(control)?.[1] ?? 0) * 1000;
    const isForbidden = /no-store|private/i.test(control) || result.head.header('vary')?.includes('*') === true;
    const keptMs = Math.min(Math.max(said, isPart ? LEAST_MS : 0), MOST_MS);
    const size = result.body.byteLength;
    if (isForbidden || keptMs === 0 || result.head.status !== 200 || size > this.#maxBytes / 4) return;
    this.#bytes -= this.#kept.get(key)?.result.body.byteLength ?? 0;
    this.#kept.delete(key);
    this.#kept.set(key, { result, until: this.#now() + keptMs });
    this.#bytes += size;
    for (const [oldest, { result: old }] of this.#kept) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#kept.delete(oldest);
      this.#bytes -= old.body.byteLength;
    }
  }
}
