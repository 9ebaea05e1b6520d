import { setImmediate as nextTurn } from 'node:timers/promises';
import { ByteWriter } from '../../base/byte-writer.ts';
import { type ColumnForm, packColumn } from '../format/number-column.ts';
import { DEFAULT_RANKING } from '../ranking-options.ts';
import { Deletions } from '../store/deletions.ts';
import type { MergeInput } from '../store/document-changes.ts';
import { type IndexDisk, nodeIndexDisk } from '../store/index-disk.ts';
import { INDEX_FORMAT } from '../store/manifest.ts';
import { mergeSegments } from '../store/segment-merge.ts';
import { SEGMENT_PARTS, segmentPath } from '../store/segment-path.ts';
import { SectionsWriter } from './delta-sections.ts';
import { type DeltaSource, piecesOfPart } from './delta-source.ts';
import { documentEntry } from './document-entry.ts';
import { DOCUMENT_STATES, EMPTY_LEDGER, Ledger, type LedgerEntry } from './ledger.ts';
import type { Standing } from './restamp-segment.ts';

/** Raised with every change of the file that a reader of before would misread. */
export const DELTA_VERSION = 1;
/** A segment is sent as it is where at least this part of its documents is wanted; of others what is wanted is written anew. */
const AS_IT_IS = 0.75;
/** After this many documents others have a turn. */
const SLICE = 2000;

/** Where a delta comes from. */
export interface DeltaOrigin {
  readonly id: string;
  readonly generation: number;
  readonly folder: string;
  readonly machine: string;
  /** When the state was read, ms. */
  readonly at: number;
}

/** What a delta says of itself. */
export interface DeltaHead {
  readonly version: number;
  /** Of the segments in it. */
  readonly format: number;
  /** Absent where the index of the source does not tell. */
  readonly analysis?: string;
  readonly origin: DeltaOrigin;
  /** Digest of the ledger that it is to be applied to; absent where it is the whole index. */
  readonly base?: string;
  /** Digest of the ledger that it leads to. */
  readonly result: string;
  /** How many documents each of the segments in it has, and whether some of them do not count. */
  readonly segments: readonly { readonly documents: number; readonly hasDeletions: boolean }[];
  readonly forms: { readonly rank: ColumnForm; readonly cluster: ColumnForm };
  readonly sent: number;
  readonly removed: number;
  readonly restamped: number;
  /** Documents of the source. */
  readonly total: number;
}

export interface DeltaOptions {
  readonly source: DeltaSource;
  readonly origin: DeltaOrigin;
  /** What the receiver has; absent: everything is sent. */
  readonly base?: Ledger;
  readonly path: string;
  /** A folder for what is written on the way; the caller removes it. */
  readonly staging: string;
  /** Compressed where it pays. */
  readonly pack: boolean;
  readonly disk?: IndexDisk;
}

export interface MadeDelta {
  readonly head: DeltaHead;
  readonly ledger: Ledger;
  /** How long the file is; 0 where nothing has changed and none was written. */
  readonly bytes: number;
}

/** What of a source the receiver does not have. */
interface Changes {
  readonly ledger: Ledger;
  /** For each segment the documents that are sent. */
  readonly sent: readonly Uint8Array[];
  readonly counts: readonly number[];
  /** Places in the base. */
  readonly removed: readonly number[];
  readonly restamped: readonly { readonly at: number; readonly standing: Standing }[];
}

/**
 * Writes what has changed in an index since `base` into a file: documents that are new or have changed, ranks and clusters of the
 * others, and which are gone. Documents are compared, not segments: merges write most segments again and change no word.
 */
export async function makeDelta(options: DeltaOptions): Promise<MadeDelta> {
  const { source, origin, base, path, pack, disk = nodeIndexDisk } = options;
  const changes = await changesOf(source, base ?? EMPTY_LEDGER);
  const { ledger, removed, restamped, counts } = changes;
  const result = ledger.digest;
  const ranks = packColumn(restamped.map(({ standing }) => standing.rank));
  const clusters = packColumn(restamped.map(({ standing }) => standing.cluster));
  const sent = counts.reduce((sum, count) => sum + count, 0);
  const analysis = source.origin?.analysis;
  const headOf = (segments: DeltaHead['segments']): DeltaHead => ({
    ...{ version: DELTA_VERSION, format: INDEX_FORMAT, origin, result, segments },
    ...(analysis === undefined ? {} : { analysis }),
    ...(base === undefined ? {} : { base: base.digest }),
    forms: { rank: ranks.form, cluster: clusters.form },
    ...{ sent, removed: removed.length, restamped: restamped.length, total: ledger.size },
  });
  if (base !== undefined && sent + removed.length + restamped.length === 0)
    return { head: headOf([]), ledger, bytes: 0 };
  const writer = new SectionsWriter(path, pack, disk);
  const segments = await writeSegments(writer, changes, options);
  await writer.add('removed', [gapsOf(removed)]);
  await writer.add('restamped', [gapsOf(restamped.map(({ at }) => at))]);
  await writer.add('ranks', [ranks.bytes]);
  await writer.add('clusters', [clusters.bytes]);
  const head = headOf(segments);
  return { head, ledger, bytes: await writer.finish(head) };
}

