/**
 * Names with what is known of their tokens, in arrays of numbers: objects for so many would be looked at with every collection of garbage.
 * Zeros where no name is.
 */
export class NameSlots {
  readonly size: number;
  /** Tokens of each name; 0 where it has more than there is room for. */
  readonly counts: Uint8Array;
  /** Positions that each name takes. */
  readonly positions: Uint8Array;
  /** Of each token how far it stands behind the position of its name. */
  readonly offsets: Uint8Array;
  readonly forms: Uint8Array;
  /** 1 where the name came again since another one wanted its slot. */
  readonly uses: Uint8Array;
  /** Of each token what was noted last, -1 for nothing. */
  readonly numbers: Int32Array;
  readonly #longest: number;
  readonly #mostTokens: number;
  /** The characters of each, which are ASCII, and how many they are. */
  readonly #bytes: Uint8Array;
  readonly #lengths: Uint8Array;
  /** Who has noted something of the tokens of each name. */
  readonly #owners: Int32Array;
  #puts = 0;

  /** `size`: a power of two. */
  constructor(size: number, longest: number, mostTokens: number) {
    this.size = size;
    this.#longest = longest;
    this.#mostTokens = mostTokens;
    this.counts = new Uint8Array(size);
    this.positions = new Uint8Array(size);
    this.offsets = new Uint8Array(size * mostTokens);
    this.forms = new Uint8Array(size * mostTokens);
    this.uses = new Uint8Array(size);
    this.numbers = new Int32Array(size * mostTokens);
    this.#bytes = new Uint8Array(size * longest);
    this.#lengths = new Uint8Array(size);
    this.#owners = new Int32Array(size);
  }

  /** As many names have come as there are slots. */
  get isFull(): boolean {
    return this.#puts >= this.size;
  }

  of(hash: number): number {
    return (hash ^ (hash >>> 15)) & (this.size - 1);
  }

  isAt(slot: number, units: Uint16Array, start: number, end: number): boolean {
    if (this.#lengths[slot] !== end - start) return false;
    const bytes = this.#bytes;
    const behind = slot * this.#longest - start;
    for (let at = start; at < end; at++) if (bytes[behind + at] !== units[at]) return false;
    return true;
  }

  /** A name of which nothing is known yet. */
  put(slot: number, units: Uint16Array, start: number, end: number): void {
    this.#puts++;
    const from = slot * this.#longest;
    for (let at = start; at < end; at++) this.#bytes[from + at - start] = units[at];
    this.#lengths[slot] = end - start;
    this.#owners[slot] = 0;
    this.counts[slot] = 0;
  }

  text(slot: number): string {
    return String.fromCharCode(...this.#name(slot));
  }

  /** Whether the owner has noted something of the tokens of the name to which this one belongs. */
  hasNoted(place: number, owner: number): boolean {
    return this.#owners[(place / this.#mostTokens) | 0] === owner;
  }

  noted(place: number, owner: number): number {
    return this.hasNoted(place, owner) ? this.numbers[place] : -1;
  }

  note(place: number, owner: number, number: number): void {
    const slot = (place / this.#mostTokens) | 0;
    if (this.#owners[slot] !== owner) {
      this.#owners[slot] = owner;
      this.numbers.fill(-1, slot * this.#mostTokens, (slot + 1) * this.#mostTokens);
    }
    this.numbers[place] = number;
  }

  /** The same names in four times as many slots. */
  enlarged(hashOf: (name: Uint8Array) => number): NameSlots {
    const tokens = this.#mostTokens;
    const larger = new NameSlots(4 * this.size, this.#longest, tokens);
    for (let slot = 0; slot < this.size; slot++) {
      if (this.#lengths[slot] === 0) continue;
      const name = this.#name(slot);
      const to = larger.of(hashOf(name));
      larger.#puts++;
      larger.#bytes.set(name, to * this.#longest);
      larger.#lengths[to] = this.#lengths[slot];
      larger.#owners[to] = this.#owners[slot];
      larger.uses[to] = this.uses[slot];
      larger.counts[to] = this.counts[slot];
      larger.positions[to] = this.positions[slot];
      const [from, end] = [slot * tokens, (slot + 1) * tokens];
      larger.offsets.set(this.offsets.subarray(from, end), to * tokens);
      larger.forms.set(this.forms.subarray(from, end), to * tokens);
      larger.numbers.set(this.numbers.subarray(from, end), to * tokens);
    }
    return larger;
  }

  #name(slot: number): Uint8Array {
    const from = slot * this.#longest;
    return this.#bytes.subarray(from, from + this.#lengths[slot]);
  }
}
