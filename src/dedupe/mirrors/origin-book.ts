import { type Kinship, kinshipOf } from './name-kinship.ts';
import { type Content, isSameToTheEye } from './page-content.ts';
import { PairEvidence } from './pair-evidence.ts';
import { PathSample } from './path-sample.ts';

export interface OriginRecord {
  readonly origin: string;
  firstSeen: number;
  sample: PathSample;
  canonicalVotes: number;
  /** By hand: to be left alone. */
  separate: boolean;
  /** Forgotten for want of room. */
  gone: boolean;
  readonly pairs: Set<PairRecord>;
  /** Others with which it shares one page so far, the oldest first. */
  readonly hints: { readonly other: OriginRecord; readonly path: number; readonly content: Content }[];
  /** Present where this origin is a mirror. */
  link?: MirrorLink;
}

export interface MirrorLink {
  readonly to: OriginRecord;
  /** The pair it rests on; through other mirrors it may be a pair of two others. */
  readonly pair: PairRecord;
  readonly why: string;
  readonly since: number;
}

export interface PairRecord {
  readonly a: OriginRecord;
  readonly b: OriginRecord;
  readonly kinship: Kinship;
  readonly evidence: PairEvidence;
  /** Verdicts taken back. */
  lost: number;
  /** Links that rest on it: 0 or 1. */
  links: number;
  /** The caller tells of duplicates, so that no match is missed. */
  named: boolean;
}

export interface BookLimits {
  readonly maxOrigins: number;
  readonly maxPairs: number;
  readonly snapshotOrigins: number;
}

interface BookSnapshot {
  readonly version: 1;
  readonly origins: readonly (readonly [origin: string, firstSeen: number, votes: number, sample: string])[];
  /** a, b, verdicts lost, whether duplicates are told of, evidence. */
  readonly pairs: readonly (readonly [number, number, number, boolean, string])[];
  /** mirror, original, pair, why, since. */
  readonly links: readonly (readonly [number, number, number, string, number])[];
  readonly separate: readonly string[];
}

const PAIRS_PER_ORIGIN = 8;
const HINTS_PER_ORIGIN = 4;
/** Origins with a verdict are passed over so often when room is made. */
const SPARED = 16;

/** Known origins and which are compared. Bounded, least recently seen out. No rings; pairs are in both sets or none. */
export class OriginBook {
  readonly #limits: BookLimits;
  /** The order is that of use, the latest last. */
  readonly #origins = new Map<string, OriginRecord>();
  readonly #pairs = new Set<PairRecord>();
  /** By hand, whether or not the origin is known yet. */
  readonly #separate = new Set<string>();

  constructor(limits: BookLimits) {
    this.#limits = limits;
  }

  origins(): Iterable<OriginRecord> {
    return this.#origins.values();
  }

  get(origin: string): OriginRecord | undefined {
    return this.#origins.get(origin);
  }

