import { chooseOriginal } from './choose-original.ts';
import { HolderTable } from './holder-table.ts';
import type { MirrorFound, MirrorOptions, MirrorPair, MirrorVisit } from './mirror-types.ts';
import { agreement, type Demand, demandOf, meetsDemand, type PairFacts } from './mirror-verdict.ts';
import { formatKinship } from './name-kinship.ts';
import { OriginBook, type OriginRecord, type PairRecord } from './origin-book.ts';
import { type Content, compare, contentOf, hasDigest, hasSimhash, isTelling } from './page-content.ts';
import { StandIns } from './stand-ins.ts';
import { joinHashes, textHash } from './text-hash.ts';

export type { MirrorFound, MirrorOptions, MirrorPair, MirrorVisit } from './mirror-types.ts';

const DEFAULTS = {
  maxOrigins: 50_000,
  maxPairs: 1024,
  snapshotOrigins: 1000,
  checkEvery: 50,
  fewWords: 20,
  comparableMs: 86_400_000,
} as const;
const HOLDERS = 1 << 16;
const FRONT = textHash('/');
/** Of the latest comparisons since the verdict: so many, and so many that differ, take it back. */
const TAKE_BACK = [
  { of: 4, mismatches: 3 },
  { of: 8, mismatches: 4 },
  { of: 32, mismatches: 10 },
] as const;

/** Finds origins with the same contents at the same paths, with few fetches, and notices when they part. Pure. */
export class MirrorFinder {
  /** What is asked for on originals in place of their mirrors. */
  readonly standIns = new StandIns();
  readonly #options: Required<Omit<MirrorOptions, 'inlinks'>>;
  readonly #inlinks: (origin: string) => number;
  readonly #comparableSeconds: number;
  #book: OriginBook;
  #holders = new HolderTable<OriginRecord>(HOLDERS);

  constructor(options: MirrorOptions = {}) {
    this.#options = { ...DEFAULTS, ...options };
    this.#inlinks = options.inlinks ?? (() => 0);
    this.#comparableSeconds = this.#options.comparableMs / 1000;
    this.#book = new OriginBook(this.#options);
  }

  /** To be told of every answer, once, those of checks included. Answers with a verdict that this visit brought about. */
  observe(visit: MirrorVisit): MirrorFound | undefined {
    const content = contentOf(visit, this.#options.fewWords);
    if (content === undefined) return undefined;
    const own = this.#book.touch(visit.origin, visit.at);
    const path = textHash(visit.target);
    const inSample = own.sample.put(path, content);
    if (visit.canonical !== undefined) this.#vote(own, visit.canonical, visit.target);
    const named = this.#namedIn(visit, own);
    if (named !== undefined && isTelling(content) && isTelling(named.sample.at(path) ?? content))
      this.#suspect(own, named, path, content);
    if (inSample && isTelling(content)) this.#lookForHolders(own, path, content);
    let found: MirrorFound | undefined;
    for (const pair of own.pairs) {
      const other = pair.a === own ? pair.b : pair.a;
      if (this.#compare(pair, other, path, content, other === named ? visit : undefined)) {
        found = this.#judge(pair, visit.at) ?? found;
      }
    }
    return visit.lacked === true ? (this.#lacked(own, path, content, visit.at) ?? found) : found;
  }

  /** The origin that stands for this one, and on what evidence. */
  mirrorOf(origin: string): (Omit<MirrorPair, 'original' | 'since'> & { readonly origin: string }) | undefined {
    const own = this.#book.get(origin);
    if (own?.link === undefined) return undefined;
    const { matches, mismatches } = own.link.pair.evidence.tally();
    return { mirror: own.origin, origin: rootOf(own).origin, matches, mismatches, why: own.link.why };
  }

  /** Whether to fetch a page of a mirror all the same, to notice that the two have parted: always the sampled pages. */
  isCheck(target: string): boolean {
    return target === '/' || textHash(target) < 0x1_0000_0000 / this.#options.checkEvery;
  }

  report(): readonly MirrorPair[] {
    return [...this.#book.origins()].flatMap((own) => {
      if (own.link === undefined) return [];
      const { matches, mismatches } = own.link.pair.evidence.tally();
      const { why, since } = own.link;
      return [{ mirror: own.origin, original: rootOf(own).origin, matches, mismatches, why, since }];
    });
  }

  /** 'separate': nobody's mirror and nobody's original, whatever it shows; 'learn' gives the decision back. */
  set(origin: string, state: 'separate' | 'learn'): void {
    this.#book.set(origin, state === 'separate');
  }

  /** Plain JSON, bounded; what `restore` takes. */
  snapshot(): unknown {
    return { ...this.#book.snapshot(), standIns: this.standIns.snapshot() };
  }

  /** In place of all that was learnt. What is no snapshot leaves nothing learnt. */
  restore(snapshot: unknown): void {
    this.#book = new OriginBook(this.#options);
    this.#holders = new HolderTable<OriginRecord>(HOLDERS);
    this.#book.restore(snapshot);
    this.standIns.restore((snapshot as { standIns?: unknown } | null | undefined)?.standIns);
    for (const own of this.#book.origins()) {
      for (let at = 0; at < own.sample.size; at++) this.#hold(own, own.sample.path(at), own.sample.content(at));
    }
  }

  /** The origin that holds the same page at the same path, as the caller found. */
  #namedIn({ sameAs, target }: MirrorVisit, own: OriginRecord): OriginRecord | undefined {
    if (sameAs === undefined || !sameAs.endsWith(target)) return undefined;
    const other = this.#book.get(sameAs.slice(0, sameAs.length - target.length));
    return other === own ? undefined : other;
  }

  #vote(own: OriginRecord, canonical: string, target: string): void {
    const other = this.#namedIn({ sameAs: canonical, target } as MirrorVisit, own);
    if (other !== undefined) other.canonicalVotes++;
    else if (canonical === own.origin + target) own.canonicalVotes++;
  }

