import type { AnchorText } from '../../contracts/search-index.ts';
import { speaksOfItsTarget } from './anchor-phrases.ts';
import { type LinkEntry, NOFOLLOW, SAME_HOST } from './link-entry.ts';

const OTHER_HOST = 1;
const OWN_HOST = 0.4;
const UNENDORSED = 0.1;
/** "Click here" says something about the link, not about the page behind it. */
const EMPTY_WORDS = 0.1;

/** What the anchor texts of a page are worth. Each host counts once per text; more of its pages add with the logarithm. */
export class AnchorWeights {
  readonly #texts = new Map<string, { text: string; readonly hosts: Map<number, number> }>();

  add({ text, host, flags }: LinkEntry): void {
    if (text === '') return;
    const folded = text.toLowerCase();
    let known = this.#texts.get(folded);
    if (known === undefined) {
      known = { text, hosts: new Map() };
      this.#texts.set(folded, known);
    } else if (text < known.text) {
      // Of spellings the one with capitals, which tell the parts of a name; and the order in which links were found must not show.
      known.text = text;
    }
    const speaker = host * 4 + (flags & (NOFOLLOW | SAME_HOST));
    known.hosts.set(speaker, (known.hosts.get(speaker) ?? 0) + 1);
  }

  /** The weightiest texts. */
  best(limit: number): readonly AnchorText[] {
    const all: (AnchorText & { readonly folded: string })[] = [];
    for (const [folded, { text, hosts }] of this.#texts) {
      let weight = 0;
      for (const [speaker, pages] of hosts) weight += voice(speaker % 4) * (1 + Math.log(pages));
      weight = Number(weight.toFixed(6));
      all.push({ text, folded, weight: speaksOfItsTarget(folded) ? weight : weight * EMPTY_WORDS });
    }
    // The order in which links were found must not show.
    all.sort((a, b) => b.weight - a.weight || (a.folded < b.folded ? -1 : 1));
    return all.slice(0, limit).map(({ text, weight }) => ({ text, weight }));
  }
}

function voice(flags: number): number {
  if ((flags & NOFOLLOW) !== 0) return UNENDORSED;
  return (flags & SAME_HOST) !== 0 ? OWN_HOST : OTHER_HOST;
}
