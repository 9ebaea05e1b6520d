import { OrbweaverError } from '../../base/errors.ts';
import type { ArchivedDocument } from '../../contracts/archive.ts';
import type { ContentSketch, SketchMethod } from '../../contracts/content/content-sketch.ts';
import type { DuplicateListing } from '../../contracts/state/duplicate-listing.ts';
import { ComparedText, type TextEvidence } from '../../dedupe/near/compared-text.ts';
import { hammingDistance } from '../../dedupe/near/hamming.ts';
import { estimateAlike } from '../../dedupe/near/sketch.ts';
import { areComparable, DEFAULT_METHOD, methodOf } from '../../dedupe/near/sketch-method.ts';
import { Sketcher } from '../../dedupe/near/sketcher.ts';
import { documentText } from '../content/document-text.ts';

/** What is asked about: the text of a page, or one from elsewhere. */
export interface AskedText {
  readonly text: string;
  /** The page that it is the text of. */
  readonly url?: string;
}

export interface NearSearchOptions {
  /** Least Jaccard coefficient, estimated from sketches. */
  readonly threshold: number;
  /** Pages told; the likest. */
  readonly limit: number;
}

/** A page like the one asked about. */
export interface NearPage {
  readonly url: string;
  /** 'exact': the same bytes as `of`. */
  readonly kind: 'exact' | 'near';
  readonly of?: string;
  /** By sketches; of an exact copy that of `of`. */
  readonly sketchJaccard?: number;
  /** Bits of 64 in which the simhashes differ. */
  readonly simhashDistance?: number;
  /** From the texts themselves; absent where the archive does not hold the text any more. */
  readonly evidence?: TextEvidence;
}

export interface NearSearch {
  readonly words: number;
  readonly shingles: number;
  /** How the sketches of the crawl are made. */
  readonly method: SketchMethod;
  /** Pages that were compared, and whether by their texts because the crawl keeps no sketches. */
  readonly compared: number;
  readonly byTexts: boolean;
  /** Pages alike, without exact copies, also beyond the limit. */
  readonly total: number;
  /** Exact copies of the page asked about and of `pages`, also beyond the limit, which holds for each of them. */
  readonly copies: number;
  readonly pages: readonly NearPage[];
}

/** What is read of a crawl. */
export interface NearSource {
  readonly duplicateListing: DuplicateListing;
  get(url: string): Promise<ArchivedDocument>;
  textOf(document: ArchivedDocument): Promise<string | undefined>;
  texts(): AsyncIterable<{ readonly id: string; readonly text: string }>;
}

interface Candidate {
  readonly url: string;
  readonly jaccard: number;
  readonly distance: number;
}

/** The main text of a page of the crawl. Fails with URL_NOT_FOUND where it holds no copy. */
export async function textOfPage(source: NearSource, url: string): Promise<AskedText> {
  const document = await source.get(url);
  return { url: document.url, text: await mainTextOf(source, document) };
}

/**
 * Pages like a text. Every sketch of the crawl is compared, one after the other, so that nothing above the threshold is missed but by the error
 * of the sketches; the likest are then compared by their texts.
 */
export async function searchNear(
  source: NearSource,
  asked: AskedText,
  { threshold, limit }: NearSearchOptions,
): Promise<NearSearch> {
  const method = methodOfCrawl(source);
  const sketch = sketchOf(asked, method);
  const own = new ComparedText(asked.text, method.shingle);
  const found: Candidate[] = [];
  let compared = 0;
  let last = sketch;
  // Nodes may have written by two methods, where one was started with other settings.
  const likeOf = ({ sketch: made }: ContentSketch): ContentSketch => {
    if (!areComparable(last.sketch, made)) last = sketchOf(asked, methodOf(made));
    return last;
  };
  const compare = (url: string, other: ContentSketch): void => {
    if (url === asked.url) return;
    compared++;
    const jaccard = estimateAlike(likeOf(other), other, threshold);
    if (jaccard === undefined) return;
    found.push({ url, jaccard, distance: hammingDistance(sketch.simhash, other.simhash) });
  };
  let byTexts = true;
  for (const [url, other] of source.duplicateListing.sketches()) {
    byTexts = false;
    compare(url, other);
  }
  if (byTexts) for await (const [url, other] of sketchesOfTexts(source)) compare(url, other);
  found.sort((a, b) => b.jaccard - a.jaccard || a.distance - b.distance || (a.url < b.url ? -1 : 1));
  const shown = found.slice(0, limit);
  const near: NearPage[] = [];
  for (const { url, jaccard, distance } of shown) {
    const evidence = await evidenceOf(source, own, url, method);
    near.push({ url, kind: 'near', sketchJaccard: jaccard, simhashDistance: distance, ...evidence });
  }
  near.sort((a, b) => likenessOf(b) - likenessOf(a));
  return {
    ...{ words: own.words, shingles: own.shingles, method, compared, byTexts, total: found.length },
    ...withCopies(source, asked.url, near, limit),
  };
}

