import { UrlKey } from './url-key.ts';
import { UrlNumbers } from './url-numbers.ts';

/** Numbers URLs in the order in which they come, by their fingerprints: about 20 bytes a URL. */
export class UrlNumbering {
  readonly #numbers = new UrlNumbers();
  readonly #key = new UrlKey();

  get count(): number {
    return this.#numbers.count;
  }

  /** The number it has, or the next one. */
  add(url: string): number {
    const { hi, lo } = this.#key.set(url);
    return this.#numbers.add(hi, lo);
  }

  find(url: string): number | undefined {
    const { hi, lo } = this.#key.set(url);
    const number = this.#numbers.find(hi, lo);
    return number < 0 ? undefined : number;
  }
}
