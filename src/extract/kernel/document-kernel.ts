import { madeOnce } from '../../base/made-once.ts';
import { hasVectors } from '../../base/wasm/has-vectors.ts';
import { assembleModule } from '../../base/wasm/wasm-assembler.ts';
import { startWasm } from '../../base/wasm/wasm-instance.ts';
import { RAW_TEXT, READ } from '../element-traits.ts';
import { type CollapseWhite, collapseWhite } from './collapse-white.ts';
import { type ProseLength, proseLength, type TextLength, textLength } from './count-text.ts';
import { type FindMark, findMark } from './find-mark.ts';
import {
  CLASSES,
  DOCUMENT,
  MEMORY_PAGES,
  MOST_BYTES,
  OUTPUT,
  OVERRUN,
  STATE,
  STATE_VALUES,
  WANTED,
} from './memory-layout.ts';
import { type SkipTags, skipTags } from './skip-tags.ts';
import { classTable, wantedTable } from './tag-tables.ts';

const AMPERSAND = 0x26;
const NO_BYTE = 0x100;
/** Traits of elements whose tags `skipTags` does not pass over. */
export const KEPT = READ | RAW_TEXT;

/**
 * The passes over long texts of a document in WebAssembly, 16 bytes at a time. The document is copied into its memory with the first
 * question, since a pass costs several times as much as the copy; one document is held at a time, and any may come in between.
 */
export class DocumentKernel {
  /** Of the last `collapse`: where it stopped, and whether white space came last there. */
  stoppedAt = 0;
  endsWithGap = false;
  isAscii = true;
  readonly #state: Int32Array;
  readonly #document: Uint8Array;
  readonly #output: Uint8Array;
  readonly #collapseWhite: CollapseWhite;
  readonly #textLength: TextLength;
  readonly #proseLength: ProseLength;
  readonly #findStyle: FindMark;
  readonly #findDateKey: FindMark;
  readonly #skipTags: SkipTags;
  #held: Uint8Array | undefined;

  constructor() {
    const code = assembleModule(
      {
        collapseWhite: collapseWhite(),
        textLength: textLength(),
        proseLength: proseLength(),
        findStyle: findMark('<', ['st']),
        findDateKey: findMark('"', ['da', 'pu', 'cr']),
        skipTags: skipTags(),
      },
      MEMORY_PAGES,
    );
    const { memory, exports } = startWasm(code, MEMORY_PAGES);
    this.#state = new Int32Array(memory, STATE, STATE_VALUES);
    this.#document = new Uint8Array(memory, DOCUMENT, MOST_BYTES);
    this.#output = new Uint8Array(memory, OUTPUT, MOST_BYTES);
    this.#collapseWhite = exports.collapseWhite as CollapseWhite;
    this.#textLength = exports.textLength as TextLength;
    this.#proseLength = exports.proseLength as ProseLength;
    this.#findStyle = exports.findStyle as FindMark;
    this.#findDateKey = exports.findDateKey as FindMark;
    this.#skipTags = exports.skipTags as SkipTags;
    new Uint8Array(memory).set(classTable(), CLASSES);
    new Uint8Array(memory).set(wantedTable(KEPT), WANTED);
  }

  /** Makes this the document that is asked about; false where it is too long. */
  hold(document: Uint8Array): boolean {
    if (document === this.#held) return true;
    if (document.length > MOST_BYTES) return false;
    this.#document.set(document);
    // Nothing of the one before may be taken for its end.
    this.#document.fill(0, document.length, document.length + OVERRUN);
    this.#held = document;
    return true;
  }

  textLength(start: number, end: number): number {
    return this.#textLength(DOCUMENT + start, DOCUMENT + end);
  }

  proseLength(start: number, end: number): number {
    return this.#proseLength(DOCUMENT + start, DOCUMENT + end);
  }

  /** The first place from `start` on where "<st" may stand; -1 where it is nowhere. */
  findStyle(start: number, length: number): number {
    return placeOf(this.#findStyle(DOCUMENT + start, DOCUMENT + length), length);
  }

  /** The same of a quotation mark and "da", "pu" or "cr". */
  findDateKey(start: number, length: number): number {
    return placeOf(this.#findDateKey(DOCUMENT + start, DOCUMENT + length), length);
  }

  /** The first `<` from `start` on that is not that of a tag without any of the traits that are `KEPT`; the length where there is none. */
  skipTags(start: number, length: number): number {
    return this.#skipTags(DOCUMENT + start, DOCUMENT + length) - DOCUMENT;
  }

  /** The text from `start`, where no white space stands, to `end` or the first character reference; good until the next question. */
  collapse(start: number, end: number, literal: boolean): Uint8Array {
    const to = this.#collapseWhite(DOCUMENT + start, DOCUMENT + end, OUTPUT, literal ? NO_BYTE : AMPERSAND);
    const state = this.#state;
    this.stoppedAt = state[0] - DOCUMENT;
    this.endsWithGap = state[1] !== 0;
    this.isAscii = state[2] <= 0x7f;
    return this.#output.subarray(0, to - OUTPUT - state[1]);
  }
}

/** Behind the document may stand what is left of another. */
function placeOf(found: number, length: number): number {
  const place = found - DOCUMENT;
  return place < 0 || place >= length ? -1 : place;
}

/** Made with the first page that a thread reads; undefined where the machine has no vectors. */
export const documentKernel = madeOnce(() => (hasVectors() ? new DocumentKernel() : undefined));

/** Where in a document that is read for its links alone, which want nearly nothing of it, something may come that they do. */
export function passTags(document: Uint8Array, from: number): number {
  const kernel = documentKernel();
  return kernel?.hold(document) ? kernel.skipTags(from, document.length) : from;
}
