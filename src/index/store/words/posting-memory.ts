import { madeOnce } from '../../../base/made-once.ts';
import { assembleModule } from '../../../base/wasm/wasm-assembler.ts';
import { compileWasm, startGrowing } from '../../../base/wasm/wasm-instance.ts';
import { FORM_MARKS } from '../../format/form-marks.ts';
import { BOUND_STEPS, BOUND_VALUES } from '../../format/quantise.ts';
import { chooseWidth, packNumbers, putVarint } from './coding-kernel.ts';
import { countWords, groupWords, makePostings, placeWords } from './group-kernel.ts';
import { orderPostings } from './order-kernel.ts';
import {
  BODY_CODES,
  BOUNDS,
  BYTE_OF_STEP,
  FIRST_REGION,
  headOf,
  MARKS,
  MOST_BODY_CODES,
  NEXT_PLACE,
  NEXT_POSTING,
  NO_CODE,
  REGIONS,
  type Region,
} from './posting-layout.ts';
import { writeTerms } from './term-kernel.ts';

const PAGE = 65_536;
const MOST_PAGES = 65_536;
const FIRST_BYTES = 1024;
/** Forms that words have are fewer. */
const MARKED_FORMS = 64;
/** Memory of more bytes is not kept: only a document of more than a million words or so needs it. */
const KEPT_BYTES = 1 << 27;
/** Memory of which only such a part was used so many times in a row is not kept either: a burst is over. */
const LEAST_USED = 1 / 8;
const MOST_TIMES_LITTLE = 8;
const SMALL_BYTES = 1 << 20;

/** Regions that are counted in. */
const ZEROED: ReadonlySet<Region> = new Set(['terms', 'codes', 'groups']);

/** Calls of the kernels; see there. */
export interface PostingKernels {
  groupWords(count: number): number;
  countWords(run: number, end: number): number;
  makePostings(first: number, document: number): number;
  placeWords(run: number, end: number): number;
  orderPostings(terms: number): number;
  writeTerms(from: number, to: number, postingsEnd: number, positionsEnd: number): number;
}

const kernels = madeOnce(() => {
  const places = { putVarint: 0, chooseWidth: 1, packNumbers: 2 };
  const functions = {
    putVarint: putVarint(),
    chooseWidth: chooseWidth(),
    packNumbers: packNumbers(places),
    groupWords: groupWords(),
    countWords: countWords(),
    makePostings: makePostings(),
    placeWords: placeWords(),
    orderPostings: orderPostings(),
    writeTerms: writeTerms(places),
  };
  return compileWasm(assembleModule(functions, 1, MOST_PAGES));
});

/**
 * The memory in which postings are gathered and written, by kernels, for one segment after the other: its regions (posting-layout.ts) grow
 * as they must.
 */
export class PostingMemory {
  readonly kernels: PostingKernels;
  /** All of it, as it is: others after every `ensure`. */
  bytes: Uint8Array<ArrayBuffer>;
  numbers: Uint32Array;
  doubles: Float64Array;
  readonly #memory: ReturnType<typeof startGrowing>['memory'];
  readonly #begins: number[] = [];
  readonly #sizes: number[] = [];
  #end = FIRST_REGION;
  #timesLittle = 0;

  constructor() {
    const { memory, exports } = startGrowing(kernels(), 1, MOST_PAGES);
    this.#memory = memory;
    this.kernels = exports as unknown as PostingKernels;
    this.bytes = new Uint8Array(memory.buffer);
    this.numbers = new Uint32Array(memory.buffer);
    this.doubles = new Float64Array(memory.buffer);
    for (const _region of REGIONS) {
      this.#begins.push(this.#end);
      this.#sizes.push(0);
    }
    for (const region of REGIONS) this.ensure(region, FIRST_BYTES);
    new Uint16Array(memory.buffer, MARKS, MARKED_FORMS).set(FORM_MARKS.subarray(0, MARKED_FORMS));
    new Float64Array(memory.buffer, BOUNDS, BOUND_VALUES.length).set(BOUND_VALUES);
    this.bytes.set(BOUND_STEPS, BYTE_OF_STEP);
    this.clear();
  }

  /** Nothing is gathered yet. */
  clear(): void {
    for (const region of ['terms', 'codes'] as const) {
      const begin = this.begin(region);
      this.bytes.fill(0, begin, begin + this.size(region));
    }
    this.numbers.fill(NO_CODE, BODY_CODES / 4, BODY_CODES / 4 + MOST_BODY_CODES);
    this.numbers[NEXT_POSTING / 4] = 1;
    this.numbers[NEXT_PLACE / 4] = 0;
  }

  begin(region: Region): number {
    return this.#begins[REGIONS.indexOf(region)];
  }

  size(region: Region): number {
    return this.#sizes[REGIONS.indexOf(region)];
  }

  /** Makes room in a region for so many bytes; of those that are counted in what is new is all zeros. */
  ensure(region: Region, bytes: number): void {
    const at = REGIONS.indexOf(region);
    const size = this.#sizes[at];
    if (size >= bytes) return;
    const more = 64 * Math.ceil(Math.max(bytes, 2 * size) / 64) - size;
    const end = this.#end + more;
    if (end > this.bytes.length) {
      this.#memory.grow(Math.ceil((end - this.bytes.length) / PAGE));
      const { buffer } = this.#memory;
      this.bytes = new Uint8Array(buffer);
      this.numbers = new Uint32Array(buffer);
      this.doubles = new Float64Array(buffer);
    }
    const behind = this.#begins[at] + size;
    this.bytes.copyWithin(behind + more, behind, this.#end);
    if (ZEROED.has(region)) this.bytes.fill(0, behind, behind + more);
    this.#end = end;
    this.#sizes[at] = size + more;
    for (let next = at + 1; next < REGIONS.length; next++) this.#begins[next] += more;
    for (const name of REGIONS) this.numbers[headOf(name) / 4] = this.begin(name);
  }

  /** This one, with nothing in it, or another where it has become too large. */
  forNext(): PostingMemory {
    const size = this.size('postings');
    const isLittle = size > SMALL_BYTES && this.numbers[NEXT_PLACE / 4] < LEAST_USED * size;
    this.#timesLittle = isLittle ? this.#timesLittle + 1 : 0;
    if (this.bytes.length > KEPT_BYTES || this.#timesLittle >= MOST_TIMES_LITTLE) return new PostingMemory();
    this.clear();
    return this;
  }
}
