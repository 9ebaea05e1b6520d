import { startGrowing, type WasmModule } from '../../base/wasm/wasm-instance.ts';
import type { RememberedWords, WordOwners } from '../analyze.ts';
import type { RunReader } from './token.ts';
import { PLACE, PLACE_BYTES } from './word-places.ts';
import {
  BEHIND_BLOCK,
  BLOCK_UNITS,
  FIRST_PAGES,
  FOUND,
  MOST_FOUND,
  MOST_PAGES,
  NEXT,
  NOTES,
  type NotesKernel,
  PAGE,
  PLACES,
  putMasks,
  WINDOW,
  WINDOW_UNITS,
  type WordRunKernel,
} from './word-run-kernel.ts';
import type { WordTable } from './word-table.ts';

/** Code units at the end of the window that are read of a block, and not as its own. */
const MARGIN = BLOCK_UNITS + BEHIND_BLOCK;

/** Takes the places of `count` words, which have the positions from `position` on. */
export type TakeWords = (words: RememberedWords, places: Uint32Array, count: number, position: number) => void;

/** Finds words of a table in texts, by a kernel that reads many at once; the table lies in the kernel's memory. */
export class WordRuns implements RunReader, RememberedWords {
  end = 0;
  /** Who takes the words that are read. */
  take: TakeWords = () => {};
  readonly #table: WordTable;
  readonly #memory: ReturnType<typeof startGrowing>['memory'];
  readonly #readWords: WordRunKernel;
  readonly #readNotes: NotesKernel;
  /** Views of the memory, as it is. */
  #window: Uint16Array<ArrayBuffer>;
  #found: Uint32Array;
  #notes: Uint32Array;
  #next: Uint32Array;
  #units: Uint16Array = new Uint16Array(0);
  #length = 0;
  /** What the window holds of the text. */
  #from = 0;
  #to = 0;

  constructor(module: WasmModule, table: WordTable) {
    const { memory, exports } = startGrowing(module, FIRST_PAGES, MOST_PAGES);
    this.#memory = memory;
    this.#readWords = exports.readWords as WordRunKernel;
    this.#readNotes = exports.readNotes as NotesKernel;
    this.#table = table;
    putMasks(memory.buffer);
    [this.#window, this.#found, this.#notes, this.#next] = viewsOf(memory.buffer);
    table.moveTo((places) => this.#placesOf(places));
  }

  begin(units: Uint16Array, length: number): void {
    this.#units = units;
    this.#length = length;
    this.#to = 0;
  }

  read(at: number, position: number): number {
    if (at >= this.#to - MARGIN && (this.#to < this.#length || at >= this.#to)) this.#show(at);
    const isLast = this.#to === this.#length;
    const count = this.#readWords(
      this.#addressOf(at),
      this.#addressOf(isLast ? this.#to : this.#to - MARGIN),
      this.#table.sets - 1,
    );
    this.end = Math.min(this.#length, this.#from + (this.#next[0] - WINDOW) / 2);
    if (count > 0) this.take(this, this.#found, count, position);
    return count;
  }

  term(place: number): string {
    return this.#table.term(place);
  }

  form(place: number): number {
    return this.#table.form(place);
  }

  get owners(): WordOwners {
    return this.#table;
  }

  noted(place: number, owner: number): number {
    return this.#table.noted(place, owner);
  }

  note(place: number, owner: number, number: number): void {
    this.#table.note(place, owner, number);
  }

  /** Of the words that were read last, which are the only ones that it tells of. */
  notes(_places: Uint32Array, count: number, owner: number): Uint32Array {
    this.#readNotes(count, owner);
    return this.#notes;
  }

  #addressOf(at: number): number {
    return WINDOW + 2 * (at - this.#from);
  }

  /** Moves the window to a place in the text. */
  #show(at: number): void {
    const units = this.#units;
    const window = this.#window;
    this.#from = at;
    this.#to = Math.min(this.#length, at + WINDOW_UNITS);
    const shown = this.#to - at;
    window[0] = at === 0 ? 0 : units[at - 1];
    window.set(units.subarray(at, this.#to), 1);
    window.fill(0, shown + 1, shown + 1 + MARGIN);
  }

  #placesOf(places: number): Int32Array<ArrayBuffer> {
    const memory = this.#memory;
    const lacking = PLACES + places * PLACE_BYTES - memory.buffer.byteLength;
    if (lacking > 0) {
      memory.grow(Math.ceil(lacking / PAGE));
      [this.#window, this.#found, this.#notes, this.#next] = viewsOf(memory.buffer);
    }
    return new Int32Array(memory.buffer, PLACES, places * PLACE).fill(0);
  }
}

/** The window with the code unit before it, the words found, what is noted of them, and the address of what comes next. */
function viewsOf(memory: ArrayBuffer): [Uint16Array<ArrayBuffer>, Uint32Array, Uint32Array, Uint32Array] {
  return [
    new Uint16Array(memory, WINDOW - 2, 1 + WINDOW_UNITS + MARGIN),
    new Uint32Array(memory, FOUND, MOST_FOUND),
    new Uint32Array(memory, NOTES, MOST_FOUND),
    new Uint32Array(memory, NEXT, 1),
  ];
}
