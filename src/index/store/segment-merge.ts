import { FIELDS } from '../fields.ts';
import { CodeCounter } from '../format/code-table.ts';
import { DocumentColumnsWriter } from '../format/document-columns.ts';
import { BLOCK } from '../format/posting-writer.ts';
import type { TermPostings } from '../format/term-postings.ts';
import { fieldNorms } from '../query/score-model.ts';
import type { RankingOptions } from '../ranking-options.ts';
import { AnchorPostings } from './anchor-postings.ts';
import { BlockMerge, type MergedInput } from './block-merge.ts';
import type { DocumentChanges, MergeInput } from './document-changes.ts';
import type { IndexDisk } from './index-disk.ts';
import { SegmentWriter } from './segment-writer.ts';
import { TermHeads } from './term-heads.ts';

export interface MergeResult {
  readonly writer: SegmentWriter;
  readonly documents: number;
  /** For each input: the new number of each document, -1 for those left out. */
  readonly numbers: readonly Int32Array[];
}

const ANCHORS = FIELDS.indexOf('anchors');
/** After this many postings or documents the merge lets others have a turn. */
const SLICE = 20_000;
/** A block takes as long as this many postings, besides those that it has. */
const BLOCK_WORK = 20;

/** Writes several segments as one, without what was deleted and with what has changed. Yields between slices of work. */
export function* mergeSegments(
  inputs: readonly MergeInput[],
  disk: IndexDisk,
  folder: string,
  name: string,
  ranking: RankingOptions,
  changes?: DocumentChanges,
): Generator<void, MergeResult, undefined> {
  const writer = new SegmentWriter(disk, folder, name);
  let done = false;
  try {
    const result = yield* mergeInto(writer, inputs, ranking, changes);
    done = true;
    return result;
  } finally {
    // It failed, or nobody goes on with it.
    if (!done) writer.discard();
    for (const { segment } of inputs) segment.endMerge();
  }
}

function* mergeInto(
  writer: SegmentWriter,
  inputs: readonly MergeInput[],
  ranking: RankingOptions,
  changes: DocumentChanges | undefined,
): Generator<void, MergeResult, undefined> {
  const columns = new DocumentColumnsWriter();
  const taken: MergedInput[] = [];
  const counter = new CodeCounter();
  for (const input of inputs) {
    const { levels, uses } = input.segment.codes;
    const codeOf = (times: number, code: number): number =>
      times === 0 ? 0 : counter.code(levels, code * FIELDS.length, times);
    const codes = Uint32Array.from(uses, codeOf);
    taken.push({ ...(yield* mergeDocuments(writer, columns, input, changes)), codes });
  }
  const { table, lasting } = counter.sorted();
  // Counted again as they are written: codes of former anchors must not stay for ever.
  table.uses.fill(0);
  for (const { codes } of taken) for (let code = 0; code < codes.length; code++) codes[code] = lasting[codes[code]];
  const norms = fieldNorms(ranking, columns.lengthSums, columns.documents);
  const postings = writer.beginTerms(table, columns, norms, ranking);
  const anchors = changes === undefined ? undefined : new AnchorPostings(changes.anchors.sort(), postings, table);

  const heads = new TermHeads(inputs.map(({ segment }) => segment.dictionary));
  const blocks = new BlockMerge(postings, table);
  const slices = new Slices();
  for (;;) {
    const said = anchors?.term;
    const held = heads.head;
    if (held === undefined && said === undefined) break;
    // Only where anchors come in between the terms are asked for as strings.
    const isHeld = held !== undefined && (said === undefined || held.term <= said);
    const term = anchors === undefined ? '' : isHeld ? held.term : said!;
    anchors?.beginTerm(term);
    let written = 0;
    if (isHeld) heads.keep();
    for (let head = held; isHeld && head !== undefined && heads.isKept; head = heads.head) {
      const { input } = heads;
      const { segment } = inputs[input];
      if (head.documents <= BLOCK && head.renewed === undefined) {
        written += blocks.takeOnly(segment, head, taken[input], anchors);
        if (slices.isOver(head.documents)) yield;
      } else written += yield* takeBlocks(blocks, segment.postingsOf(head.found), taken[input], anchors, slices);
      heads.advance();
    }
    written += anchors?.writeBefore(columns.documents) ?? 0;
    if (written === 0) continue;
    if (isHeld) writer.endEncoded(heads.kept);
    else writer.endTerm(term);
  }
  yield* writer.writePairs();
  writer.finish(columns);
  return { writer, documents: columns.documents, numbers: taken.map(({ numbers }) => numbers) };
}

