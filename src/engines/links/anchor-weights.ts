import type { AnchorText } from '../../contracts/search-index.ts';
import { SpeakingTexts } from './anchor-phrases.ts';
import { type LinkEntry, NOFOLLOW, SAME_HOST } from './link-entry.ts';

const OTHER_HOST = 1;
const OWN_HOST = 0.4;
const UNENDORSED = 0.1;
/** "Click here" says something about the link, not about the page behind it. */
const EMPTY_WORDS = 0.1;

/** A text with who says it. Most are said by one host alone. */
interface SaidText {
  text: string;
  readonly speaker: number;
  /** Pages of the first speaker. */
  pages: number;
  /** Of all speakers where there are more. */
  hosts: Map<number, number> | undefined;
}

/** What the anchor texts of a page are worth. Each host counts once per text; more of its pages add with the logarithm. */
export class AnchorWeights {
  readonly #texts = new Map<string, SaidText>();
  readonly #speaking = new SpeakingTexts();

  add({ text, host, flags }: LinkEntry): void {
    if (text === '') return;
    const folded = text.toLowerCase();
    const speaker = host * 4 + (flags & (NOFOLLOW | SAME_HOST));
    const known = this.#texts.get(folded);
    if (known === undefined) {
      this.#texts.set(folded, { text, speaker, pages: 1, hosts: undefined });
      return;
    }
    // Of spellings the one with capitals, which tell the parts of a name; and the order in which links were found must not show.
    if (text < known.text) known.text = text;
    if (known.hosts === undefined && speaker === known.speaker) {
      known.pages++;
      return;
    }
    known.hosts ??= new Map([[known.speaker, known.pages]]);
    known.hosts.set(speaker, (known.hosts.get(speaker) ?? 0) + 1);
  }

  /** The weightiest texts. What comes afterwards is of another page. */
  best(limit: number): readonly AnchorText[] {
    const all: (AnchorText & { readonly folded: string })[] = [];
    for (const [folded, said] of this.#texts) {
      const weight = weightOf(said);
      all.push({ text: said.text, folded, weight: this.#speaking.has(folded) ? weight : weight * EMPTY_WORDS });
    }
    this.#texts.clear();
    // The order in which links were found must not show.
    all.sort((a, b) => b.weight - a.weight || (a.folded < b.folded ? -1 : 1));
    return all.slice(0, limit).map(({ text, weight }) => ({ text, weight }));
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
