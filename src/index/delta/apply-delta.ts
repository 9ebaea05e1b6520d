import { OrbweaverError } from '../../base/errors.ts';
import { ByteReader } from '../format/byte-reader.ts';
import { NumberColumn } from '../format/number-column.ts';
import type { ExchangeBasis, IndexExchange } from '../index-exchange.ts';
import type { SegmentIndex } from '../segment-index.ts';
import type { Segment } from '../store/segment.ts';
import { type ArrivedSegment, ArrivingSegments } from './arriving-segments.ts';
import type { SectionsReader } from './delta-sections.ts';
import { documentEntry, idMark, standingMark } from './document-entry.ts';
import { DOCUMENT_STATES, Ledger, type LedgerEntry } from './ledger.ts';
import type { DeltaHead } from './make-delta.ts';
import type { Standing } from './restamp-segment.ts';

/** Clusters of near-duplicates are numbered by each source: those of another one begin here. */
const CLUSTERS_OF_A_SOURCE = 2 ** 32;
const { held, superseded, wanted } = DOCUMENT_STATES;

export interface DeltaReceiver {
  /** Of the source, among those of the index, from 0. */
  readonly number: number;
  /** What was taken from it so far. */
  readonly ledger: Ledger;
  /** Those of the other sources. Their states are changed. */
  readonly others: readonly Ledger[];
}

export interface AppliedDelta {
  readonly ledger: Ledger;
  /** Ledgers of other sources whose states have changed. */
  readonly changed: ReadonlySet<Ledger>;
  /** Documents in it that another source has from a later visit. */
  readonly superseded: number;
  /** Of other sources: they are to be sent again, because what superseded them is gone. */
  readonly wanted: number;
}

/**
 * Takes a delta into the index, in one commit with the place that `placeOf` makes of the result. Of two sources with the same
 * document the copy counts that was visited later; of two visits at one time the one that is there.
 */
export async function applyDelta(
  index: SegmentIndex,
  delta: SectionsReader<DeltaHead>,
  receiver: DeltaReceiver,
  placeOf: (applied: AppliedDelta, basis: ExchangeBasis) => Promise<unknown>,
): Promise<AppliedDelta> {
  let applied: AppliedDelta | undefined;
  await index.exchange(async (basis) => {
    const arriving = new ArrivingSegments(basis, delta);
    try {
      const work = new DeltaWork(basis, delta, receiver, await arriving.extract());
      applied = work.take();
      const exchange = await arriving.finish(work.gone, work.standings, (cluster) => work.clusterHere(cluster));
      // Ledgers are durable before the commit speaks of them.
      return { ...exchange, place: await placeOf(applied, basis) } satisfies IndexExchange;
    } catch (error) {
      arriving.discard();
      // Segments that no version of ours has written make anything fail.
      const isOdd = error instanceof RangeError || error instanceof TypeError || error instanceof SyntaxError;
      throw isOdd ? unfit(`its segments cannot be read (${error.message})`) : error;
    }
  });
  if (applied === undefined) throw new OrbweaverError('INTERNAL', 'The delta was not taken.');
  return applied;
}

/** Decides which documents come, go and change. */
class DeltaWork {
  /** Documents of the index that leave it, by their segments. */
  readonly gone = new Map<Segment, Set<number>>();
  /** Ranks and clusters that change. */
  readonly standings = new Map<Segment, Map<number, Standing>>();
  readonly #basis: ExchangeBasis;
  readonly #delta: SectionsReader<DeltaHead>;
  readonly #receiver: DeltaReceiver;
  readonly #arrived: readonly ArrivedSegment[];
  readonly #changed = new Set<Ledger>();
  /** 1 for entries of the former ledger that are not in the next one. */
  readonly #dropped: Uint8Array;
  #superseded = 0;
  #wanted = 0;

  constructor(
    basis: ExchangeBasis,
    delta: SectionsReader<DeltaHead>,
    receiver: DeltaReceiver,
    arrived: readonly ArrivedSegment[],
  ) {
    this.#basis = basis;
    this.#delta = delta;
    this.#receiver = receiver;
    this.#arrived = arrived;
    this.#dropped = new Uint8Array(receiver.ledger.size);
  }