  #lookForHolders(own: OriginRecord, path: number, content: Content): void {
    for (const holder of this.#hold(own, path, content)) if (holder !== own) this.#suspect(own, holder, path, content);
  }

  #hold(own: OriginRecord, path: number, content: Content): OriginRecord[] {
    const holders: OriginRecord[] = [];
    if (!isTelling(content)) return holders;
    if (hasDigest(content)) holders.push(this.#holders.holderOf(joinHashes(path, content.digest), own, isGone));
    if (hasSimhash(content)) {
      const key = joinHashes(joinHashes(path, content.low), content.high);
      holders.push(this.#holders.holderOf(key, own, isGone));
    }
    return holders;
  }

  /** Two origins are compared once they share two pages; one alone is too common to spend memory on. */
  #suspect(own: OriginRecord, other: OriginRecord, path: number, content: Content): void {
    const pair = this.#book.suspect(own, other, path, content);
    if (pair === undefined) return;
    const [fewer, more] = own.sample.size <= other.sample.size ? [own, other] : [other, own];
    for (let at = 0; at < fewer.sample.size; at++) {
      this.#compare(pair, more, fewer.sample.path(at), fewer.sample.content(at), undefined);
    }
  }

  /** Holds a page against the sample of the other side. Whether there was anything to compare. */
  #compare(
    pair: PairRecord,
    other: OriginRecord,
    path: number,
    content: Content,
    named: MirrorVisit | undefined,
  ): boolean {
    const theirs = other.sample.at(path);
    let comparison = theirs === undefined ? 'none' : compare(content, theirs, this.#comparableSeconds);
    // The text of a copy is not read, so that only the other side can tell whether it is worth anything.
    if (named !== undefined && comparison !== 'same' && isTelling(content) && isTelling(theirs ?? content)) {
      comparison = named.exactly === false ? 'near' : 'same';
      pair.named = true;
    }
    if (comparison === 'none') return false;
    const read = comparison === 'same' && theirs !== undefined && !hasSimhash(content) ? theirs : content;
    pair.evidence.add(path, read, comparison, theirs !== undefined);
    return true;
  }

  /** A mirror that gives what its original does not is none. */
  #lacked(own: OriginRecord, path: number, content: Content, now: number): MirrorFound | undefined {
    if (own.link === undefined) return undefined;
    const { pair } = own.link;
    pair.evidence.add(path, content, 'different', false);
    return this.#judge(pair, now);
  }

  #judge(pair: PairRecord, now: number): MirrorFound | undefined {
    const { a, b, evidence } = pair;
    if (pair.links > 0) return this.#reconsider(pair);
    if (a.separate || b.separate || evidence.size < 3 || rootOf(a) === rootOf(b)) return undefined;
    const facts = this.#factsOf(pair);
    const demand = demandOf(facts);
    if (!meetsDemand(facts, demand) || !this.#covers(pair, demand)) return undefined;
    const [rootA, rootB] = [rootOf(a), rootOf(b)];
    const original =
      chooseOriginal(this.#standing(rootA), this.#standing(rootB)).origin === rootA.origin ? rootA : rootB;
    const mirror = original === rootA ? rootB : rootA;
    const why = reasonFor(facts);
    this.#book.link(mirror, original, pair, why, now);
    return { kind: 'found', mirror: mirror.origin, original: original.origin, ...countsOf(facts), why };
  }

  /** A verdict stands until the latest comparisons speak against it. */
  #reconsider(pair: PairRecord): MirrorFound | undefined {
    const { evidence } = pair;
    const against = TAKE_BACK.find(({ of, mismatches }) => evidence.recentMismatches(of) >= mismatches);
    if (against === undefined) return undefined;
    const facts = this.#factsOf(pair);
    const [{ mirror, original }] = this.#book.unlink(pair);
    const why = `${evidence.recentMismatches(against.of)} of the latest ${against.of} pages compared differ`;
    pair.lost++;
    evidence.clear();
    return { kind: 'lost', mirror: mirror.origin, original: original.origin, ...countsOf(facts), why };
  }

  #factsOf({ a, b, kinship, evidence, lost }: PairRecord): PairFacts {
    const front = evidence.outcome(FRONT);
    return { kinship, tally: evidence.tally(), front, rate: Math.min(a.sample.rate, b.sample.rate), lost };
  }

  /**
   * Whether enough of the smaller origin was found on the other. Two sites that share the manual of some software agree
   * on every path that both have; only that most paths are not shared tells them from mirrors.
   */
  #covers({ a, b, evidence, named }: PairRecord, { coverage }: Demand): boolean {
    const [fewer, more] = a.sample.rate * b.sample.size >= b.sample.rate * a.sample.size ? [a, b] : [b, a];
    let comparable = 0;
    let shared = 0;
    for (let at = 0; at < fewer.sample.size; at++) {
      if (!isTelling(fewer.sample.content(at))) continue;
      const path = fewer.sample.path(at);
      // Paths that the other's sample cannot hold are known only if duplicates are told of.
      if (!named && path / 0x1_0000_0000 > more.sample.rate) continue;
      comparable++;
      if (evidence.outcome(path) === 'agrees') shared++;
      else if (this.#holdsToo(fewer.sample.content(at), more, path)) shared++;
    }
    return comparable > 0 && shared >= coverage * comparable;
  }

  /** Evidence is bounded; what it has forgotten is still in the samples. */
  #holdsToo(content: Content, other: OriginRecord, path: number): boolean {
    const theirs = other.sample.at(path);
    const comparison = theirs === undefined ? 'none' : compare(content, theirs, this.#comparableSeconds);
    return comparison === 'same' || comparison === 'near';
  }

  #standing({ origin, canonicalVotes, firstSeen }: OriginRecord) {
    return { origin, canonicalVotes, firstSeen, inlinks: this.#inlinks(origin) };
  }
}

function isGone(own: OriginRecord): boolean {
  return own.gone;
}

/** The original of an original is the original; the book keeps rings out. */
function rootOf(own: OriginRecord): OriginRecord {
  let root = own;
  while (root.link !== undefined) root = root.link.to;
  return root;
}

function countsOf({ tally }: PairFacts): { readonly matches: number; readonly mismatches: number } {
  return { matches: tally.matches, mismatches: tally.mismatches };
}

function reasonFor(facts: PairFacts): string {
  const { tally, front, kinship } = facts;
  const compared = tally.matches + tally.mismatches;
  const among = front === 'agrees' ? ', the front page among them' : '';
  const share = Math.round(100 * agreement(facts));
  const estimate = share === 100 || facts.rate === 1 ? '' : ` (about ${share} % of all)`;
  return `${tally.matches} of ${compared} pages compared are the same${estimate}${among}; ${formatKinship(kinship)}`;
}
