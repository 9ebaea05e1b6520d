/** Numbers, a value for each row, that grow with the rows. */
export class GrowingArray<T extends Uint32Array | Float64Array> {
  #values: T;
  #length = 0;
  readonly #make: (length: number) => T;

  constructor(make: (length: number) => T) {
    this.#make = make;
    this.#values = make(1024);
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = this.#make(2 * this.#length);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length++] = value;
  }

  /** Valid until the next `push`. */
  get values(): T {
    return this.#values.subarray(0, this.#length) as T;
  }
}
