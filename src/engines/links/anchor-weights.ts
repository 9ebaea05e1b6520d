import type { AnchorText } from '../../contracts/search-index.ts';
import { AnchorTexts } from './anchor-texts.ts';
import { ENTRY_HEAD, entryHost, entryLength, NOFOLLOW, SAME_HOST } from './link-entry.ts';
import { sortedPlaces } from './sorted-places.ts';

const OTHER_HOST = 1;
const OWN_HOST = 0.4;
const UNENDORSED = 0.1;
/** "Click here" says something about the link, not about the page behind it. */
const EMPTY_WORDS = 0.1;
const FIRST_PLACES = 256;
const MOST_KNOWN = 1024;

/** What the anchor texts of a page are worth. Each host counts once per text; more of its pages add with the logarithm. */
export class AnchorWeights {
  readonly #texts = new AnchorTexts();
  /** Texts that are said, each at its place: its form in lower case, as it is shown, and of most the only one who says it. */
  #forms = new Uint32Array(FIRST_PLACES);
  #shown = new Uint32Array(FIRST_PLACES);
  #speakers = new Float64Array(FIRST_PLACES);
  /** Pages of the first speaker. */
  #pages = new Uint32Array(FIRST_PLACES);
  #weights = new Float64Array(FIRST_PLACES);
  /** Of their forms. */
  #prefixes = new Float64Array(FIRST_PLACES);
  /** Weights of texts that one host says on so many pages, by its voice; 0 where it is not known yet. */
  readonly #known = new Float64Array(4 * MOST_KNOWN);
  #count = 0;
  /** Pages of all speakers where there are more. */
  readonly #hosts = new Map<number, Map<number, number>>();
  /** Place of each form that was said; of others any value. */
  #places = new Uint32Array(1024);
  readonly #isBefore = (place: number, other: number): boolean => {
    const difference = this.#weights[place] - this.#weights[other] || this.#prefixes[other] - this.#prefixes[place];
    return difference > 0 || (difference === 0 && this.#texts.isBefore(this.#forms[place], this.#forms[other]));
  };

  /** Takes the link that begins there. */
  add(bytes: Uint8Array, at: number): void {
    const end = at + entryLength(bytes, at);
    if (at + ENTRY_HEAD === end) return;
    const text = this.#texts.numberOf(bytes, at + ENTRY_HEAD, end);
    const form = this.#texts.formOf(text);
    const speaker = entryHost(bytes, at) * 4 + (bytes[at + 8] & (NOFOLLOW | SAME_HOST));
    if (form >= this.#places.length) this.#places = grown(this.#places, new Uint32Array(2 * this.#texts.forms));
    const place = this.#places[form];
    if (place >= this.#count || this.#forms[place] !== form) {
      this.#begin(form, text, speaker);
      return;
    }
    // Of spellings the one with capitals, which tell the parts of a name; and the order in which links were found must not show.
    const shown = this.#shown[place];
    if (text !== shown && this.#texts.text(text) < this.#texts.text(shown)) this.#shown[place] = text;
    const first = this.#speakers[place];
    if (speaker === first && !this.#hosts.has(place)) {
      this.#pages[place]++;
      return;
    }
    const hosts = this.#hosts.get(place) ?? new Map([[first, this.#pages[place]]]);
    this.#hosts.set(place, hosts.set(speaker, (hosts.get(speaker) ?? 0) + 1));
  }

  /** The weightiest texts. What comes afterwards is of another page. */
  best(limit: number): readonly AnchorText[] {
    const texts = this.#texts;
    for (let place = 0; place < this.#count; place++) {
      const weight = this.#weightOf(place);
      const form = this.#forms[place];
      this.#weights[place] = texts.speaks(form) ? weight : weight * EMPTY_WORDS;
      this.#prefixes[place] = texts.prefix(form);
    }
    // The order in which links were found must not show.
    const order = sortedPlaces(this.#count, this.#isBefore);
    const best: AnchorText[] = [];
    for (let at = 0; at < order.length && at < limit; at++)
      best.push({ text: texts.text(this.#shown[order[at]]), weight: this.#weights[order[at]] });
    this.#count = 0;
    this.#hosts.clear();
    texts.forgetMany();
    return best;
  }

  #begin(form: number, text: number, speaker: number): void {
    const place = this.#count++;
    if (place === this.#forms.length) this.#grow();
    this.#places[form] = place;
    this.#forms[place] = form;
    this.#shown[place] = text;
    this.#speakers[place] = speaker;
    this.#pages[place] = 1;
  }

  #weightOf(place: number): number {
    const hosts = this.#hosts.get(place);
    if (hosts === undefined) return this.#weightOfOne(this.#speakers[place] % 4, this.#pages[place]);
    let weight = 0;
    for (const [one, count] of hosts) weight += voice(one % 4) * (1 + Math.log(count));
    return rounded(weight);
  }

  #weightOfOne(flags: number, pages: number): number {
    if (pages >= MOST_KNOWN) return rounded(voice(flags) * (1 + Math.log(pages)));
    const key = 4 * pages + flags;
    if (this.#known[key] === 0) this.#known[key] = rounded(voice(flags) * (1 + Math.log(pages)));
    return this.#known[key];
  }

  #grow(): void {
    const size = 2 * this.#forms.length;
    this.#forms = grown(this.#forms, new Uint32Array(size));
    this.#shown = grown(this.#shown, new Uint32Array(size));
    this.#speakers = grown(this.#speakers, new Float64Array(size));
    this.#pages = grown(this.#pages, new Uint32Array(size));
    this.#weights = new Float64Array(size);
    this.#prefixes = new Float64Array(size);
  }
}

function grown<Values extends Uint32Array | Float64Array>(values: Values, larger: Values): Values {
  larger.set(values);
  return larger;
}

function rounded(weight: number): number {
  return Number(weight.toFixed(6));
}

function voice(flags: number): number {
  if ((flags & NOFOLLOW) !== 0) return UNENDORSED;
  return (flags & SAME_HOST) !== 0 ? OWN_HOST : OTHER_HOST;
}
