import { FIELDS } from '../fields.ts';
import { anchorWeightOfLevel, EXACT_FREQUENCY, frequencyOfLevel } from './quantise.ts';

const COUNT = FIELDS.length;
const ANCHORS = FIELDS.indexOf('anchors');
const BODY = FIELDS.indexOf('body');

/**
 * How often a term occurs in each field of a document, as one small number: the few combinations that are common get
 * the smallest codes, so that a posting spends two or three bits on all six frequencies.
 */
export class CodeTable {
  size: number;
  /** Six levels per code. These and the others may go on behind the last code. */
  levels: Uint8Array;
  /** Postings with each code. */
  uses: Uint32Array;
  /** Occurrences of a posting with this code; -1 where the levels do not tell it exactly. */
  occurrences: Int32Array;
  /** The frequency in the body where that is the only field; else -1. */
  bodyOnly: Float64Array;
  /** The fields that hold the term, a bit for each. */
  fields: Uint8Array;
  #codes: Map<number, number> | undefined;

  constructor(levels: Uint8Array, uses: Uint32Array) {
    this.size = uses.length;
    this.levels = levels;
    this.uses = uses;
    this.occurrences = new Int32Array(uses.length);
    this.bodyOnly = new Float64Array(uses.length);
    this.fields = new Uint8Array(uses.length);
    for (let code = 0; code < uses.length; code++) this.#describe(code);
  }

  /** The code of six levels, a new one where there is none yet. */
  codeOf(levels: Uint8Array): number {
    if (this.#codes === undefined) {
      this.#codes = new Map();
      for (let code = 0; code < this.size; code++) this.#codes.set(keyOf(this.levels, code * COUNT), code);
    }
    const key = keyOf(levels, 0);
    const known = this.#codes.get(key);
    if (known !== undefined) return known;
    const code = this.size++;
    this.#codes.set(key, code);
    if (code === this.uses.length) this.#grow();
    this.levels.set(levels, code * COUNT);
    this.#describe(code);
    return code;
  }

  #describe(code: number): void {
    let sum = 0;
    let others = 0;
    let fields = 0;
    for (let field = 0; field < COUNT; field++) {
      const level = this.levels[code * COUNT + field];
      if (level > EXACT_FREQUENCY || (field === ANCHORS && level > 0)) sum = Number.NaN;
      sum += level;
      if (field !== BODY) others += level;
      if (level > 0) fields |= 1 << field;
    }
    this.fields[code] = fields;
    this.occurrences[code] = Number.isNaN(sum) ? -1 : sum;
    this.bodyOnly[code] = others === 0 ? frequencyOfLevel(this.levels[code * COUNT + BODY]) : -1;
  }

  #grow(): void {
    const room = Math.max(64, this.uses.length * 2);
    const enlarged = <A extends Uint8Array | Uint32Array | Int32Array | Float64Array>(larger: A, held: A): A => {
      larger.set(held);
      return larger;
    };
    this.levels = enlarged(new Uint8Array(room * COUNT), this.levels);
    this.uses = enlarged(new Uint32Array(room), this.uses);
    this.occurrences = enlarged(new Int32Array(room), this.occurrences);
    this.bodyOnly = enlarged(new Float64Array(room), this.bodyOnly);
    this.fields = enlarged(new Uint8Array(room), this.fields);
  }

  /** Whether its frequencies are those of the posting, not rounded ones. */
  isExact(code: number): boolean {
    for (let at = code * COUNT; at < (code + 1) * COUNT; at++) if (this.levels[at] > EXACT_FREQUENCY) return false;
    return true;
  }

  /** The frequency (in anchors: the sum of weights) that a code stands for. */
  frequency(code: number, field: number): number {
    const level = this.levels[code * COUNT + field];
    return field === ANCHORS ? anchorWeightOfLevel(level) : frequencyOfLevel(level);
  }
}

/** Six levels as one number: 48 bits. */
function keyOf(levels: Uint8Array, from: number): number {
  let key = 0;
  for (let field = 0; field < COUNT; field++) key = key * 256 + levels[from + field];
  return key;
}

/** Gives out provisional codes while postings are gathered; `sorted` then puts the common ones first. */
export class CodeCounter {
  readonly #codes = new Map<number, number[]>();
  #levels = new Uint8Array(COUNT * 64);
  #uses = new Uint32Array(64);
  #size = 0;

  /** The provisional code of six levels, counted `uses` times more. */
  code(levels: Uint8Array, from: number, uses: number): number {
    let hash = 0;
    for (let field = 0; field < COUNT; field++) hash = (Math.imul(hash, 31) + levels[from + field]) | 0;
    const known = this.#codes.get(hash);
    if (known !== undefined) {
      for (const code of known) {
        if (this.#same(code, levels, from)) {
          this.#uses[code] += uses;
          return code;
        }
      }
    }
    if (this.#size === this.#uses.length) this.#grow();
    const code = this.#size++;
    this.#levels.set(levels.subarray(from, from + COUNT), code * COUNT);
    this.#uses[code] = uses;
    if (known === undefined) this.#codes.set(hash, [code]);
    else known.push(code);
    return code;
  }

  count(code: number): void {
    this.#uses[code]++;
  }

  /** The lasting table, and the lasting code of each provisional one. */
  sorted(): { readonly table: CodeTable; readonly lasting: Uint32Array } {
    const order = Array.from({ length: this.#size }, (_, code) => code).sort((a, b) => this.#uses[b] - this.#uses[a]);
    const lasting = new Uint32Array(this.#size);
    const levels = new Uint8Array(this.#size * COUNT);
    const uses = new Uint32Array(this.#size);
    for (const [at, code] of order.entries()) {
      lasting[code] = at;
      uses[at] = this.#uses[code];
      levels.set(this.#levels.subarray(code * COUNT, (code + 1) * COUNT), at * COUNT);
    }
    return { table: new CodeTable(levels, uses), lasting };
  }

  #same(code: number, levels: Uint8Array, from: number): boolean {
    for (let field = 0; field < COUNT; field++)
      if (this.#levels[code * COUNT + field] !== levels[from + field]) return false;
    return true;
  }

  #grow(): void {
    const levels = new Uint8Array(this.#levels.length * 2);
    levels.set(this.#levels);
    this.#levels = levels;
    const uses = new Uint32Array(this.#uses.length * 2);
    uses.set(this.#uses);
    this.#uses = uses;
  }
}
