import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FIELDS } from '../fields.ts';
import { ByteReader } from '../format/byte-reader.ts';
import { CodeTable } from '../format/code-table.ts';
import type { FoundTerm } from '../format/found-term.ts';
import { lengthOfByte } from '../format/quantise.ts';
import { fieldNorms } from '../query/score-model.ts';
import type { RankingOptions } from '../ranking-options.ts';
import type { DocumentChanges, MergeInput } from '../store/document-changes.ts';
import type { IndexDisk } from '../store/index-disk.ts';
import type { Segment } from '../store/segment.ts';
import { SEGMENT_PARTS, segmentPath } from '../store/segment-path.ts';
import { AnchorTerms } from './anchor-terms.ts';
import { ChangedTerms } from './changed-terms.ts';
import { DocumentsFile } from './documents-file.ts';
import { KeptAnchors } from './kept-anchors.ts';

const ANCHORS = FIELDS.indexOf('anchors');
/** After this many postings others have a turn. */
const SLICE = 20_000;
/** To look a term up is as much work as so many postings. */
const TERM_WORK = 20;

export interface SegmentRenewal {
  readonly disk: IndexDisk;
  readonly folder: string;
  readonly segment: Segment;
  readonly changes: DocumentChanges;
  /** Of the renewed segment. */
  readonly name: string;
  readonly ranking: RankingOptions;
}

/**
 * Whether anchors can be renewed without the segment being written again. Lists of word pairs tell of anchors, too; and a segment of
 * an earlier version does not tell which terms its anchors have. Ranks and clusters alone are renewed in any.
 */
export function isRenewable({ segment, deletions }: MergeInput, changes: DocumentChanges): boolean {
  if (changes.isOfFacts) return true;
  const { sections, lengthSums } = segment.head;
  const isTold = sections['anchor-terms'] !== undefined || lengthSums[ANCHORS] === 0;
  const isWhole = deletions.count === 0 && segment.pairs === undefined;
  return isTold && isWhole && changes.isRenewal && changes.isComplete;
}

/**
 * Writes a segment under another name, with other anchors, ranks and clusters. Its postings stay the same files; what is other in
 * them is beside its columns, and joined with them when a term is asked for. Returns what makes it durable: several are so at once.
 */
export async function renewSegment(renewal: SegmentRenewal): Promise<() => Promise<void>> {
  const { disk, folder, segment, name } = renewal;
  const bytes = await renewedFile(renewal);
  try {
    const file = disk.create(segmentPath(folder, name, 'documents'));
    try {
      for (const part of bytes) file.append(part);
      for (const part of SEGMENT_PARTS) {
        const path = segmentPath(folder, name, part);
        if (part !== 'documents') await disk.link(segmentPath(folder, segment.name, part), path);
      }
    } catch (error) {
      file.close();
      throw error;
    }
    return () => file.sync().finally(() => file.close());
  } catch (error) {
    discardSegment(disk, folder, name);
    throw error;
  }
}

/** Removes the files of a segment that no manifest names. */
export function discardSegment(disk: IndexDisk, folder: string, name: string): void {
  for (const part of SEGMENT_PARTS) disk.remove(segmentPath(folder, name, part));
}

async function renewedFile(renewal: SegmentRenewal): Promise<Uint8Array[]> {
  const { folder, segment, changes } = renewal;
  const file = new DocumentsFile(readFileSync(segmentPath(folder, segment.name, 'documents')));
  return changes.isOfFacts ? withFacts(file, segment, changes) : await withAnchors(file, renewal);
}

/** Anchors that were renewed before stay beside the columns as they are. */
function withFacts(file: DocumentsFile, segment: Segment, changes: DocumentChanges): Uint8Array[] {
  const columns: Record<'rank' | 'cluster', number[]> = { rank: [], cluster: [] };
  for (let document = 0; document < segment.documents; document++) {
    const told = changes.of(segment, document);
    const change = told === undefined || told === 'gone' ? segment.columns.facts(document) : told;
    columns.rank.push(change.rank);
    columns.cluster.push(change.cluster);
  }
  return file.with({ columns });
}