/** Takes over the postings of a term with many, or with renewed anchors. Returns how many were written. */
function* takeBlocks(
  blocks: BlockMerge,
  from: TermPostings,
  input: MergedInput,
  anchors: AnchorPostings | undefined,
  slices: Slices,
): Generator<void, number, undefined> {
  const positions = from.positions(true);
  let written = 0;
  for (let block = 0; block < from.blocks; block++) {
    written += blocks.take(from, positions, block, input, anchors);
    if (slices.isOver(from.count(block))) yield;
  }
  return written;
}

/** Tells when it is time to let others have a turn. */
class Slices {
  #work = 0;

  /** After the postings of a block. */
  isOver(postings: number): boolean {
    this.#work += postings + BLOCK_WORK;
    if (this.#work < SLICE) return false;
    this.#work = 0;
    return true;
  }
}

/** Takes over what is known of the documents besides their words. */
function* mergeDocuments(
  writer: SegmentWriter,
  columns: DocumentColumnsWriter,
  { segment, deletions }: MergeInput,
  changes: DocumentChanges | undefined,
): Generator<void, Omit<MergedInput, 'codes'>, undefined> {
  const lengths = new Uint8Array(FIELDS.length);
  const numbers = new Int32Array(segment.documents).fill(-1);
  const anchorsAt = new Int32Array(segment.documents).fill(-1);
  const first = columns.documents;
  for (let document = 0; document < segment.documents; document++) {
    if (document % (SLICE / 10) === 0) yield;
    const change = changes?.of(segment, document);
    if (deletions.has(document) || change === 'gone') continue;
    const { id, title } = segment.strings(document);
    for (let field = 0; field < FIELDS.length; field++) lengths[field] = segment.columns.lengths[field][document];
    if (change?.anchors !== undefined) {
      lengths[ANCHORS] = change.anchors.lengthByte;
      anchorsAt[columns.documents - first] = segment.anchorsStart(document);
    }
    const sum = change?.anchors?.sum ?? segment.columns.number('anchorSum', document);
    const facts = segment.columns.facts(document);
    const { rank, cluster } = change ?? facts;
    numbers[document] = columns.documents;
    columns.add(id, { ...facts, rank, cluster }, lengths, sum);
    writer.addStrings(id, title);
  }
  return { numbers, first, isWhole: columns.documents - first === segment.documents, anchorsAt };
}

/**
 * Segments that are worth merging now: the smallest `width` of about the same size where there are twice as many, or one that is
 * mostly gone. Merging as soon as there are `width` would write most documents once more.
 */
export function chooseMerge(inputs: readonly MergeInput[], width: number, largest: number): readonly MergeInput[] {
  const live = (input: MergeInput): number => input.segment.documents - input.deletions.count;
  const tiers = new Map<number, MergeInput[]>();
  for (const input of inputs) {
    if (live(input) > largest / 2) continue;
    const tier = Math.floor(Math.log(Math.max(1, live(input))) / Math.log(width) + 1e-9);
    const mates = tiers.get(tier);
    if (mates === undefined) tiers.set(tier, [input]);
    else mates.push(input);
  }
  for (const tier of [...tiers.keys()].sort((a, b) => a - b)) {
    const mates = tiers.get(tier) ?? [];
    if (mates.length < 2 * width) continue;
    const chosen: MergeInput[] = [];
    let sum = 0;
    for (const mate of mates.sort((a, b) => live(a) - live(b))) {
      if (chosen.length === width || sum + live(mate) > largest) break;
      chosen.push(mate);
      sum += live(mate);
    }
    if (chosen.length > 1) return chosen;
  }
  return inputs
    .filter((input) => input.deletions.count > 0 && input.deletions.count * 2 > input.segment.documents)
    .slice(0, 1);
}
