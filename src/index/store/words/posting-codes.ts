import { FIELDS } from '../../fields.ts';
import { ANCHOR_STEPS } from '../../format/anchor-sum.ts';
import { CodeTable } from '../../format/code-table.ts';
import { levelOfAnchorWeight, levelOfFrequency } from '../../format/quantise.ts';
import { BODY_CODES, CODE, MOST_BODY_CODES, NO_CODE, POSTING } from './posting-layout.ts';
import type { PostingMemory } from './posting-memory.ts';

const COUNT = FIELDS.length;
const BODY = FIELDS.indexOf('body');
const ANCHORS = FIELDS.indexOf('anchors');
const LEVEL_ROOM = 256;

/** Gives postings provisional codes while they are gathered; at the end it is known which are common, and get the smallest ones. */
export class PostingCodes {
  readonly #memory: PostingMemory;
  /** By the levels of all fields, as one number of 48 bits. */
  readonly #codes = new Map<number, number>();
  #levels = new Uint8Array(COUNT * 64);

  constructor(memory: PostingMemory) {
    this.#memory = memory;
  }

  /** Gives codes to `count` postings of the region `odd`. */
  give(count: number): void {
    const { numbers } = this.#memory;
    const odd = this.#memory.begin('odd') / 4;
    for (let at = odd; at < odd + 2 * count; at += 2)
      numbers[(numbers[at + 1] + POSTING.code) / 4] = this.#codeOf(numbers, numbers[at] / 4);
  }

  /** The records of the codes, as nothing is counted yet. */
  clear(): void {
    const memory = this.#memory;
    memory.ensure('codes', this.#codes.size * CODE.bytes);
    for (let code = 0, at = memory.begin('codes') / 4; code < this.#codes.size; code++, at += CODE.bytes / 4) {
      memory.numbers[at + CODE.uses / 4] = 0;
      memory.numbers[at + CODE.firstRank / 4] = NO_CODE;
    }
  }

  /** The lasting codes, when postings are counted: by how many have each, then in the order in which the terms have them. */
  last(): CodeTable {
    const { numbers, doubles } = this.#memory;
    const { size } = this.#codes;
    const begin = this.#memory.begin('codes') / 4;
    const of = (code: number, what: number): number => numbers[begin + (code * CODE.bytes + what) / 4];
    const order = Array.from({ length: size }, (_, code) => code).sort(
      (one, other) =>
        of(other, CODE.uses) - of(one, CODE.uses) ||
        of(one, CODE.firstRank) - of(other, CODE.firstRank) ||
        of(one, CODE.firstPosting) - of(other, CODE.firstPosting),
    );
    const levels = new Uint8Array(size * COUNT);
    for (const [at, code] of order.entries())
      levels.set(this.#levels.subarray(code * COUNT, (code + 1) * COUNT), at * COUNT);
    const uses = Uint32Array.from(order, (code) => of(code, CODE.uses));
    const table = new CodeTable(levels, uses);
    for (const [lasting, code] of order.entries()) {
      const at = begin + (code * CODE.bytes) / 4;
      numbers[at + CODE.lasting / 4] = lasting;
      numbers[at + CODE.occurrences / 4] = table.occurrences[lasting];
      numbers[at + CODE.fields / 4] = table.fields[lasting];
      for (let field = 0; field < COUNT; field++)
        doubles[at / 2 + CODE.frequencies / 8 + field] = table.frequency(lasting, field);
    }
    return table;
  }

  #codeOf(numbers: Uint32Array, group: number): number {
    let key = 0;
    let all = 0;
    for (let field = 0; field < COUNT; field++) {
      const count = numbers[group + 2 * field];
      all += count;
      const level =
        field === ANCHORS
          ? levelOfAnchorWeight(numbers[group + 2 * field + 1] / ANCHOR_STEPS)
          : levelOfFrequency(count);
      key = key * LEVEL_ROOM + level;
    }
    const code = this.#codes.get(key) ?? this.#add(key);
    // Others of the body alone with as many words are given it by the kernel.
    if (all === numbers[group + 2 * BODY] && all < MOST_BODY_CODES) numbers[BODY_CODES / 4 + all] = code;
    return code;
  }

  #add(key: number): number {
    const code = this.#codes.size;
    this.#codes.set(key, code);
    if ((code + 1) * COUNT > this.#levels.length) {
      const larger = new Uint8Array(2 * this.#levels.length);
      larger.set(this.#levels);
      this.#levels = larger;
    }
    for (let field = COUNT - 1, rest = key; field >= 0; field--) {
      this.#levels[code * COUNT + field] = rest % LEVEL_ROOM;
      rest = Math.floor(rest / LEVEL_ROOM);
    }
    return code;
  }
}
