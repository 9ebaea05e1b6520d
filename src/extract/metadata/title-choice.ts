import { madeOnce } from '../../base/made-once.ts';
import { Remembered } from '../remembered.ts';
import { bareWords, wordsIn } from './bare-words.ts';
import { PART } from './captures.ts';
import type { Finding } from './findings.ts';
import { isAscii } from './is-ascii.ts';
import type { Told } from './metadata-record.ts';
import { isNumbered, TitleParts, type TitlePlace } from './title-parts.ts';

/** What separates a headline from the name of its site. */
const SEPARATOR = /(\s+[·•»«›‹~*]+\s+|\s+[-–—:/]+\s+|\s*\|+\s*)/;
const LONGEST = 400;

interface Candidate {
  readonly text: string;
  readonly source: string;
  readonly weight: number;
  readonly heading: boolean;
  /** A heading without its first or last part. */
  readonly cut: boolean;
  /** Place among all that was found, by the order of the document. */
  readonly order: number;
}

/** What it is worth to a heading to stand in `<title>`, between separators. */
const PLACES: Readonly<Record<TitlePlace, number>> = { whole: 200, first: 150, later: 100, manual: -100, none: 0 };
/** What it is worth to a heading that the page is called so elsewhere. */
const CALLED_TITLE = 40;
const ROUNDING = 0.001;
/** Of sites that are remembered. */
const MOST_NAMES = 500;
/** The name of a module or a class is one word: a heading that shares a part of it is that of a section. */
const QUALIFIED = /^\p{L}\w*(?:(?:\.|::)\p{L}\w*)+$/u;
const FILE = /\.(?:html?|xhtml|php|aspx?|jsp|pdf|docx?|txt|md)$/i;
const DOMAIN_END = /\.(?:com|de|net|org|at|ch|fr|co\.uk|it|es|info|eu|pl|nl|io|us|blog|tv)$/;
/** Signs that lead to the heading itself. */
const PERMALINK = /^(?:[\s¶§#🔗⚓◆∞\p{Co}]|\uFE0F)+$/u;

/**
 * The headline among all that call themselves title. The headings on the page are what its author means; `<title>` and the
 * titles for other sites tell which heading is the page's own, and stand in where there is none.
 */
export function chooseTitle(
  found: readonly Finding[],
  htmlTitle: string | undefined,
  siteNames: readonly string[],
  banners: readonly string[],
): Told<string> | undefined {
  const names = bareNamesOf(siteNames);
  const whole = htmlTitle?.trim() ?? '';
  const candidates = found.flatMap((finding) => candidatesOf(finding));
  const parts = new TitleParts(whole, wholeHeadings(candidates), banners);
  if (whole !== '') {
    const shorter = parts.withoutManual();
    const text = shorter === whole ? withoutLastName(withoutSiteName(whole, names)) : shorter;
    candidates.push({ text, source: 'title', weight: 45, heading: false, cut: false, order: 0 });
  }
  const banner = bannerAmong(candidates, parts);
  const references = referencesOf(whole, candidates, names);
  let only: string | undefined | null = null;
  const isWholeNumbered = isNumbered(whole);
  let best: Candidate | undefined;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (const candidate of candidates) {
    const { text, heading } = candidate;
    // The heaviest come first, so that most of the others could not be worth more wherever they stand, or whatever their words are.
    if (text.length > LONGEST || mostWorth(candidate, heading ? 'whole' : 'none') <= bestScore) continue;
    const place = heading && text !== banner ? parts.placeOf(text) : 'none';
    if (mostWorth(candidate, place) <= bestScore) continue;
    if (/^(?:https?:\/\/\S+|undefined|null)$/i.test(text) || names.includes(bare(text))) continue;
    const words = wordsOf(text);
    const agreement = references.reduce((most, other) => Math.max(most, similarity(words, other)), 0);
    // What is left of a heading is a title only where others call the page so.
    if (candidate.cut && place === 'none' && agreement < 1) continue;
    const isSection = place === 'none' && !isWholeNumbered && isNumbered(text);
    const isCalledSo = agreement >= 0.5 && !isSection;
    // Few pages have a heading that must be asked whether it is the only one.
    if (heading && !isCalledSo && only === null) only = onlyHeadline(found, whole);
    // A heading that nobody else calls the title is that of a section or of the site.
    const score =
      candidate.weight +
      (heading ? (isCalledSo ? CALLED_TITLE * agreement : text === only ? 27 : -35) : 0) +
      placeWorth(candidate, place);
    if (score > bestScore) {
      best = candidate;
      bestScore = score;
    }
  }
  if (best !== undefined) {
    const isPart = best.heading && parts.placeOf(best.text) !== 'none';
    return { value: isPart ? parts.formOf(best.text) : withoutSiteName(best.text, names), source: best.source };
  }
  return whole === '' ? undefined : { value: whole, source: 'title' };
}

// Loops, in functions of their own: `filter` behind `map` and `map` behind `filter` meet another kind of array as soon as they are
// compiled into a large function, which is given up then and compiled anew.

function bareNamesOf(siteNames: readonly string[]): readonly string[] {
  const names: string[] = [];
  for (const name of siteNames) {
    const bareName = bareNames().of(name);
    if (bareName !== '') names.push(bareName);
  }
  return names;
}

function wholeHeadings(candidates: readonly Candidate[]): readonly string[] {
  const headings: string[] = [];
  for (const { text, heading, cut } of candidates) if (heading && !cut) headings.push(text);
  return headings;
}

/** The words of what others call the page. */
function referencesOf(
  whole: string,
  candidates: readonly Candidate[],
  names: readonly string[],
): readonly ReadonlySet<string>[] {
  const texts = new Set([whole]);
  for (const { text, heading } of candidates) if (!heading) texts.add(withoutSiteName(text, names));
  const references: ReadonlySet<string>[] = [];
  for (const text of texts)
    references.push(QUALIFIED.test(text) && !FILE.test(text) ? new Set([text.toLowerCase()]) : wordsOf(text));
  return references;
}

function placeWorth({ cut }: Candidate, place: TitlePlace): number {
  return cut ? PLACES[place] / 4 : PLACES[place];
}

/** More than a candidate can be worth by its words, but for what rounding adds. */
function mostWorth(candidate: Candidate, place: TitlePlace): number {
  return candidate.weight + (candidate.heading ? CALLED_TITLE + ROUNDING : 0) + placeWorth(candidate, place);
}

function endsWithName(title: string, name: string): boolean {
  return title !== name && title.endsWith(name);
}

/** Of two headings of the first level that both stand in `<title>` the earlier one: the site's own, above all its pages. */
function bannerAmong(candidates: readonly Candidate[], parts: TitleParts): string | undefined {
  const placed = candidates
    .filter(({ source, cut, text }) => source === 'h1' && !cut && !['none', 'whole'].includes(parts.placeOf(text)))
    .sort((a, b) => a.order - b.order);
  return placed.length > 1 && placed[0].text !== placed[placed.length - 1].text ? placed[0].text : undefined;
}

/**
 * The text of the one `<h1>` of the page, where it is long enough to be a headline whatever others call the page. What the title ends with
 * is the name of the site.
 */
function onlyHeadline(found: readonly Finding[], title: string): string | undefined {
  const [first, second] = found.filter(({ source, weight }) => source === 'h1' && weight > 50);
  if (first === undefined || second !== undefined) return undefined;
  const text = candidatesOf(first)[0].text;
  return wordsOf(text).size >= 4 && !endsWithName(bare(title), bare(text)) ? text : undefined;
}

/** A heading as a whole, and without its first or last part: what stands there may be a kicker or a label. */
function candidatesOf({ value, source, weight, group = 0 }: Finding): Candidate[] {
  const heading = !(source.startsWith('meta') || source.startsWith('json-ld') || source.startsWith('microdata'));
  // Nothing to cut, and white space is collapsed already.
  if (isAscii(value) && /[a-z0-9]/i.test(value))
    return [{ text: value, source, weight, heading, cut: false, order: group }];
  const parts = value.split(PART).filter((part) => part.trim() !== '' && !PERMALINK.test(part));
  const text = parts.join('').replace(/\s+/g, ' ').trim();
  const all: Candidate[] = [{ text, source, weight, heading, cut: false, order: group }];
  if (parts.length < 2 || parts.length > 8) return all;
  for (const some of [parts.slice(1), parts.slice(0, -1)])
    all.push({
      ...{ source, heading, weight: weight - 1.5, cut: true, order: group },
      text: some.join('').replace(/\s+/g, ' ').trim(),
    });
  return all;
}

/** The text without the names of the site at its ends; a text that is nothing else stays. `names` are bare. */
function withoutSiteName(text: string, names: readonly string[]): string {
  const parts = text.trim().split(SEPARATOR);
  let first = 0;
  let last = parts.length;
  for (let at = 2; at < last; at += 2) {
    const tail = bare(parts.slice(at, last).join(''));
    if (
      names.some((name) => tail === name || (name.length > 2 && tail.startsWith(name) && /[|»«·]/.test(parts[at - 1])))
    )
      last = at - 1;
  }
  if (last > 2 && names.includes(bare(parts[0]))) first = 2;
  // A bar stands before a name of some kind: of the site, or of a part of it.
  while (last - first > 2 && /[|»«]/.test(parts[last - 2]) && parts[last - 1].length < 40) {
    const rest = parts.slice(first, last - 2).join('');
    if (rest.length < 12 || parts[last - 1].length > rest.length) break;
    last -= 2;
  }
  return parts.slice(first, last).join('').trim();
}

/** What `<title>` alone tells: a few words after a long text and a separator are the name of a site that is not known. */
function withoutLastName(text: string): string {
  const parts = text.split(SEPARATOR);
  if (parts.length < 3 || !/\s[-–—]\s|\|/.test(parts[parts.length - 2])) return text;
  const rest = parts.slice(0, -2).join('');
  const last = parts[parts.length - 1];
  // "Threads (Index - A)" has no name behind it.
  const inBrackets = last.endsWith(')') && !last.includes('(');
  return !inBrackets && rest.split(' ').length >= 4 && last.split(' ').length <= 3 ? rest.trim() : text;
}

/** How much of the words of a text another one holds, and how much of the other it covers: 0 to 1. */
function similarity(ours: ReadonlySet<string>, theirs: ReadonlySet<string>): number {
  if (ours.size === 0 || theirs.size === 0) return 0;
  let shared = 0;
  for (const word of ours) if (theirs.has(word)) shared++;
  const harmonic = (2 * shared) / (ours.size + theirs.size);
  return shared === ours.size && ours.size > 2 ? Math.max(harmonic, 0.8) : harmonic;
}

function wordsOf(text: string): ReadonlySet<string> {
  const words = wordsIn(text.slice(0, LONGEST).toLowerCase());
  // Scripts without blanks are compared by character.
  if (!/[\u3040-\u9fff\uac00-\ud7af\u0e00-\u0e7f]/.test(text)) return new Set(words);
  return new Set(
    words.flatMap((word) => (/[\u3040-\u9fff\uac00-\ud7af\u0e00-\u0e7f]/.test(word) ? [...word] : [word])),
  );
}

/** The pages of a site have the same names. */
const bareNames = madeOnce(() => new Remembered(bare, MOST_NAMES));

function bare(text: string): string {
  return bareWords(text.toLowerCase().replace(DOMAIN_END, ''));
}