  touch(origin: string, at: number): OriginRecord {
    const known = this.#origins.get(origin);
    if (known !== undefined) {
      this.#origins.delete(origin);
      this.#origins.set(origin, known);
      return known;
    }
    const made: OriginRecord = {
      origin,
      firstSeen: at,
      sample: new PathSample(),
      canonicalVotes: 0,
      separate: this.#separate.has(origin),
      gone: false,
      pairs: new Set(),
      hints: [],
    };
    this.#origins.set(origin, made);
    if (this.#origins.size > this.#limits.maxOrigins) this.#makeRoom();
    return made;
  }

  set(origin: string, separate: boolean): void {
    if (separate) this.#separate.add(origin);
    else this.#separate.delete(origin);
    const own = this.#origins.get(origin);
    if (own === undefined) return;
    own.separate = separate;
    if (!separate) return;
    for (const mirror of this.#origins.values()) {
      const { link } = mirror;
      const concerned = mirror === own || link?.to === own || link?.pair.a === own || link?.pair.b === own;
      if (link !== undefined && concerned) this.#cut(mirror);
    }
  }

  /** The pair of the two, if this page made it one: not if they are a pair already, or if it is the first they share. */
  suspect(own: OriginRecord, other: OriginRecord, path: number, content: Content): PairRecord | undefined {
    for (const pair of own.pairs) if (pair.a === other || pair.b === other) return undefined;
    const at = own.hints.findIndex((hint) => hint.other === other);
    const hint = own.hints[at];
    if (hint === undefined) {
      if (own.hints.length >= HINTS_PER_ORIGIN) own.hints.shift();
      own.hints.push({ other, path, content });
      return undefined;
    }
    if (hint.path === path || isSameToTheEye(hint.content, content)) return undefined;
    own.hints.splice(at, 1);
    const pair = this.#pair(own, other, new PairEvidence());
    pair.evidence.add(hint.path, hint.content, 'same', false);
    pair.evidence.add(path, content, 'same', false);
    return pair;
  }

  /** `mirror` and `original` are roots, and not the same one. */
  link(mirror: OriginRecord, original: OriginRecord, pair: PairRecord, why: string, since: number): void {
    mirror.link = { to: original, pair, why, since };
    pair.links++;
  }

  /** Takes back what rests on a pair: at least one link, if it is called for a pair with links. */
  unlink(pair: PairRecord): { readonly mirror: OriginRecord; readonly original: OriginRecord }[] {
    const resting: { mirror: OriginRecord; original: OriginRecord }[] = [];
    for (const mirror of this.#origins.values()) {
      if (mirror.link?.pair !== pair) continue;
      resting.push({ mirror, original: mirror.link.to });
      this.#cut(mirror);
    }
    return resting;
  }

  snapshot(): BookSnapshot {
    const numbers = new Map<OriginRecord, number>();
    const keep = (own: OriginRecord): number => {
      if (!numbers.has(own) && numbers.size < this.#limits.snapshotOrigins) numbers.set(own, numbers.size);
      return numbers.get(own) ?? -1;
    };
    const mirrors = [...this.#origins.values()].filter(({ link }) => link !== undefined);
    const telling = [...this.#pairs].sort((x, y) => y.links - x.links || y.evidence.size - x.evidence.size);
    const pairs = telling.filter((pair) => keep(pair.a) >= 0 && keep(pair.b) >= 0);
    const places = new Map(pairs.map((pair, at) => [pair, at]));
    const links = mirrors.flatMap((mirror) => {
      const { link } = mirror;
      const place = link === undefined ? undefined : places.get(link.pair);
      if (link === undefined || place === undefined || keep(mirror) < 0 || keep(link.to) < 0) return [];
      return [[keep(mirror), keep(link.to), place, link.why, link.since] as const];
    });
    for (const own of [...this.#origins.values()].reverse()) keep(own);
    return {
      version: 1,
      origins: [...numbers.keys()].map((own) => [own.origin, own.firstSeen, own.canonicalVotes, own.sample.toJson()]),
      pairs: pairs.map((pair) => [keep(pair.a), keep(pair.b), pair.lost, pair.named, pair.evidence.toJson()]),
      links,
      separate: [...this.#separate],
    };
  }

  restore(snapshot: unknown): void {
    const taken = snapshot as Partial<BookSnapshot> | null | undefined;
    if (taken?.version !== 1) return;
    for (const origin of taken.separate ?? []) this.#separate.add(origin);
    // The latest come first in a snapshot and last in the book.
    const origins = (taken.origins ?? []).map(([origin, firstSeen, votes, sample]) => {
      const own = this.touch(origin, firstSeen);
      own.canonicalVotes = votes;
      own.sample = PathSample.fromJson(sample);
      return own;
    });
    for (const own of origins.toReversed()) this.touch(own.origin, own.firstSeen);
    const pairs = (taken.pairs ?? []).map(([a, b, lost, named, evidence]) => {
      if (origins[a] === undefined || origins[b] === undefined) return undefined;
      const pair = this.#pair(origins[a], origins[b], PairEvidence.fromJson(evidence));
      pair.lost = lost;
      pair.named = named;
      return pair;
    });
    for (const [from, to, at, why, since] of taken.links ?? []) {
      const [mirror, original, pair] = [origins[from], origins[to], pairs[at]];
      if (mirror !== undefined && original !== undefined && pair !== undefined) {
        this.link(mirror, original, pair, why, since);
      }
    }
  }

  #pair(a: OriginRecord, b: OriginRecord, evidence: PairEvidence): PairRecord {
    for (const own of [a, b]) if (own.pairs.size >= PAIRS_PER_ORIGIN) this.#dropOne(own.pairs);
    if (this.#pairs.size >= this.#limits.maxPairs) this.#dropOne(this.#pairs);
    const pair = { a, b, kinship: kinshipOf(a.origin, b.origin), evidence, lost: 0, links: 0, named: false };
    a.pairs.add(pair);
    b.pairs.add(pair);
    this.#pairs.add(pair);
    return pair;
  }

  /** The oldest without a verdict; if all have one, the oldest. */
  #dropOne(pairs: Iterable<PairRecord>): void {
    let oldest: PairRecord | undefined;
    for (const pair of pairs) {
      oldest ??= pair;
      if (pair.links > 0) continue;
      oldest = pair;
      break;
    }
    if (oldest !== undefined) this.#drop(oldest);
  }

  #drop(pair: PairRecord): void {
    if (pair.links > 0) this.unlink(pair);
    pair.a.pairs.delete(pair);
    pair.b.pairs.delete(pair);
    this.#pairs.delete(pair);
  }

  #cut(mirror: OriginRecord): void {
    if (mirror.link === undefined) return;
    mirror.link.pair.links--;
    mirror.link = undefined;
  }

  #makeRoom(): void {
    let spared = 0;
    for (const [origin, own] of this.#origins) {
      const decided = own.link !== undefined || [...own.pairs].some(({ links }) => links > 0);
      if (decided && spared++ < SPARED) {
        this.#origins.delete(origin);
        this.#origins.set(origin, own);
        continue;
      }
      for (const pair of own.pairs) this.#drop(pair);
      this.#cut(own);
      if (decided) for (const mirror of this.#origins.values()) if (mirror.link?.to === own) this.#cut(mirror);
      this.#origins.delete(origin);
      own.gone = true;
      own.hints.length = 0;
      return;
    }
  }
}
