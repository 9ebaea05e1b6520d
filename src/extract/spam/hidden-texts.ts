import type { SpamSign } from '../../contracts/content/spam.ts';
import { isWordList, keywordPoints } from './keyword-points.ts';
import { wordStatistics } from './word-statistics.ts';

/**
 * How sure a way of hiding means that nobody shall read it.
 * `covert`: in the colour of its ground, too small to read, indented out of sight. `aside`: moved out of the window, as menus
 * and labels for screen readers are too. `faded`: shrunk or faded away, as what is to move in later. `folded`: not shown for
 * now, as menus, tabs and dialogs are.
 */
export type Hiding = 'covert' | 'aside' | 'faded' | 'folded';

/** One way in which one element is hidden. */
export interface Away {
  readonly hiding: Hiding;
  /** In words, with the measure. */
  readonly how: string;
  /** Honest pages hide short labels in this way. */
  readonly labels: boolean;
}

interface Gathered {
  text: string;
  /** The way of hiding, as it was found first. */
  readonly how: string;
  readonly foreignSites: Set<string>;
}

const LONGEST = 3000;
/** A label for screen readers or the name behind a picture is shorter. */
const LONG_LABEL = 12;
/** Characters; less of what is only folded is not even counted. */
const LONG_FOLDED = 200;

/** Gathers what cannot be seen and judges it by its amount and its nature. */
export class HiddenTexts {
  readonly #pieces = new Map<Away, string>();
  readonly #gathered = new Map<Hiding, Gathered>();

  /** Texts of one element are given with one and the same `away`. */
  add(away: Away, text: string): void {
    const before = this.#pieces.get(away) ?? '';
    if (before.length < LONGEST) this.#pieces.set(away, `${before}${text}\n`);
  }

  addForeignLink(away: Away, site: string): void {
    this.#of(away).foreignSites.add(site);
  }

  sign(): SpamSign | undefined {
    for (const [away, text] of this.#pieces) {
      if (away.labels && wordsIn(text) < LONG_LABEL) continue;
      const gathered = this.#of(away);
      if (gathered.text.length < LONGEST) gathered.text += text;
    }
    this.#pieces.clear();
    let strongest: SpamSign | undefined;
    for (const [hiding, gathered] of this.#gathered) {
      const sign = judged(hiding, gathered);
      if (sign !== undefined && (strongest === undefined || sign.weight > strongest.weight)) strongest = sign;
    }
    return strongest;
  }

  #of({ hiding, how }: Away): Gathered {
    let gathered = this.#gathered.get(hiding);
    if (gathered === undefined) {
      gathered = { text: '', how, foreignSites: new Set() };
      this.#gathered.set(hiding, gathered);
    }
    return gathered;
  }
}

function wordsIn(text: string): number {
  let words = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) <= 0x20) words++;
  return words;
}

function judged(hiding: Hiding, { text, how, foreignSites }: Gathered): SpamSign | undefined {
  const sites = foreignSites.size;
  const unusual = hiding === 'covert' || hiding === 'aside';
  const linked = !unusual ? 0 : sites >= 8 ? 0.8 : sites >= 3 ? 0.6 : 0;
  const written = wordsWeight(hiding, text);
  if (linked > written.weight)
    return { technique: 'hidden-text', weight: linked, evidence: `links to ${sites} other sites hidden (${how})` };
  if (written.weight === 0) return undefined;
  return {
    technique: 'hidden-text',
    weight: written.weight,
    evidence: `${written.words} words hidden (${how})${written.nature}`,
  };
}

/** The more openly honest pages use a way of hiding, the more a text must read like a list of keywords. */
function wordsWeight(hiding: Hiding, text: string): { weight: number; words: number; nature: string } {
  if (text.length < (hiding === 'folded' ? LONG_FOLDED : LONG_LABEL)) return { weight: 0, words: 0, nature: '' };
  const stats = wordStatistics(text);
  const words = stats.allWords;
  const none = { weight: 0, words, nature: '' };
  // Data and program text for the scripts of the page.
  if (words < LONG_LABEL || stats.codeShare > 0.02) return none;
  // Few words repeat some by chance; but few words are the rule here, and honest ones are fewer still.
  const unusual = hiding === 'covert' || hiding === 'aside';
  const points = keywordPoints(stats) + (unusual && words < 80 && words >= 20 ? 1 : 0);
  const list = isWordList(stats);
  const again = hiding === 'covert' && stats.repeatedLineShare > 0.5 && stats.repeatedLineWords >= 2;
  const stuffed = points >= 3 || again;
  const nature = stuffed ? `, '${stats.topWord}' ${stats.topCount} times` : list ? ', a list of words' : '';
  const weigh = (weight: number) => (weight === 0 ? none : { weight, words, nature });
  switch (hiding) {
    case 'covert':
      if (stuffed || list) return weigh(words >= 20 ? 0.85 : 0.6);
      return weigh(words >= 60 ? 0.7 : words >= 40 ? 0.55 : words >= 30 ? 0.3 : 0);
    case 'aside':
      if (stuffed) return weigh(words >= 20 ? 0.8 : 0.5);
      if (list) return weigh(words >= 40 ? 0.7 : words >= 25 ? 0.55 : 0);
      return weigh(words >= 100 ? 0.6 : words >= 60 ? 0.4 : 0);
    case 'faded':
      if (stuffed || (list && points >= 1.5)) return weigh(words >= 40 ? 0.75 : words >= 20 ? 0.55 : 0.3);
      return weigh(list && words >= 60 ? 0.45 : 0);
    case 'folded':
      if (stats.words < 40 || !stuffed) return none;
      return weigh(list && points >= 4 && words >= 100 ? 0.7 : 0.35);
  }
}
