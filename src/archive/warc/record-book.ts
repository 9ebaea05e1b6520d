import { fingerprint } from '../../base/fingerprint.ts';
import type { RecordPlace } from '../../contracts/archive.ts';

/** Enough bits that two of millions are not taken for each other. */
const KEY_BITS = 53;

/** Numbers that are looked up after all have come: 8 bytes each. */
class NumberSet {
  #numbers = new Float64Array(1024);
  #size = 0;
  #sorted = true;

  add(number: number): void {
    if (this.#size === this.#numbers.length) {
      const larger = new Float64Array(this.#size * 2);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[this.#size++] = number;
    this.#sorted = false;
  }

  has(number: number): boolean {
    if (!this.#sorted) this.#numbers.subarray(0, this.#size).sort();
    this.#sorted = true;
    let low = 0;
    let high = this.#size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#numbers[middle] < number) low = middle + 1;
      else high = middle;
    }
    return low < this.#size && this.#numbers[low] === number;
  }
}

/** Which visits an archive holds in sound records: responses by place and content, revisits by place and what they refer to. */
export class RecordBook {
  readonly #places = new Map<string, NumberSet>();
  readonly #contents = new NumberSet();
  readonly #referrals = new Map<string, { readonly url: string; readonly digest: string | undefined }>();

  addResponse(file: string, offset: number, url: string, digest: string | undefined): void {
    this.#place(file, offset);
    this.#contents.add(keyOf(url, undefined));
    if (digest !== undefined) this.#contents.add(keyOf(url, digest));
  }

  addRevisit(file: string, offset: number, url: string, digest: string | undefined): void {
    this.#place(file, offset);
    this.#referrals.set(`${file} ${offset}`, { url, digest });
  }

  /** 'referral': a sound revisit record, but what it refers to is not in this archive. */
  state({ file, offset }: Pick<RecordPlace, 'file' | 'offset'>): 'sound' | 'lost' | 'referral' {
    if (this.#places.get(file)?.has(offset) !== true) return 'lost';
    const referral = this.#referrals.get(`${file} ${offset}`);
    if (referral === undefined || this.#contents.has(keyOf(referral.url, referral.digest))) return 'sound';
    return 'referral';
  }

  #place(file: string, offset: number): void {
    let offsets = this.#places.get(file);
    if (offsets === undefined) {
      offsets = new NumberSet();
      this.#places.set(file, offsets);
    }
    offsets.add(offset);
  }
}

function keyOf(url: string, digest: string | undefined): number {
  return Number(BigInt.asUintN(KEY_BITS, fingerprint(`${digest ?? ''} ${url}`)));
}
