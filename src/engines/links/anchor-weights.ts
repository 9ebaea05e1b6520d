import type { AnchorText } from '../../contracts/search-index.ts';
import { AnchorTexts } from './anchor-texts.ts';
import { ENTRY_HEAD, entryHost, entryLength, NOFOLLOW, SAME_HOST } from './link-entry.ts';

const OTHER_HOST = 1;
const OWN_HOST = 0.4;
const UNENDORSED = 0.1;
/** "Click here" says something about the link, not about the page behind it. */
const EMPTY_WORDS = 0.1;

/** A text with who says it. Most are said by one host alone. */
interface SaidText {
  /** In lower case. */
  readonly form: number;
  /** As it is shown. */
  text: number;
  readonly speaker: number;
  /** Pages of the first speaker. */
  pages: number;
  /** Of all speakers where there are more. */
  hosts: Map<number, number> | undefined;
  weight: number;
}

/** What the anchor texts of a page are worth. Each host counts once per text; more of its pages add with the logarithm. */
export class AnchorWeights {
  readonly #texts = new AnchorTexts();
  #said: SaidText[] = [];
  /** Place in `#said` of each form that was said; of others any value. */
  #places = new Uint32Array(1024);

  /** Takes the link that begins there. */
  add(bytes: Uint8Array, at: number): void {
    const end = at + entryLength(bytes, at);
    if (at + ENTRY_HEAD === end) return;
    const text = this.#texts.numberOf(bytes, at + ENTRY_HEAD, end);
    const form = this.#texts.formOf(text);
    const speaker = entryHost(bytes, at) * 4 + (bytes[at + 8] & (NOFOLLOW | SAME_HOST));
    const known = this.#find(form);
    if (known === undefined) {
      this.#places[form] = this.#said.length;
      this.#said.push({ form, text, speaker, pages: 1, hosts: undefined, weight: 0 });
      return;
    }
    // Of spellings the one with capitals, which tell the parts of a name; and the order in which links were found must not show.
    if (text !== known.text && this.#texts.text(text) < this.#texts.text(known.text)) known.text = text;
    if (known.hosts === undefined && speaker === known.speaker) {
      known.pages++;
      return;
    }
    known.hosts ??= new Map([[known.speaker, known.pages]]);
    known.hosts.set(speaker, (known.hosts.get(speaker) ?? 0) + 1);
  }

  /** The weightiest texts. What comes afterwards is of another page. */
  best(limit: number): readonly AnchorText[] {
    const said = this.#said;
    const texts = this.#texts;
    for (const one of said) one.weight = texts.speaks(one.form) ? weightOf(one) : weightOf(one) * EMPTY_WORDS;
    // The order in which links were found must not show.
    said.sort((a, b) => b.weight - a.weight || texts.compare(a.form, b.form));
    if (said.length > limit) said.length = limit;
    const best = said.map(({ text, weight }) => ({ text: texts.text(text), weight }));
    this.#said = [];
    texts.forgetMany();
    return best;
  }

  #find(form: number): SaidText | undefined {
    if (form >= this.#places.length) {
      const larger = new Uint32Array(2 * this.#texts.forms);
      larger.set(this.#places);
      this.#places = larger;
    }
    const said: SaidText | undefined = this.#said[this.#places[form]];
    return said?.form === form ? said : undefined;
  }
}

function weightOf({ speaker, pages, hosts }: SaidText): number {
  if (hosts === undefined && pages === 1) return voice(speaker % 4);
  let weight = 0;
  for (const [one, count] of hosts ?? [[speaker, pages]]) weight += voice(one % 4) * (1 + Math.log(count));
  return Number(weight.toFixed(6));
}

function voice(flags: number): number {
  if ((flags & NOFOLLOW) !== 0) return UNENDORSED;
  return (flags & SAME_HOST) !== 0 ? OWN_HOST : OTHER_HOST;
}
