import { fingerprint } from '../../base/fingerprint.ts';
import type { ChangeFrequency, Link, LinkKind, ListEntry } from '../../contracts/content/page.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';

const KINDS: readonly LinkKind[] = [
  ...([
    'a',
    'area',
    'frame',
    'iframe',
    'link',
    'refresh',
    'form',
    'img',
    'script',
    'style',
    'media',
    'object',
    'sitemap',
    'feed',
  ] as const),
];
const KIND_CODES = new Map(KINDS.map((kind, code) => [kind, code]));
const NOFOLLOW = 1;
const UGC = 2;
const SPONSORED = 4;
const FREQUENCIES: readonly ChangeFrequency[] = ['always', 'hourly', 'daily', 'weekly', 'monthly', 'yearly', 'never'];
/** Numbers of one entry: modified, change frequency, priority, mark; NaN where nothing is said. */
export const ENTRY_SIZE = 4;
/** Where the priority is among them. */
export const PRIORITY = 2;

/** The links of a page in few large pieces: cheap to pass between threads; a known link costs a look at its fingerprint. */
export interface PackedLinks {
  readonly fingerprints: BigUint64Array;
  /** Canonical URLs, a line each. */
  readonly urls: string;
  /** Anchor texts, shortened, a line each. */
  readonly texts: string;
  readonly rels: string;
  readonly kinds: Uint8Array;
  readonly flags: Uint8Array;
  /** What a sitemap or feed says of each, `ENTRY_SIZE` numbers; absent where no link is listed with more than its URL. */
  readonly entries?: Float64Array;
}

/** The links of a document that are followed. */
export interface DocumentLinks {
  readonly links: PackedLinks;
  /** Links beyond the limit. */
  readonly omitted: number;
  /** Those of Link fields, which are among `links`. */
  readonly ofHeader?: readonly Link[];
}

export const NO_LINKS: PackedLinks = packLinks([], 0);

/** Each URL once, with the text of its first link. */
export function packLinks(links: readonly Link[], maxText: number): PackedLinks {
  const first = firstOfEachUrl(links);
  const fingerprints = new BigUint64Array(first.length);
  const kinds = new Uint8Array(first.length);
  const flags = new Uint8Array(first.length);
  const urls: string[] = [];
  const texts: string[] = [];
  const rels: string[] = [];
  let hasEntries = false;
  for (let place = 0; place < first.length; place++) {
    const { url, kind, text, rel, nofollow, ugc, sponsored, entry } = first[place];
    fingerprints[place] = fingerprint(url);
    kinds[place] = KIND_CODES.get(kind) as number;
    flags[place] = (nofollow ? NOFOLLOW : 0) | (ugc ? UGC : 0) | (sponsored ? SPONSORED : 0);
    urls.push(url);
    texts.push(text.length > maxText ? text.slice(0, maxText) : text);
    rels.push(rel);
    if (entry !== undefined) hasEntries = true;
  }
  const packed = { fingerprints, urls: urls.join('\n'), texts: texts.join('\n'), rels: rels.join('\n'), kinds, flags };
  return hasEntries ? { ...packed, entries: packEntries(first) } : packed;
}

function firstOfEachUrl(links: readonly Link[]): readonly Link[] {
  const seen = new Set<string>();
  const first: Link[] = [];
  for (const link of links) {
    if (seen.has(link.url)) continue;
    seen.add(link.url);
    first.push(link);
  }
  return first;
}

function packEntries(links: readonly Link[]): Float64Array {
  const entries = new Float64Array(links.length * ENTRY_SIZE);
  for (const [place, { entry }] of links.entries()) entries.set(packEntry(entry), place * ENTRY_SIZE);
  return entries;
}

function packEntry({ modified, changeFrequency, priority, mark }: ListEntry = {}): number[] {
  const frequency = changeFrequency === undefined ? undefined : FREQUENCIES.indexOf(changeFrequency);
  return [modified, frequency, priority, mark].map((value) => value ?? Number.NaN);
}

