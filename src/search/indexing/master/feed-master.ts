import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../../base/clock.ts';
import { OrbweaverError } from '../../../base/errors.ts';
import { hasState } from '../../../engines/state-folder.ts';
import { createIndexAnalyzer } from '../../../index/analysis/index-analyzer.ts';
import { applyDelta } from '../../../index/delta/apply-delta.ts';
import { SectionsReader } from '../../../index/delta/delta-sections.ts';
import { type DeltaHead, makeDelta } from '../../../index/delta/make-delta.ts';
import { openSegmentIndex, type SegmentIndex } from '../../../index/segment-index.ts';
import { checkedDisk } from '../../../index/store/checked-disk.ts';
import { type IndexDisk, nodeIndexDisk } from '../../../index/store/index-disk.ts';
import { documentStorePath } from '../imports/document-store.ts';
import { indexFolder } from '../index-folder.ts';
import { withRebuildRemedy } from '../older-index.ts';
import { lockIndexOf } from '../open-index.ts';
import { checkHead } from './delta-head.ts';
import { type FedSource, isOnThisMachine, masterPlaceOf } from './master-place.ts';
import { isThere, openSourceIndex } from './source-index.ts';
import { SourceLedgers } from './source-ledgers.ts';

export interface FeedOptions {
  readonly clock?: Clock;
  readonly disk?: IndexDisk;
  /** Told of each source that was taken. */
  readonly onTaken?: (source: TakenSource) => void;
  /** Told of folders that the master was fed from and that are not there. */
  readonly onMissing?: (source: FedSource) => void;
}

/** What an update took from a source. */
export interface TakenSource {
  /** As it was named. */
  readonly from: string;
  /** Documents that are new or have changed. */
  readonly sent: number;
  /** Documents that left the source. */
  readonly removed: number;
  /** Documents of which only rank or cluster has changed. */
  readonly restamped: number;
  /** Of those sent: another source has a later copy. */
  readonly superseded: number;
  /** Documents of other sources that count again; the next update from these brings them. */
  readonly wanted: number;
  /** Of the update. */
  readonly bytes: number;
  /** The whole index was taken. */
  readonly whole: boolean;
}

export interface FeedReport {
  readonly sources: readonly TakenSource[];
  /** That the master holds. */
  readonly documents: number;
}

/** Up to this many documents those that were replaced are merged away at once: until then they count in the frequencies of words. */
const MERGED_AT_ONCE = 200_000;

/**
 * Brings a master index up to date with others: folders, or files that `writeDelta` has made; without any, with all folders that it was
 * fed from before. Each source is one commit, with its position: cut off at any moment, the same call goes on.
 */
export async function feedMaster(
  folder: string,
  from: readonly string[],
  options: FeedOptions = {},
): Promise<FeedReport> {
  if (hasState(folder) || isThere(documentStorePath(folder)))
    throw new OrbweaverError('USAGE', `${folder} holds a crawl, or imported documents: it cannot be a master index.`, {
      remedy: 'Name a folder of its own with --dir.',
    });
  const { clock = systemClock, disk = nodeIndexDisk } = options;
  // A typing error leaves no empty folder behind.
  for (const one of from)
    if (!isThere(one))
      throw new OrbweaverError('INPUT_INVALID', `There is no folder or file ${one}.`, {
        remedy: 'Name a crawl folder with an index, or a file that orbweaver index --delta has written.',
      });
  using _lock = lockIndexOf(folder);
  const place = indexFolder(folder);
  rmSync(incomingFolder(folder), { recursive: true, force: true });
  await using index = await openMaster(folder, disk);
  const ledgers = new SourceLedgers(place, disk);
  ledgers.sweep(index.place);
  const master = new Master(
    folder,
    index,
    ledgers,
    clock,
    checkedDisk(disk, place, () => {}),
  );
  const sources: TakenSource[] = [];
  const named = from.length > 0 ? from : knownFolders(index.place, options);
  const take = async (one: string, isTold: (taken: TakenSource) => boolean): Promise<void> => {
    const taken = await master.feed(one);
    if (!isTold(taken)) return;
    sources.push(taken);
    options.onTaken?.(taken);
  };
  for (const one of named) await take(one, () => true);
  // What a later source gave free, an earlier one may have.
  const isLeft = sources.some(({ wanted }) => wanted > 0);
  const again = isLeft ? [...new Set(named)].filter((one) => statSync(one).isDirectory()) : [];
  for (const one of again) await take(one, ({ bytes }) => bytes > 0);
  // Also what an update that was cut off has left to merge.
  await settle(index);
  using snapshot = index.snapshot();
  return { sources, documents: snapshot.documents };
}

async function openMaster(folder: string, disk: IndexDisk): Promise<SegmentIndex> {
  try {
    const index = await openSegmentIndex({ folder: indexFolder(folder), analyze: createIndexAnalyzer().analyze, disk });
    if (masterPlaceOf(index.place) !== undefined || index.segments === 0) return index;
    await index[Symbol.asyncDispose]();
  } catch (error) {
    if (!(error instanceof OrbweaverError) || error.code !== 'INDEX_OUTDATED') throw withRebuildRemedy(error, folder);
    throw new OrbweaverError('INDEX_OUTDATED', `The master index of ${folder} has an older form.`, {
      remedy: `Delete ${indexFolder(folder)} and feed it again: orbweaver index --dir ${folder} --from FOLDER`,
      cause: error,
    });
  }
  throw new OrbweaverError('USAGE', `The index in ${folder} is that of a crawl, not a master index.`, {
    remedy: 'Name a folder of its own with --dir.',
  });
}

