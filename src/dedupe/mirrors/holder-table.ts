/**
 * Who held a page first, by a hash of path and content. A fixed number of places: what is hashed to a taken place takes
 * it over, so that an old entry may be forgotten, and a mirror is found by its next page instead.
 */
export class HolderTable<Holder> {
  readonly #mask: number;
  readonly #keys: Uint32Array;
  readonly #holders: (Holder | undefined)[];

  /** `places`: a power of two. */
  constructor(places: number) {
    this.#mask = places - 1;
    this.#keys = new Uint32Array(places);
    this.#holders = new Array<Holder | undefined>(places).fill(undefined);
  }

  /** The one who holds this already; otherwise `holder` does from now on. `isGone` tells holders that count no more. */
  holderOf(key: number, holder: Holder, isGone: (holder: Holder) => boolean): Holder {
    const place = key & this.#mask;
    const found = this.#holders[place];
    if (found !== undefined && this.#keys[place] === key && !isGone(found)) return found;
    this.#keys[place] = key;
    this.#holders[place] = holder;
    return holder;
  }
}