  take(): AppliedDelta {
    const { head } = this.#delta;
    const { ledger: former } = this.#receiver;
    const entries = this.#arrived.flatMap((arrived) => this.#takeSegment(arrived));
    if (head.base === undefined) for (const at of former.hashes.keys()) if (this.#dropped[at] === 0) this.#remove(at);
    for (const at of this.#places('removed', head.removed)) this.#remove(at);
    const restamped = this.#restamp();
    for (const at of former.hashes.keys()) {
      if (this.#dropped[at] === 1) continue;
      const standing = restamped.get(at);
      entries.push(standing === undefined ? former.entry(at) : { ...former.entry(at), standing });
    }
    const ledger = Ledger.of(entries);
    if (ledger.digest !== head.result) throw unfit('it does not lead to the documents that it tells of');
    return { ledger, changed: this.#changed, superseded: this.#superseded, wanted: this.#wanted };
  }

  clusterHere(cluster: number): number {
    return cluster === 0 ? 0 : cluster + this.#receiver.number * CLUSTERS_OF_A_SOURCE;
  }

  #takeSegment({ segment, deletions, dropped }: ArrivedSegment): LedgerEntry[] {
    const entries: LedgerEntry[] = [];
    for (let document = 0; document < segment.documents; document++) {
      if (deletions.has(document)) continue;
      const entry = documentEntry(segment, document);
      const isTaken = this.#takeDocument(entry, segment.columns.number('fetchedAt', document));
      if (!isTaken) {
        dropped.add(document);
        this.#superseded++;
      }
      entries.push({ ...entry, state: isTaken ? held : superseded });
    }
    return entries;
  }

  /** False where the copy of another source counts. */
  #takeDocument({ hash, mark }: LedgerEntry, fetchedAt: number): boolean {
    const { ledger: former } = this.#receiver;
    const at = former.find(hash, mark);
    if (at >= 0) this.#dropped[at] = 1;
    const here = this.#find(hash, mark);
    if (here === undefined) return true;
    const before = here.segment.columns.number('fetchedAt', here.document);
    const isOurs = at >= 0 && former.states[at] === held;
    if (!isOurs && before >= fetchedAt) return false;
    this.#bury(here.segment, here.document);
    if (!isOurs) this.#setOthers(hash, mark, held, superseded);
    // A source that went back in time: another one may have a later copy than this.
    else if (fetchedAt < before) this.#wanted += this.#setOthers(hash, mark, superseded, wanted);
    return true;
  }

  /** The document is no longer in its source. */
  #remove(at: number): void {
    const { ledger: former } = this.#receiver;
    this.#dropped[at] = 1;
    if (former.states[at] !== held) return;
    const here = this.#find(former.hashes[at], former.marks[at]);
    if (here !== undefined) this.#bury(here.segment, here.document);
    this.#wanted += this.#setOthers(former.hashes[at], former.marks[at], superseded, wanted);
  }

  /** The marks of the new standings, by places in the former ledger. */
  #restamp(): Map<number, number> {
    const { head } = this.#delta;
    const { ledger: former } = this.#receiver;
    // Columns take all of a buffer.
    const ranks = new NumberColumn(head.forms.rank, new Uint8Array(this.#delta.whole('ranks')));
    const clusters = new NumberColumn(head.forms.cluster, new Uint8Array(this.#delta.whole('clusters')));
    const marks = new Map<number, number>();
    for (const [number, at] of this.#places('restamped', head.restamped).entries()) {
      const [rank, cluster] = [ranks.at(number), clusters.at(number)];
      marks.set(at, standingMark({ rank, cluster }));
      const here = former.states[at] === held ? this.#find(former.hashes[at], former.marks[at]) : undefined;
      if (here === undefined) continue;
      const standings = this.standings.get(here.segment) ?? new Map<number, Standing>();
      this.standings.set(here.segment, standings.set(here.document, { rank, cluster: this.clusterHere(cluster) }));
    }
    return marks;
  }

  /** Places in the former ledger that a section names. */
  #places(section: string, count: number): number[] {
    const reader = new ByteReader(this.#delta.whole(section));
    const { size } = this.#receiver.ledger;
    const places: number[] = [];
    for (let at = -1; places.length < count; ) {
      at += reader.varint() + 1;
      if (!(at < size)) throw unfit(`its list of documents that are ${section} names others`);
      places.push(at);
    }
    return places;
  }

  /** Where the index has the document. */
  #find(hash: number, mark: bigint): { readonly segment: Segment; readonly document: number } | undefined {
    for (const { segment, deletions } of this.#basis.states)
      for (const document of segment.columns.withHash(hash)) {
        if (deletions.has(document) || this.gone.get(segment)?.has(document)) continue;
        if (idMark(segment.strings(document).id) === mark) return { segment, document };
      }
    return undefined;
  }

  #bury(segment: Segment, document: number): void {
    const documents = this.gone.get(segment) ?? new Set<number>();
    this.gone.set(segment, documents.add(document));
  }

  #setOthers(hash: number, mark: bigint, from: number, to: number): number {
    let count = 0;
    for (const ledger of this.#receiver.others) {
      const at = ledger.find(hash, mark);
      if (at < 0 || ledger.states[at] !== from) continue;
      ledger.states[at] = to;
      this.#changed.add(ledger);
      count++;
    }
    return count;
  }
}

function unfit(why: string): OrbweaverError {
  return new OrbweaverError('INPUT_INVALID', `The delta cannot be taken: ${why}.`, {
    remedy: 'Make a whole one: orbweaver index --dir FOLDER --delta FILE --whole',
  });
}
