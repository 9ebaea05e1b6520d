import { FIELDS } from '../fields.ts';
import { CodeCounter } from '../format/code-table.ts';
import { DocumentColumnsWriter } from '../format/document-columns.ts';
import { BLOCK } from '../format/posting-writer.ts';
import type { FoundTerm } from '../format/term-dictionary.ts';
import { fieldNorms } from '../query/score-model.ts';
import type { RankingOptions } from '../ranking-options.ts';
import type { Deletions } from './deletions.ts';
import type { IndexDisk } from './index-disk.ts';
import type { Segment } from './segment.ts';
import { SegmentWriter } from './segment-writer.ts';

export interface MergeInput {
  readonly segment: Segment;
  readonly deletions: Deletions;
}

export interface MergeResult {
  readonly writer: SegmentWriter;
  readonly documents: number;
  /** For each input: the new number of each document, -1 for those left out. */
  readonly numbers: readonly Int32Array[];
}

/** After this many postings or documents the merge lets others have a turn. */
const SLICE = 20_000;

/** Writes several segments as one, without what was deleted. Yields between slices of work. */
export function* mergeSegments(
  inputs: readonly MergeInput[],
  disk: IndexDisk,
  folder: string,
  name: string,
  ranking: RankingOptions,
): Generator<void, MergeResult, undefined> {
  const writer = new SegmentWriter(disk, folder, name);
  let done = false;
  try {
    const result = yield* mergeInto(writer, inputs, ranking);
    done = true;
    return result;
  } finally {
    // It failed, or nobody goes on with it.
    if (!done) writer.discard();
  }
}

function* mergeInto(
  writer: SegmentWriter,
  inputs: readonly MergeInput[],
  ranking: RankingOptions,
): Generator<void, MergeResult, undefined> {
  const columns = new DocumentColumnsWriter();
  const numbers: Int32Array[] = [];
  const counter = new CodeCounter();
  const codeMaps: Uint32Array[] = [];
  const lengths = new Uint8Array(FIELDS.length);
  for (const { segment, deletions } of inputs) {
    const renumbered = new Int32Array(segment.documents).fill(-1);
    for (let document = 0; document < segment.documents; document++) {
      if (document % (SLICE / 10) === 0) yield;
      if (deletions.has(document)) continue;
      const { id, title } = segment.strings(document);
      for (let field = 0; field < FIELDS.length; field++) lengths[field] = segment.columns.lengths[field][document];
      renumbered[document] = columns.documents;
      columns.add(id, segment.columns.facts(document), lengths, segment.columns.number('anchorSum', document));
      writer.addStrings(id, title);
    }
    numbers.push(renumbered);
    const { codes } = segment;
    codeMaps.push(Uint32Array.from(codes.uses, (uses, code) => counter.code(codes.levels, code * FIELDS.length, uses)));
  }
  const { table, lasting } = counter.sorted();
  for (const map of codeMaps) for (let code = 0; code < map.length; code++) map[code] = lasting[map[code]];
  const norms = fieldNorms(ranking, columns.lengthSums, columns.documents);
  const postings = writer.beginTerms(table, columns, norms);

  const streams = inputs.map(({ segment }) => segment.dictionary.from(''));
  const heads: (FoundTerm | undefined)[] = streams.map((stream) => stream.next().value ?? undefined);
  const documents = new Uint32Array(BLOCK);
  const codes = new Uint32Array(BLOCK);
  const forms = new Uint32Array(BLOCK);
  const counts = new Uint32Array(BLOCK);
  let positions: Uint32Array = new Uint32Array(BLOCK * 8);
  let work = 0;
  for (;;) {
    let term: string | undefined;
    for (const head of heads) if (head !== undefined && (term === undefined || head.term < term)) term = head.term;
    if (term === undefined) break;
    let written = 0;
    for (let input = 0; input < inputs.length; input++) {
      const head = heads[input];
      if (head?.term !== term) continue;
      const from = inputs[input].segment.postingsOf(head);
      const renumbered = numbers[input];
      const codeMap = codeMaps[input];
      const places = from.positions(true);
      for (let block = 0; block < from.blocks; block++) {
        const count = from.readDocuments(block, documents);
        from.readCodes(block, codes);
        from.readForms(block, forms);
        positions = places.readAll(block, codes, counts, positions);
        for (let i = 0, at = 0; i < count; at += counts[i++]) {
          const document = renumbered[documents[i]];
          if (document < 0) continue;
          postings.add(document, codeMap[codes[i]], forms[i], positions, at, counts[i]);
          written++;
        }
        work += count;
        if (work >= SLICE) {
          work = 0;
          yield;
        }
      }
      work += 20;
      heads[input] = streams[input].next().value ?? undefined;
    }
    if (written > 0) writer.endTerm(term);
  }
  writer.finish(columns);
  return { writer, documents: columns.documents, numbers };
}

/** Segments that are worth merging now: many of about the same size, or one that is mostly gone. */
export function chooseMerge(inputs: readonly MergeInput[], width: number, largest: number): readonly MergeInput[] {
  const live = (input: MergeInput): number => input.segment.documents - input.deletions.count;
  const tiers = new Map<number, MergeInput[]>();
  for (const input of inputs) {
    const tier = Math.max(0, Math.floor(Math.log(Math.max(1, live(input) / 1000)) / Math.log(width)));
    const mates = tiers.get(tier);
    if (mates === undefined) tiers.set(tier, [input]);
    else mates.push(input);
  }
  for (const tier of [...tiers.keys()].sort((a, b) => a - b)) {
    const mates = (tiers.get(tier) ?? []).filter((input) => live(input) <= largest / 2);
    if (mates.length < width) continue;
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
