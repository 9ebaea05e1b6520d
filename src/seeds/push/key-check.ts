import type { Clock } from '../../base/clock.ts';
import { SingleFlight } from '../../base/single-flight.ts';
import { TtlCache } from '../../base/ttl-cache.ts';

/** What came of asking for a key file. */
export type KeyAnswer =
  | {
      readonly kind: 'file';
      /** Where it was in the end, after redirects. */
      readonly url: string;
      readonly text: string;
    }
  | { readonly kind: 'absent'; readonly why: string }
  | { readonly kind: 'unreachable'; readonly why: string };

/** Fetches a key file from a host that a stranger names: needs politeness, the address guard, a size cap, a deadline. */
export type FetchKey = (url: string) => Promise<KeyAnswer>;

export type KeyVerdict = { readonly valid: true } | { readonly valid: false; readonly why: string };

export interface KeyMemory {
  readonly validMs: number;
  readonly invalidMs: number;
  /** For files that could not be asked for. */
  readonly unreachableMs: number;
  readonly maxKeys: number;
}

/** Lines of a key file that are looked at. */
const MAX_LINES = 100;

/** Tells whether a key file holds its key. Fails closed; asks once however many wait, and remembers. */
export class KeyCheck {
  readonly #fetchKey: FetchKey;
  readonly #memory: KeyMemory;
  readonly #verdicts: TtlCache<string, KeyVerdict>;
  readonly #flights = new SingleFlight<string, KeyVerdict>();

  constructor(fetchKey: FetchKey, clock: Pick<Clock, 'now'>, memory: KeyMemory) {
    this.#fetchKey = fetchKey;
    this.#memory = memory;
    this.#verdicts = new TtlCache(clock, memory.maxKeys);
  }

  /** What is known already. */
  known(keyUrl: string, key: string): KeyVerdict | undefined {
    return this.#verdicts.get(`${key} ${keyUrl}`);
  }

  /** Whether a check of this key is under way. */
  running(keyUrl: string, key: string): boolean {
    return this.#flights.current(`${key} ${keyUrl}`) !== undefined;
  }

  /** Never rejects. */
  check(keyUrl: string, key: string): Promise<KeyVerdict> {
    const id = `${key} ${keyUrl}`;
    return this.#flights.run(id, async () => {
      const answer = await this.#ask(keyUrl);
      const verdict = judgeKeyFile(answer, keyUrl, key);
      const { validMs, invalidMs, unreachableMs } = this.#memory;
      const ttl = verdict.valid ? validMs : answer.kind === 'unreachable' ? unreachableMs : invalidMs;
      this.#verdicts.set(id, verdict, ttl);
      return verdict;
    });
  }

  async #ask(keyUrl: string): Promise<KeyAnswer> {
    try {
      return await this.#fetchKey(keyUrl);
    } catch (error) {
      return { kind: 'unreachable', why: error instanceof Error ? error.message : 'it could not be asked for' };
    }
  }
}

/** A file proves what it lies on: one that redirects to another host proves nothing for this one. */
export function judgeKeyFile(answer: KeyAnswer, keyUrl: string, key: string): KeyVerdict {
  if (answer.kind !== 'file') return { valid: false, why: `the key file: ${answer.why}` };
  const [asked, got] = [URL.parse(keyUrl), URL.parse(answer.url)];
  if (asked === null || got === null || asked.hostname !== got.hostname) {
    return { valid: false, why: 'the key file is on another host' };
  }
  const lines = answer.text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/, MAX_LINES);
  return lines.some((line) => line.trim() === key)
    ? { valid: true }
    : { valid: false, why: 'the key file does not hold the key' };
}
