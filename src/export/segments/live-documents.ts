import { OrbweaverError } from '../../base/errors.ts';
import { shellWord } from '../../base/shell-word.ts';
import type { ExportSource } from '../../contracts/export.ts';
import type { TermPostings } from '../../index/format/term-postings.ts';
import { Committed } from '../../index/store/committed.ts';
import { nodeIndexDisk } from '../../index/store/index-disk.ts';
import { newestManifest } from '../../index/store/manifest.ts';
import { PostingsCache } from '../../index/store/postings-cache.ts';
import type { SegmentState } from '../../index/store/segment-state.ts';
import { TermHeads } from '../../index/store/term-heads.ts';
import { indexFolder } from '../../search/indexing/index-folder.ts';
import { withRebuildRemedy } from '../../search/indexing/older-index.ts';

/** The postings of a term in one segment. */
export interface SegmentPostings {
  /** Which of the segments. */
  readonly input: number;
  readonly postings: TermPostings;
}

export interface ExportedTerm {
  readonly term: string;
  readonly parts: readonly SegmentPostings[];
}

export interface ExportedDocument {
  readonly state: SegmentState;
  /** Its number in the segment. */
  readonly document: number;
  /** Its number in the export. */
  readonly number: number;
  /** The crawl folder that it is of. */
  readonly folder: string;
}

interface OpenedIndex {
  readonly folder: string;
  readonly committed: Committed;
}

/** The documents of an index that an export takes, numbered anew without gaps, and the terms with their postings. */
export class LiveDocuments implements Disposable {
  readonly segments: readonly SegmentState[];
  /** For each segment the crawl folder that it is of. */
  readonly folders: readonly string[];
  /** For each segment the new number of each document, -1 for those left out. */
  readonly numbers: readonly Int32Array[];
  /** How many there are. */
  readonly count: number;
  readonly #opened: readonly OpenedIndex[];

  private constructor(opened: readonly OpenedIndex[], taken: readonly Uint8Array[] | undefined) {
    this.#opened = opened;
    this.segments = opened.flatMap(({ committed }) => committed.states);
    this.folders = opened.flatMap(({ folder, committed }) => committed.states.map(() => folder));
    let count = 0;
    this.numbers = this.segments.map(({ segment, deletions }, input) => {
      const numbers = new Int32Array(segment.documents).fill(-1);
      for (let document = 0; document < segment.documents; document++) {
        const isTaken = taken === undefined || taken[input][document] === 1;
        if (isTaken && !deletions.has(document)) numbers[document] = count++;
      }
      return numbers;
    });
    this.count = count;
  }

  /** The committed state of the indexes of the crawl, and of it the pages that match. Throws INDEX_MISSING where there is no index. */
  static async open(source: ExportSource): Promise<LiveDocuments> {
    const { folders } = source.about;
    const indexed = folders.filter((folder) => newestManifest(indexFolder(folder)) > 0);
    if (folders.length === 0)
      throw new OrbweaverError(
        'INDEX_MISSING',
        'No folder of this crawl is on this machine, and none of its indexes.',
        {
          remedy:
            'Run the command on a machine that has the folder of a node; "orbweaver cluster" tells where they are.',
        },
      );
    if (indexed.length === 0)
      throw new OrbweaverError('INDEX_MISSING', `There is no search index in ${folders.join(', ')}.`, {
        remedy: `To make one: orbweaver index --dir ${shellWord(folders[0] ?? '.')}`,
      });
    const opened: OpenedIndex[] = [];
    try {
      for (const folder of indexed) opened.push({ folder, committed: openCommitted(folder) });
      return new LiveDocuments(opened, await takenDocuments(source, opened));
    } catch (error) {
      for (const { committed } of opened) committed.close();
      throw error;
    }
  }

  /** Each document that is taken, in the order of its number. */
  *documents(): Generator<ExportedDocument> {
    for (const [input, state] of this.segments.entries())
      for (const [document, number] of this.numbers[input].entries())
        if (number >= 0) yield { state, document, number, folder: this.folders[input] };
  }

  /** All terms in order, with their postings in all segments: also of documents that are left out. Good until the next is taken. */
  *terms(): Generator<ExportedTerm> {
    const heads = new TermHeads(this.segments.map(({ segment }) => segment.dictionary));
    try {
      for (let head = heads.first; head !== undefined; head = heads.first) {
        const { term } = head;
        const parts: SegmentPostings[] = [];
        for (; head?.term === term; head = heads.first) {
          const { input } = heads;
          parts.push({ input, postings: this.segments[input].segment.postingsOf(head) });
          heads.advance();
        }
        yield { term, parts };
      }
    } finally {
      for (const { segment } of this.segments) segment.endMerge();
    }
  }

  [Symbol.dispose](): void {
    for (const { committed } of this.#opened) committed.close();
  }
}

function openCommitted(folder: string): Committed {
  try {
    const committed = new Committed(indexFolder(folder), nodeIndexDisk, new PostingsCache(0));
    committed.refresh();
    return committed;
  } catch (error) {
    throw withRebuildRemedy(error, folder);
  }
}

/** A byte for each document of each segment; undefined where all are taken. */
async function takenDocuments(
  source: ExportSource,
  opened: readonly OpenedIndex[],
): Promise<readonly Uint8Array[] | undefined> {
  if (Object.values(source.filter).every((value) => value === undefined)) return undefined;
  const segments = opened.flatMap(({ committed }) => committed.states).map(({ segment }) => segment);
  const taken = segments.map(({ documents }) => new Uint8Array(documents));
  for await (const { url } of source.pages())
    for (const [input, segment] of segments.entries())
      for (const document of segment.find(url)) taken[input][document] = 1;
  return taken;
}