/** That of its first sketch: those of a folder are made by one method. */
export function methodOfCrawl({ duplicateListing }: Pick<NearSource, 'duplicateListing'>): SketchMethod {
  for (const [, { sketch }] of duplicateListing.sketches()) return methodOf(sketch);
  return DEFAULT_METHOD;
}

function sketchOf({ text, url }: AskedText, method: SketchMethod): ContentSketch {
  const sketch = new Sketcher({ method }).of(text);
  if (sketch !== undefined) return sketch;
  throw new OrbweaverError('INPUT_INVALID', `${url ?? 'The text'} has too little text to be compared.`, {
    remedy: 'Ask about a text of at least 20 words.',
  });
}

/** How alike a page is, by the best that is known. */
export function likenessOf({ kind, evidence, sketchJaccard }: NearPage): number {
  return kind === 'exact' ? 1 : (evidence?.jaccard ?? sketchJaccard ?? 0);
}

/** Exact copies have no sketch of their own: each follows the page that it is a copy of, those of the page asked about come first. */
function withCopies(
  source: NearSource,
  asked: string | undefined,
  near: readonly NearPage[],
  limit: number,
): Pick<NearSearch, 'copies' | 'pages'> {
  const copies = new Map<string, NearPage[]>();
  const told = new Set([asked, ...near.map(({ url }) => url)]);
  const ofAsked: NearPage[] = [];
  let count = 0;
  const add = (list: NearPage[], copy: NearPage): void => {
    count++;
    if (list.length < limit) list.push(copy);
  };
  for (const { url, of, jaccard } of source.duplicateListing.edges()) {
    if (jaccard !== undefined) continue;
    if (url === asked && !told.has(of)) add(ofAsked, { url: of, kind: 'exact', of: url });
    if (told.has(url) || !told.has(of)) continue;
    if (of === asked) add(ofAsked, { url, kind: 'exact', of });
    else {
      const known = copies.get(of) ?? [];
      add(known, { url, kind: 'exact', of });
      copies.set(of, known);
    }
  }
  const pages = [...ofAsked, ...near.flatMap((page) => [page, ...(copies.get(page.url) ?? [])])];
  return { copies: count, pages };
}

async function evidenceOf(
  source: NearSource,
  own: ComparedText,
  url: string,
  { shingle }: SketchMethod,
): Promise<Pick<NearPage, 'evidence'>> {
  try {
    const text = await mainTextOf(source, await source.get(url));
    return text === '' ? {} : { evidence: own.compare(new ComparedText(text, shingle)) };
  } catch (error) {
    // Gone from the archive since: what its sketch says is left.
    if (error instanceof OrbweaverError && error.code === 'URL_NOT_FOUND') return {};
    throw error;
  }
}

async function mainTextOf(source: NearSource, document: ArchivedDocument): Promise<string> {
  const stored = await source.textOf(document);
  return stored ?? (await documentText(document.body, document.url, contentTypeOf(document), 'text'));
}

function contentTypeOf({ rawHeaders }: ArchivedDocument): string | undefined {
  const at = rawHeaders.findIndex((name, i) => i % 2 === 0 && name.toLowerCase() === 'content-type');
  return at < 0 ? undefined : rawHeaders[at + 1];
}

/** Of a crawl without sketches (`near-duplicates: false`): the last text of every page. */
async function* sketchesOfTexts(source: NearSource): AsyncGenerator<readonly [url: string, sketch: ContentSketch]> {
  const sketcher = new Sketcher();
  const last = new Map<string, ContentSketch>();
  for await (const { id, text } of source.texts()) {
    const sketch = sketcher.of(text);
    if (sketch === undefined) last.delete(id);
    else last.set(id, sketch);
  }
  yield* last;
}
