import type { AnchorText } from '../../../contracts/search-index.ts';
import {
  type Analyze,
  type EmitRemembered,
  type EmitTerm,
  NO_NOTE,
  NOTE_BITS,
  NOTE_MASK,
  type RememberedWords,
  type WordOwners,
} from '../../analyze.ts';
import { FIELDS } from '../../fields.ts';
import { anchorLevel } from '../../format/anchor-sum.ts';
import { ANCHOR_GAP, POSITION_MASK } from '../occurrences.ts';
import type { TermNumbers } from '../term-numbers.ts';
import { PostingCodes } from './posting-codes.ts';
import { FORMS_BYTES, GROUP, NEXT_PLACE, NEXT_POSTING, POSTING, RUN, TERM } from './posting-layout.ts';
import type { PostingMemory } from './posting-memory.ts';

const TITLE = FIELDS.indexOf('title');
const ANCHORS = FIELDS.indexOf('anchors');
const RUN_NUMBERS = RUN.bytes / 4;
/** Positions are read some at a time. */
const BEHIND_POSTINGS = 64;

/**
 * Takes the words of documents, and makes postings of those of a document as soon as it has ended: they are in the caches then, and only
 * postings are left to be sorted. What is done for each word is done by kernels.
 */
export class GatheredWords {
  readonly codes: PostingCodes;
  readonly #analyze: Analyze;
  readonly #numbers: TermNumbers;
  readonly #memory: PostingMemory;
  /** Of the memory: all of it, where its words begin, where its runs do, and how many of each have room. */
  #room: Uint32Array = new Uint32Array(0);
  #wordsAt = 0;
  #runsAt = 0;
  #wordRoom = 0;
  #runRoom = 0;
  /** Of the document that is taken. */
  #words = 0;
  #runs = 0;
  /** A word there goes on with the last run. */
  #next = -1;
  /** Of the text that is taken. */
  #start = 0;
  #field = 0;
  #weight = 0;
  #documents = 0;
  /** Words of the documents that have ended. */
  #count = 0;
  /** Of the words that were met last, and as whom their numbers are noted. */
  #owners: WordOwners | undefined;
  #owner = 0;
  /** Made once: the engine drops the code of functions that live no longer than a text with every collection of garbage. */
  readonly #takeTerm: EmitTerm = (term, position, form = 0) => {
    this.#makeRoom(1);
    this.#put(noteOf(this.#numbers.of(term), form), this.#start + position);
  };
  readonly #takeWords: EmitRemembered = (words, found, count, position, offsets) => {
    const notes = words.notes(found, count, this.#ownerAt(words.owners));
    this.#makeRoom(count);
    if (offsets === undefined) this.#putRun(words, found, notes, count, this.#start + position);
    else this.#putName(words, found, notes, count, this.#start + position, offsets);
  };

  /** `memory`: with nothing in it, and nobody else's until these words are written. */
  constructor(analyze: Analyze, memory: PostingMemory, numbers: TermNumbers) {
    this.#analyze = analyze;
    this.#memory = memory;
    this.#numbers = numbers;
    this.codes = new PostingCodes(memory);
    this.#look();
  }

  get documents(): number {
    return this.#documents;
  }

  /** Words of the documents that have ended. */
  get count(): number {
    return this.#count;
  }

  /** Takes the text of a field of the document whose turn it is, with positions from `start` on. Returns how many it takes. */
  add(field: number, text: string, language: string, start: number, weight = 0): number {
    // Words that could not be written, on a full disk, have others behind them: the memory may have grown in between.
    if (this.#room !== this.#memory.numbers) this.#look();
    this.#field = field;
    this.#weight = weight;
    this.#start = start;
    this.#next = -1;
    return this.#analyze(text, language, this.#takeTerm, this.#takeWords);
  }

  /** The same for anchors. A document that leaves no room for positions behind it has none. */
  addAnchors(anchors: readonly AnchorText[], language: string, start: number): number {
    if (start > POSITION_MASK) return 0;
    let used = 0;
    for (const anchor of anchors) {
      const length = this.add(ANCHORS, anchor.text, language, start + used, anchorLevel(anchor));
      if (length > 0) used += length + ANCHOR_GAP;
    }
    return used;
  }

  /** The document whose turn it is has no more. Returns its number. */
  endDocument(): number {
    const document = this.#documents++;
    const words = this.#words;
    if (words === 0) return document;
    const memory = this.#memory;
    const first = memory.numbers[NEXT_POSTING / 4];
    const most = Math.min(words, this.#numbers.terms.length);
    memory.ensure('groupOfWords', words * 4);
    memory.ensure('groups', most * GROUP.bytes);
    memory.ensure('odd', (most + 1) * 8);
    memory.ensure('terms', this.#numbers.terms.length * TERM.bytes);
    memory.ensure('termOfPostings', (first + most) * 4);
    const postings = most * (POSTING.bytes + FORMS_BYTES) + words * 4;
    memory.ensure('postings', memory.numbers[NEXT_PLACE / 4] + postings + BEHIND_POSTINGS);
    this.#look();
    const { kernels } = memory;
    const runs = memory.begin('runs');
    const runsEnd = runs + this.#runs * RUN.bytes;
    kernels.groupWords(words);
    kernels.countWords(runs, runsEnd);
    this.codes.give(kernels.makePostings(first, document));
    kernels.placeWords(runs, runsEnd);
    const groups = memory.begin('groups');
    memory.bytes.fill(0, groups, groups + (memory.numbers[NEXT_POSTING / 4] - first) * GROUP.bytes);
    this.#count += words;
    this.#words = 0;
    this.#runs = 0;
    return document;
  }

  #putRun(words: RememberedWords, found: Uint32Array, notes: Uint32Array, count: number, position: number): void {
    this.#goTo(position);
    const room = this.#room;
    const at = this.#wordsAt + this.#words;
    for (let i = 0; i < count; i++) {
      const note = notes[i];
      room[at + i] = note === NO_NOTE ? this.#newNote(words, found[i]) : note;
    }
    this.#goOn(count);
  }

  /** The same of the words of a name, which do not stand side by side. */
  #putName(
    words: RememberedWords,
    found: Uint32Array,
    notes: Uint32Array,
    count: number,
    position: number,
    offsets: Uint8Array,
  ): void {
    for (let i = 0; i < count; i++) {
      const note = notes[i];
      this.#put(note === NO_NOTE ? this.#newNote(words, found[i]) : note, position + offsets[found[i]]);
    }
  }

  #put(note: number, position: number): void {
    this.#goTo(position);
    this.#room[this.#wordsAt + this.#words] = note;
    this.#goOn(1);
  }

  /** The next word stands there: begins a run, unless the last one goes on. */
  #goTo(position: number): void {
    if (position === this.#next) return;
    const room = this.#room;
    const run = this.#runsAt + this.#runs++ * RUN_NUMBERS;
    room[run + RUN.position / 4] = Math.min(position, POSITION_MASK);
    room[run + RUN.adds / 4] = 1;
    room[run + RUN.adds / 4 + 1] = this.#weight;
    room[run + RUN.marks / 4] = this.#field === ANCHORS ? 0 : this.#field === TITLE ? 0x10001 : 1;
    room[run + RUN.marks / 4 + 1] = this.#field === ANCHORS ? 1 : 0;
    room[run + RUN.number / 4] = 8 * this.#field;
    this.#next = position;
  }

  #goOn(count: number): void {
    this.#words += count;
    this.#next += count;
    this.#room[this.#runsAt + (this.#runs - 1) * RUN_NUMBERS + RUN.end / 4] = this.#words;
  }

  #makeRoom(words: number): void {
    if (this.#words + words <= this.#wordRoom && this.#runs + words <= this.#runRoom) return;
    this.#memory.ensure('words', 4 * (this.#words + words));
    this.#memory.ensure('runs', RUN.bytes * (this.#runs + words));
    this.#look();
  }

  #look(): void {
    const memory = this.#memory;
    this.#room = memory.numbers;
    this.#wordsAt = memory.begin('words') / 4;
    this.#runsAt = memory.begin('runs') / 4;
    this.#wordRoom = Math.floor(memory.size('words') / 4);
    this.#runRoom = Math.floor(memory.size('runs') / RUN.bytes);
  }

  #ownerAt(owners: WordOwners): number {
    if (owners !== this.#owners) {
      this.#owners = owners;
      this.#owner = this.#numbers.ownerAt(owners);
    }
    return this.#owner;
  }

  #newNote(words: RememberedWords, place: number): number {
    const known = words.noted(place, this.#owner);
    const number = known === -1 ? this.#numbers.of(words.term(place)) : known;
    if (known === -1) words.note(place, this.#owner, number);
    return noteOf(number, words.form(place));
  }
}

function noteOf(number: number, form: number): number {
  if (number > NOTE_MASK) throw new RangeError('There are more terms than have room in a segment.');
  return (number | (form << NOTE_BITS)) >>> 0;
}
