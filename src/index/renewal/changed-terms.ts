import { ByteWriter } from '../../base/byte-writer.ts';
import { FIELDS } from '../fields.ts';
import { ANCHOR_STEPS } from '../format/anchor-sum.ts';
import type { CodeTable } from '../format/code-table.ts';
import { BLOCK } from '../format/posting-writer.ts';
import { levelOfAnchorWeight } from '../format/quantise.ts';
import { TermDictionaryWriter } from '../format/term-dictionary.ts';
import type { TermPostings } from '../format/term-postings.ts';
import { POSITION_BITS, POSITION_MASK } from '../store/occurrences.ts';
import type { AnchorTerms } from './anchor-terms.ts';
import type { TermOccurrences } from './kept-anchors.ts';

const COUNT = FIELDS.length;
const ANCHORS = FIELDS.indexOf('anchors');
const IN_ANCHORS = 1 << ANCHORS;
const NO_OTHERS = -1;
/** Levels of a field. */
const LEVELS = 256;

/**
 * Terms of a segment that other anchors change: in how many documents each is then, with which codes, and a list of where these
 * anchors hold it. Postings are counted, not written; whoever asks for a term joins the two (joined-postings.ts).
 */
export class ChangedTerms {
  readonly dictionary: TermDictionaryWriter = new TermDictionaryWriter();
  readonly lists: ByteWriter = new ByteWriter(1 << 14);
  readonly #anchors: AnchorTerms;
  readonly #codes: CodeTable;
  readonly #isRenewed: (document: number) => boolean;
  readonly #documents = new Uint32Array(BLOCK);
  readonly #blockCodes = new Uint32Array(BLOCK);
  readonly #levels = new Uint8Array(COUNT);
  /** By the code of the other fields and the level of anchors: a key of all levels is too large a number to be looked up at once. */
  readonly #codeOf = new Map<number, number>();
  /** The code that tells the fields beside anchors of the document whose turn it is. */
  #others = NO_OTHERS;
  /** Of the term whose turn it is: occurrences in anchors, the next of them, and the next document; `Infinity` after the last. */
  #said!: TermOccurrences;
  #at = 0;
  #next = Number.POSITIVE_INFINITY;
  #lastListed = -1;
  #held = 0;

  /** Codes that are needed are added to the table, and uses are counted there. */
  constructor(anchors: AnchorTerms, codes: CodeTable, isRenewed: (document: number) => boolean) {
    this.#anchors = anchors;
    this.#codes = codes;
    this.#isRenewed = isRenewed;
  }

  /** The next term that the anchors have. */
  get term(): string | undefined {
    return this.#anchors.term;
  }

  /** Takes a term, in the order of all; `written` are its postings, where it has some. */
  take(term: string, written: TermPostings | undefined): void {
    this.#said = this.#anchors.take(term);
    this.#at = this.#said.start;
    this.#lastListed = -1;
    this.#held = 0;
    this.#findNext();
    const before = this.lists.length;
    for (let block = 0; block < (written?.blocks ?? 0); block++) this.#takeBlock(written!, block);
    while (this.#next !== Number.POSITIVE_INFINITY) this.#takeAdded();
    const entry = { documents: this.#held, postingsLength: this.lists.length - before, positionsLength: 0 };
    this.dictionary.add(term, entry);
  }

  #takeBlock(written: TermPostings, block: number): void {
    const documents = this.#documents;
    const codes = this.#blockCodes;
    const count = written.readDocuments(block, documents);
    written.readCodes(block, codes);
    for (let i = 0; i < count; i++) {
      const document = documents[i];
      while (this.#next < document) this.#takeAdded();
      const fields = this.#codes.fields[codes[i]];
      if ((this.#next !== document && (fields & IN_ANCHORS) === 0) || !this.#isRenewed(document)) this.#held++;
      else this.#takeChanged(document, codes[i], (fields & ~IN_ANCHORS) !== 0);
    }
  }

  /** A posting with anchors in the place of others; nothing is left of it where no other field has the term, nor do these. */
  #takeChanged(document: number, code: number, hasOthers: boolean): void {
    this.#codes.uses[code]--;
    this.#others = code;
    if (this.#next === document) this.#list();
    else if (hasOthers) this.#use(0);
  }

  /** A document that has the term in its anchors alone. */
  #takeAdded(): void {
    this.#others = NO_OTHERS;
    this.#list();
  }

  /** Puts down where the anchors of the next document have the term. */
  #list(): void {
    const { documents, places, forms, end: last } = this.#said;
    const { lists } = this;
    const document = this.#next;
    let end = this.#at;
    while (end < last && documents[end] === document) end++;
    lists.varint(document - this.#lastListed - 1);
    lists.varint(end - this.#at);
    let weight = 0;
    for (let at = this.#at, before = 0; at < end; at++) {
      const place = places[at] & POSITION_MASK;
      lists.varint(place - before);
      lists.byte(places[at] >>> POSITION_BITS);
      lists.byte(forms[at]);
      weight += (places[at] >>> POSITION_BITS) / ANCHOR_STEPS;
      before = place;
    }
    this.#lastListed = document;
    this.#at = end;
    this.#findNext();
    this.#use(levelOfAnchorWeight(weight));
  }

  #use(level: number): void {
    const key = (this.#others + 1) * LEVELS + level;
    const code = this.#codeOf.get(key) ?? this.#findCode(key, level);
    this.#codes.uses[code]++;
    this.#held++;
  }

  #findCode(key: number, level: number): number {
    if (this.#others === NO_OTHERS) this.#levels.fill(0);
    else this.#levels.set(this.#codes.levels.subarray(this.#others * COUNT, (this.#others + 1) * COUNT));
    this.#levels[ANCHORS] = level;
    const code = this.#codes.codeOf(this.#levels);
    this.#codeOf.set(key, code);
    return code;
  }

  #findNext(): void {
    this.#next = this.#at < this.#said.end ? this.#said.documents[this.#at] : Number.POSITIVE_INFINITY;
  }
}