function knownFolders(place: unknown, { onMissing }: FeedOptions): string[] {
  return (masterPlaceOf(place)?.sources ?? []).flatMap((source) => {
    if (isOnThisMachine(source) && isThere(indexFolder(source.folder))) return [source.folder];
    onMissing?.(source);
    return [];
  });
}

/** Merges documents that were replaced away, where that is quick. */
async function settle(index: SegmentIndex): Promise<void> {
  using snapshot = index.snapshot();
  if (snapshot.documents <= MERGED_AT_ONCE && index.deleted > 0) await index.mergeAll();
  else await index.settled();
}

function incomingFolder(folder: string): string {
  return join(indexFolder(folder), 'incoming');
}

class Master {
  readonly #folder: string;
  readonly #index: SegmentIndex;
  readonly #ledgers: SourceLedgers;
  readonly #clock: Clock;
  readonly #disk: IndexDisk;

  constructor(folder: string, index: SegmentIndex, ledgers: SourceLedgers, clock: Clock, disk: IndexDisk) {
    this.#folder = folder;
    this.#index = index;
    this.#ledgers = ledgers;
    this.#clock = clock;
    this.#disk = disk;
  }

  async feed(from: string): Promise<TakenSource> {
    return statSync(from).isDirectory() ? await this.#feedFolder(from) : await this.#feedFile(from);
  }

  async #feedFolder(from: string): Promise<TakenSource> {
    const staging = incomingFolder(this.#folder);
    using opened = openSourceIndex(from, this.#folder, this.#sources);
    const { source, known } = opened;
    const origin = { ...opened.origin, at: this.#clock.now() };
    const ledger = this.#ledgers.read(known);
    // An index that was rebuilt is taken whole: its words may be others, though nothing of the pages has changed.
    const base = known?.generation === origin.generation ? { base: ledger } : {};
    mkdirSync(staging, { recursive: true });
    try {
      const path = join(staging, 'delta');
      const made = await makeDelta({ source, origin, ...base, path, staging, pack: false, disk: this.#disk });
      if (made.bytes === 0) return takenOf(from, made.head, 0);
      using delta = new SectionsReader<DeltaHead>(path);
      return await this.#apply(from, delta, known);
    } finally {
      rmSync(staging, { recursive: true, force: true });
    }
  }

  async #feedFile(from: string): Promise<TakenSource> {
    using delta = new SectionsReader<DeltaHead>(from);
    const { head } = delta;
    checkHead(head, from);
    const known = this.#sources.find(({ id }) => id === head.origin.id);
    const before = this.#ledgers.read(known).digest;
    if (known !== undefined && before === head.result)
      return takenOf(from, { ...head, sent: 0, removed: 0, restamped: 0 }, delta.bytes);
    const whole = `orbweaver index --dir ${head.origin.folder} --delta FILE --whole`;
    if (known !== undefined && head.origin.at < known.at)
      throw new OrbweaverError('INPUT_INVALID', `${from} is older than what the master has of ${head.origin.folder}.`, {
        remedy: `Make another one: ${whole}`,
      });
    if (head.base !== undefined && (known === undefined || head.base !== before))
      throw new OrbweaverError('INPUT_INVALID', `${from} goes on from a state that the master does not have.`, {
        remedy: `Take the deltas made before it first, in the order they were made, or make a whole one: ${whole}`,
      });
    return await this.#apply(from, delta, known);
  }

  get #sources(): readonly FedSource[] {
    return masterPlaceOf(this.#index.place)?.sources ?? [];
  }

  async #apply(from: string, delta: SectionsReader<DeltaHead>, known: FedSource | undefined): Promise<TakenSource> {
    const { head } = delta;
    const before = masterPlaceOf(this.#index.place) ?? { sources: [], nextLedger: 1 };
    const number = known?.number ?? before.sources.length;
    const others = before.sources.filter((source) => source.number !== number);
    const otherLedgers = others.map((source) => this.#ledgers.read(source));
    const receiver = { number, ledger: this.#ledgers.read(known), others: otherLedgers };
    const applied = await applyDelta(this.#index, delta, receiver, async ({ ledger, changed }, { disk }) => {
      const { id, generation, folder, machine, at } = head.origin;
      let { nextLedger } = before;
      const written = await this.#ledgers.write(disk, number, nextLedger++, ledger);
      const sources: FedSource[] = [
        { ...{ number, id, generation, folder, machine, at }, ledger: written, documents: ledger.size },
      ];
      for (const [at, other] of others.entries()) {
        const its = otherLedgers[at];
        const file = changed.has(its) ? await this.#ledgers.write(disk, other.number, nextLedger++, its) : other.ledger;
        sources.push({ ...other, ledger: file });
      }
      return { master: { sources: sources.sort((a, b) => a.number - b.number), nextLedger } };
    });
    this.#ledgers.sweep(this.#index.place);
    return takenOf(from, head, delta.bytes, applied);
  }
}

function takenOf(
  from: string,
  { sent, removed, restamped, base }: DeltaHead,
  bytes: number,
  { superseded, wanted }: { readonly superseded: number; readonly wanted: number } = { superseded: 0, wanted: 0 },
): TakenSource {
  return { from, sent, removed, restamped, superseded, wanted, bytes, whole: base === undefined && bytes > 0 };
}