async function withAnchors(file: DocumentsFile, { segment, changes, ranking }: SegmentRenewal): Promise<Uint8Array[]> {
  const columns: Record<'rank' | 'cluster' | 'anchorSum', number[]> = { rank: [], cluster: [], anchorSum: [] };
  const lengths = new Uint8Array(segment.documents);
  const renewed = new Uint8Array(Math.ceil(segment.documents / 8));
  const fresh = new Uint8Array(renewed.length);
  let lengthSum = 0;
  for (let document = 0; document < segment.documents; document++) {
    const { rank, cluster } = segment.columns.facts(document);
    const told = changes.of(segment, document);
    const change = told === undefined || told === 'gone' ? { rank, cluster } : told;
    columns.rank.push(change.rank);
    columns.cluster.push(change.cluster);
    columns.anchorSum.push(change.anchors?.sum ?? segment.columns.number('anchorSum', document));
    lengths[document] = change.anchors?.lengthByte ?? segment.columns.lengths[ANCHORS][document];
    lengthSum += lengthOfByte(lengths[document]);
    if (change.anchors !== undefined) fresh[document >> 3] |= 1 << (document & 7);
    if (change.anchors !== undefined || segment.renewed?.has(document) === true)
      renewed[document >> 3] |= 1 << (document & 7);
  }
  const lengthSums = file.head.lengthSums.with(ANCHORS, lengthSum);
  const isIn = (set: Uint8Array, document: number): boolean => (set[document >> 3] & (1 << (document & 7))) !== 0;
  const codes = new CodeTable(file.section('code-levels')!, new Uint32Array(file.section('code-uses')!.buffer));
  const kept = keptAnchors(file, segment, (document) => !isIn(fresh, document));
  const anchors = new AnchorTerms(changes.anchors.sort(), kept);
  const terms = new ChangedTerms(anchors, codes, (document) => isIn(renewed, document));
  const anchorTerms = file.section('anchor-terms') ?? new Uint8Array(0);
  await takeTerms(terms, segment, anchorTerms);
  const dictionary = terms.dictionary.end();
  return file.with({
    head: { isRenewed: true, lengthSums, norms: renewedNorms(segment, lengthSums, ranking) },
    columns,
    sections: {
      [`length-${ANCHORS}`]: lengthSum === 0 ? new Uint8Array(0) : lengths,
      'anchor-terms': anchorTerms,
      'renewed-documents': renewed,
      'renewed-levels': codes.levels.subarray(0, codes.size * FIELDS.length),
      'renewed-uses': new Uint8Array(codes.uses.buffer, 0, codes.size * codes.uses.BYTES_PER_ELEMENT),
      'renewed-terms': dictionary.terms,
      'renewed-term-blocks': new Uint8Array(dictionary.blocks.buffer),
      'renewed-lists': terms.lists.written,
    },
  });
}

/** Of documents that were renewed before, and are said nothing else of since. */
function keptAnchors(file: DocumentsFile, segment: Segment, isKept: (document: number) => boolean) {
  if (segment.renewed === undefined) return undefined;
  const lists = file.section('renewed-lists')!;
  return new KeptAnchors({ terms: segment.renewed.dictionary.from(''), lists, isKept });
}

/** Takes the terms that the anchors have, and those that former anchors had: few of all, so that the others are passed over. */
async function takeTerms(terms: ChangedTerms, segment: Segment, anchorTerms: Uint8Array): Promise<void> {
  let work = 0;
  try {
    for (const { term, found } of termsToTake(terms, segment, anchorTerms)) {
      terms.take(term, found && segment.writtenPostingsOf(found));
      work += TERM_WORK + (found?.documents ?? 0);
      if (work < SLICE) continue;
      work = 0;
      await nextTurn();
    }
  } finally {
    segment.endMerge();
  }
}

interface TermToTake {
  readonly term: string;
  /** Absent where no posting has it. */
  readonly found: FoundTerm | undefined;
}

/** In the order of the dictionary. Each has to be taken before the next is asked for. */
function* termsToTake(terms: ChangedTerms, { written }: Segment, anchorTerms: Uint8Array): Generator<TermToTake> {
  for (const found of written.at(placesOf(anchorTerms))) {
    for (let said = terms.term; said !== undefined && said < found.term; said = terms.term)
      yield { term: said, found: written.find(said) };
    yield { term: found.term, found };
  }
  for (let said = terms.term; said !== undefined; said = terms.term) yield { term: said, found: written.find(said) };
}

/** Places are written as what lies between them. */
function* placesOf(anchorTerms: Uint8Array): Generator<number, void, undefined> {
  const reader = new ByteReader(anchorTerms);
  for (let place = -1; reader.at < anchorTerms.length; ) {
    place += reader.varint() + 1;
    yield place;
  }
}

/** Bounds of postings without anchors hold under any norm of these: it changes only where none of the postings had any. */
function renewedNorms({ head, documents }: Segment, lengthSums: readonly number[], ranking: RankingOptions) {
  const { norms } = head;
  if (norms.averages[ANCHORS] !== 0) return norms;
  const now = fieldNorms(ranking, lengthSums, documents);
  return {
    weights: norms.weights.with(ANCHORS, now.weights[ANCHORS]),
    b: norms.b.with(ANCHORS, now.b[ANCHORS]),
    averages: norms.averages.with(ANCHORS, now.averages[ANCHORS]),
  };
}