/** What a sitemap or feed says of the link at a place. */
export function entryAt({ entries }: PackedLinks, place: number): ListEntry | undefined {
  if (entries === undefined) return undefined;
  const [modified, frequency, priority, mark] = entries.subarray(place * ENTRY_SIZE, (place + 1) * ENTRY_SIZE);
  const entry = {
    ...(Number.isNaN(modified) ? {} : { modified }),
    ...(Number.isNaN(frequency) ? {} : { changeFrequency: FREQUENCIES[frequency] }),
    ...(Number.isNaN(priority) ? {} : { priority }),
    ...(Number.isNaN(mark) ? {} : { mark }),
  };
  return Object.keys(entry).length === 0 ? undefined : entry;
}

/** Places of the links that are of one of these kinds. */
export function placesOfKinds({ kinds }: PackedLinks, wanted: readonly LinkKind[]): readonly number[] | 'all' {
  const codes = new Set(wanted.map((kind) => KIND_CODES.get(kind)));
  const places: number[] = [];
  for (let place = 0; place < kinds.length; place++) if (codes.has(kinds[place])) places.push(place);
  return places.length === kinds.length ? 'all' : places;
}

/** How many links are of a kind: of all, or of those at the given places. */
export function countOfKind({ kinds }: PackedLinks, kind: LinkKind, places: Iterable<number> = kinds.keys()): number {
  const code = KIND_CODES.get(kind);
  let count = 0;
  for (const place of places) if (kinds[place] === code) count++;
  return count;
}

/** Picks links by their places, still packed. */
export function pickLinks(packed: PackedLinks): (places: readonly number[]) => PackedLinks {
  const urls = packed.urls.split('\n');
  const texts = packed.texts.split('\n');
  const rels = packed.rels.split('\n');
  const lines = (from: readonly string[], places: readonly number[]): string =>
    places.map((place) => from[place]).join('\n');
  return (places) => ({
    fingerprints: BigUint64Array.from(places, (place) => packed.fingerprints[place]),
    urls: lines(urls, places),
    texts: lines(texts, places),
    rels: lines(rels, places),
    kinds: Uint8Array.from(places, (place) => packed.kinds[place]),
    flags: Uint8Array.from(places, (place) => packed.flags[place]),
    ...(packed.entries === undefined ? {} : { entries: pickEntries(packed.entries, places) }),
  });
}

function pickEntries(entries: Float64Array, places: readonly number[]): Float64Array {
  const picked = new Float64Array(places.length * ENTRY_SIZE);
  for (const [at, place] of places.entries())
    picked.set(entries.subarray(place * ENTRY_SIZE, (place + 1) * ENTRY_SIZE), at * ENTRY_SIZE);
  return picked;
}

/** The links at the given places. */
export function unpackLinks(packed: PackedLinks, places: readonly number[]): (Link & { readonly url: CanonicalUrl })[] {
  if (places.length === 0) return [];
  const urls = packed.urls.split('\n');
  const texts = packed.texts.split('\n');
  const rels = packed.rels.split('\n');
  return places.map((place) => {
    const link = {
      url: urls[place] as CanonicalUrl,
      kind: KINDS[packed.kinds[place]],
      text: texts[place],
      rel: rels[place],
      nofollow: (packed.flags[place] & NOFOLLOW) !== 0,
      ugc: (packed.flags[place] & UGC) !== 0,
      sponsored: (packed.flags[place] & SPONSORED) !== 0,
    };
    const entry = entryAt(packed, place);
    return entry === undefined ? link : { ...link, entry };
  });
}

/** URLs and texts alone. */
export function writtenLinks({
  fingerprints,
  urls,
  texts,
}: PackedLinks): { readonly url: string; readonly text: string }[] {
  if (fingerprints.length === 0) return [];
  const lines = texts.split('\n');
  return urls.split('\n').map((url, place) => ({ url, text: lines[place] }));
}