async function changesOf(source: DeltaSource, base: Ledger): Promise<Changes> {
  const entries: LedgerEntry[] = [];
  const sent: Uint8Array[] = [];
  const counts: number[] = [];
  const seen = new Uint8Array(base.size);
  const restamped: { at: number; standing: Standing }[] = [];
  for (const { segment, deletions } of source.states) {
    const wanted = new Uint8Array(segment.documents);
    let count = 0;
    for (let document = 0; document < segment.documents; document++) {
      if (document % SLICE === 0) await nextTurn();
      if (deletions.has(document)) continue;
      const entry = documentEntry(segment, document);
      entries.push(entry);
      const at = base.find(entry.hash, entry.mark);
      if (at >= 0) seen[at] = 1;
      const isHeld = at >= 0 && base.versions[at] === entry.version && base.states[at] !== DOCUMENT_STATES.wanted;
      if (!isHeld) {
        wanted[document] = 1;
        count++;
      } else if (base.standings[at] !== entry.standing) {
        const { rank, cluster } = segment.columns.facts(document);
        restamped.push({ at, standing: { rank, cluster } });
      }
    }
    sent.push(wanted);
    counts.push(count);
  }
  restamped.sort((a, b) => a.at - b.at);
  const removed = Array.from(seen.keys()).filter((at) => seen[at] === 0);
  return { ledger: Ledger.of(entries), sent, counts, removed, restamped };
}

/** Writes the segments that hold what is sent. */
async function writeSegments(
  writer: SectionsWriter,
  { sent, counts }: Changes,
  { source, staging, disk = nodeIndexDisk }: DeltaOptions,
): Promise<DeltaHead['segments']> {
  const written: { documents: number; hasDeletions: boolean }[] = [];
  const parts: MergeInput[] = [];
  for (const [at, { segment }] of source.states.entries()) {
    if (counts[at] === 0) continue;
    const others = [...sent[at].keys()].filter((document) => sent[at][document] === 0);
    const deletions = Deletions.none(segment.documents).with(others);
    if (counts[at] < segment.documents * AS_IT_IS) {
      parts.push({ segment, deletions });
      continue;
    }
    const name = `segment-${written.length}`;
    for (const part of SEGMENT_PARTS) await writer.add(`${name}.${part}`, source.pieces(segment, part));
    if (others.length > 0) await writer.add(`${name}.deleted`, [deletions.bits]);
    written.push({ documents: segment.documents, hasDeletions: others.length > 0 });
  }
  if (parts.length === 0) return written;
  const documents = await writeParts(parts, staging, disk);
  const name = `segment-${written.length}`;
  for (const part of SEGMENT_PARTS) {
    await writer.add(`${name}.${part}`, piecesOfPart(staging, STAGED, part));
    disk.remove(segmentPath(staging, STAGED, part));
  }
  return [...written, { documents, hasDeletions: false }];
}

const STAGED = 'segment-1';

/** Writes the documents of segments that are not deleted as one segment. Returns how many they are. */
async function writeParts(parts: readonly MergeInput[], staging: string, disk: IndexDisk): Promise<number> {
  const work = mergeSegments(parts, disk, staging, STAGED, DEFAULT_RANKING);
  for (;;) {
    await nextTurn();
    const step = work.next();
    if (!step.done) continue;
    step.value.writer.close();
    return step.value.documents;
  }
}

/** Numbers that grow, each as its distance from the one before. */
function gapsOf(numbers: readonly number[]): Uint8Array {
  const writer = new ByteWriter();
  let before = -1;
  for (const number of numbers) {
    writer.varint(number - before - 1);
    before = number;
  }
  return writer.written.slice();
}
