import { FIELDS } from '../../index/fields.ts';
import { BLOCK } from '../../index/format/posting-writer.ts';
import { EXACT_FREQUENCY, lengthOfByte } from '../../index/format/quantise.ts';
import type { Segment } from '../../index/store/segment.ts';
import type { ExportedTerm, LiveDocuments } from '../segments/live-documents.ts';

/** What a document says itself: not what links to it say, and not the words of its URL. */
const OWN_FIELDS = (['title', 'headings', 'body', 'description'] as const).map((field) => FIELDS.indexOf(field));
const COUNT = FIELDS.length;

/** Positions that the own text of a document takes, each field rounded up as the index keeps it. */
export function ownLength(segment: Segment, document: number): number {
  return OWN_FIELDS.reduce((sum, field) => sum + lengthOfByte(segment.columns.lengths[field][document]), 0);
}

/** How often terms occur in the documents of an export. */
export class TermFrequencies {
  readonly #live: LiveDocuments;
  readonly #documents = new Uint32Array(BLOCK);
  readonly #codes = new Uint32Array(BLOCK);
  readonly #counts = new Uint32Array(BLOCK);
  #positions: Uint32Array = new Uint32Array(BLOCK * 8);

  constructor(live: LiveDocuments) {
    this.#live = live;
  }

  /** Whether any document of the export has the term in its own text. */
  occurs(term: ExportedTerm): boolean {
    return this.#each(term, () => true, false);
  }

  /** Tells every such document with its number, in order, and how often it has the term. */
  forEach(term: ExportedTerm, take: (document: number, frequency: number) => void): void {
    this.#each(
      term,
      (document, frequency) => {
        take(document, frequency);
        return false;
      },
      true,
    );
  }

  /** Until `take` says that it is enough. Where it need not be exact, positions are not read. */
  #each({ parts }: ExportedTerm, take: (document: number, frequency: number) => boolean, exactly: boolean): boolean {
    for (const { input, postings } of parts) {
      const numbers = this.#live.numbers[input];
      const { segment } = this.#live.segments[input];
      const { levels } = segment.codes;
      const places = postings.positions(true);
      for (let block = 0; block < postings.blocks; block++) {
        const count = postings.readDocuments(block, this.#documents);
        postings.readCodes(block, this.#codes);
        let isRead = false;
        for (let at = 0; at < count; at++) {
          const number = numbers[this.#documents[at]];
          if (number < 0) continue;
          let frequency = sumOfLevels(levels, this.#codes[at]);
          if (frequency < 0 && exactly) {
            // Rounded in the postings; the positions tell.
            if (!isRead) this.#positions = places.readAll(block, this.#codes, this.#counts, this.#positions);
            isRead = true;
            frequency = this.#countPositions(segment, at);
          }
          if (frequency !== 0 && take(number, frequency)) return true;
        }
      }
    }
    return false;
  }

  #countPositions(segment: Segment, at: number): number {
    let start = 0;
    for (let before = 0; before < at; before++) start += this.#counts[before];
    let frequency = 0;
    for (let position = start; position < start + this.#counts[at]; position++) {
      const field = segment.fieldAt(this.#documents[at], this.#positions[position]);
      if (OWN_FIELDS.includes(field)) frequency++;
    }
    return frequency;
  }
}

/** -1 where one of them stands for more than one number. */
function sumOfLevels(levels: Uint8Array, code: number): number {
  let sum = 0;
  for (const field of OWN_FIELDS) {
    const level = levels[code * COUNT + field];
    if (level > EXACT_FREQUENCY) return -1;
    sum += level;
  }
  return sum;
}
