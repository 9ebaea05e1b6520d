import { SIGNALS } from './link-model.ts';

const SLOTS = 1 << 15;
const MOST_WORDS = 16;

/** What was known of links when promised something, until visited. Of fixed size: clearly better promises stay. */
export class PromiseMemory {
  readonly #keys = new BigUint64Array(SLOTS);
  readonly #promises = new Float32Array(SLOTS);
  readonly #sizes = new Uint8Array(SLOTS);
  readonly words = new Uint32Array(SLOTS * MOST_WORDS);
  readonly signals = new Float32Array(SLOTS * SIGNALS);

  remember(url: bigint, promise: number, words: Uint32Array, size: number, signals: Float32Array, at: number): void {
    const slot = slotOf(url);
    const known = this.#keys[slot];
    if (known === url && this.#promises[slot] >= promise) return;
    if (known !== 0n && this.#promises[slot] > promise + 0.2) return;
    this.#keys[slot] = url;
    this.#promises[slot] = promise;
    this.#sizes[slot] = Math.min(MOST_WORDS, size);
    for (let word = 0; word < this.#sizes[slot]; word++) this.words[slot * MOST_WORDS + word] = words[word];
    for (let signal = 0; signal < SIGNALS; signal++) this.signals[slot * SIGNALS + signal] = signals[at + signal];
  }

  /** Takes out what is known of a link: places in `words` and `signals`. */
  take(url: bigint): { readonly signals: number; readonly from: number; readonly to: number } | undefined {
    const slot = slotOf(url);
    if (url === 0n || this.#keys[slot] !== url) return undefined;
    this.#keys[slot] = 0n;
    const from = slot * MOST_WORDS;
    return { signals: slot * SIGNALS, from, to: from + this.#sizes[slot] };
  }
}

function slotOf(url: bigint): number {
  return Number(BigInt.asUintN(32, url)) & (SLOTS - 1);
}
