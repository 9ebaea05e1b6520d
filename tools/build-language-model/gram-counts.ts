import { eachGram } from '../../src/extract/language/grams.ts';

const PLACES = 2 ** 23;

/** How often each gram occurs; room is made by forgetting grams seen once. */
export class GramCounts {
  #grams = new Int32Array(PLACES);
  #counts = new Uint32Array(PLACES);
  #used = 0;
  total = 0;

  add(letters: Uint16Array, length: number): void {
    eachGram(letters, 0, length, (gram) => {
      this.#increase(gram, 1);
      this.total++;
      return true;
    });
    if (this.#used > PLACES * 0.7) this.#forgetRare();
  }

  count(gram: number): number {
    let place = gram & (PLACES - 1);
    while (this.#grams[place] !== 0) {
      if (this.#grams[place] === gram) return this.#counts[place];
      place = (place + 1) & (PLACES - 1);
    }
    return 0;
  }

  /** The most frequent grams, at least `least` times seen. */
  top(most: number, least: number): number[] {
    const places: number[] = [];
    for (let place = 0; place < PLACES; place++) if (this.#counts[place] >= least) places.push(place);
    places.sort((a, b) => this.#counts[b] - this.#counts[a]);
    return places.slice(0, most).map((place) => this.#grams[place]);
  }

  #increase(gram: number, by: number): void {
    let place = gram & (PLACES - 1);
    while (this.#grams[place] !== 0 && this.#grams[place] !== gram) place = (place + 1) & (PLACES - 1);
    if (this.#grams[place] === 0) {
      this.#grams[place] = gram;
      this.#used++;
    }
    this.#counts[place] += by;
  }

  #forgetRare(): void {
    const grams = this.#grams;
    const counts = this.#counts;
    this.#grams = new Int32Array(PLACES);
    this.#counts = new Uint32Array(PLACES);
    this.#used = 0;
    for (let place = 0; place < PLACES; place++) if (counts[place] > 1) this.#increase(grams[place], counts[place]);
  }
}
