import { DISTANCE_0, END_OF_BLOCK, LENGTH_3, STRIDE, TOKENS } from './deflate-kernel.ts';
import { canonicalCodes, huffmanLengths } from './huffman-lengths.ts';

/** Symbols of DEFLATE: literals, end of block and classes of lengths in one alphabet, classes of distances in another. */
const LITERALS_AND_LENGTHS = 286;
const DISTANCES = 30;
const MAX_LENGTH = 15;
/** In which order the header tells the code in which it tells the codes. */
const HEADER_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const REPEAT = 16;
const MAX_HEADER = 320;

/** A symbol seen once weighs so many times as much as one that never was, which may come all the same. */
const SEEN = 16;
/** Blocks from one lesson to the next: few at first, twice as many each time. */
const FIRST_LESSON = 4;
const LONGEST_INTERVAL = 1024;
/** When intervals are long, one block in this many is counted: the others are like it, and adding up takes time. */
const LONG_INTERVAL = 64;
const SAMPLE = 4;
/** A block that the code did not suit brings the next lesson nearer by this many. */
const HURRY = 8;

const { symbolOf, extraBits, extra } = symbolsOfTokens();

/**
 * A Huffman code learnt from the blocks before, with the block header that tells it. Making a code for each block would
 * cost a second pass over its tokens; pages of one crawl are so alike that the code of the last ones does nearly as well.
 */
export class LearntCode {
  /** See deflate-kernel.ts; all zero before anything was learnt. */
  readonly bitsOfTokens = new Uint32Array(TOKENS * STRIDE);
  /** Begins with a bit that is set in the last block, here 0. */
  readonly header = new Uint8Array(MAX_HEADER);
  #headerBits = 0;
  readonly #seen = new Float64Array(LITERALS_AND_LENGTHS + DISTANCES);
  readonly #scratch = new Float64Array(LITERALS_AND_LENGTHS + DISTANCES);
  #blocks = 0;
  #interval = FIRST_LESSON;
  #untilLesson = FIRST_LESSON;

  /** 0 before anything was learnt. */
  get headerBits(): number {
    return this.#headerBits;
  }

  /** Forgets the blocks before and takes the code that suits this tally. */
  learnAnew(tally: Uint32Array): void {
    this.#seen.fill(0);
    addUp(tally, this.#seen);
    this.#learn();
    this.#interval = FIRST_LESSON;
    this.#untilLesson = FIRST_LESSON;
  }

  /** A block was written. */
  learnFrom(tally: Uint32Array, suited: boolean): void {
    // Whether it is counted must not depend on whether it was suited: the rare kinds would outweigh the usual one.
    if (this.#interval <= LONG_INTERVAL || this.#blocks % SAMPLE === 0) addUp(tally, this.#seen);
    this.#blocks++;
    this.#untilLesson -= suited ? 1 : HURRY;
    if (this.#untilLesson > 0) return;
    this.#learn();
    // What is long past counts less and less.
    for (let symbol = 0; symbol < this.#seen.length; symbol++) this.#seen[symbol] /= 2;
    this.#interval = Math.min(2 * this.#interval, LONGEST_INTERVAL);
    this.#untilLesson = this.#interval;
  }

  /** Bits that these tokens take at least, whatever the code. */
  leastBits(tally: Uint32Array): number {
    const counts = this.#scratch.fill(0);
    addUp(tally, counts);
    let bits = entropy(counts, 0, LITERALS_AND_LENGTHS) + entropy(counts, LITERALS_AND_LENGTHS, counts.length);
    for (let token = LENGTH_3; token < TOKENS; token++) bits += tally[token * STRIDE] * extraBits[token];
    return bits;
  }

  #learn(): void {
    const weights = this.#seen.map((count) => Math.round(count * SEEN) + 1);
    const literals = huffmanLengths(weights.subarray(0, LITERALS_AND_LENGTHS), MAX_LENGTH);
    const distances = huffmanLengths(weights.subarray(LITERALS_AND_LENGTHS), MAX_LENGTH);
    const lengths = Uint8Array.of(...literals, ...distances);
    const codes = [...canonicalCodes(literals), ...canonicalCodes(distances)];
    for (let token = 0; token < TOKENS; token++) {
      const symbol = symbolOf[token];
      // The extra bits of a distance depend on the distance: the kernel adds them itself.
      const own = token < DISTANCE_0 ? extraBits[token] : 0;
      const bits = codes[symbol] | (extra[token] << lengths[symbol]);
      const count = lengths[symbol] + own;
      this.bitsOfTokens[token * STRIDE] = count;
      this.bitsOfTokens[token * STRIDE + 1] = bits << (32 - count);
    }
    this.#headerBits = writeHeader(lengths, this.header);
  }
}

function addUp(tally: Uint32Array, symbols: Float64Array): void {
  for (let token = 0; token < TOKENS; token++) symbols[symbolOf[token]] += tally[token * STRIDE];
}

/** In bits, of all the symbols together. */
function entropy(counts: Float64Array, from: number, to: number): number {
  let total = 0;
  let sum = 0;
  for (let symbol = from; symbol < to; symbol++) {
    const count = counts[symbol];
    if (count === 0) continue;
    total += count;
    sum += count * Math.log2(count);
  }
  return total === 0 ? 0 : total * Math.log2(total) - sum;
}

/** The header of a block with codes of its own, from its first bit on. Returns the number of bits. */
function writeHeader(lengths: Uint8Array, to: Uint8Array): number {
  const runs = runsOf(lengths);
  const weights = new Float64Array(HEADER_ORDER.length);
  for (const [symbol] of runs) weights[symbol]++;
  const headerLengths = huffmanLengths(weights, 7);
  const headerCodes = canonicalCodes(headerLengths);
  let octets = 0;
  let buffer = 0;
  let bits = 0;
  const put = (value: number, count: number): void => {
    buffer |= value << bits;
    bits += count;
    for (; bits >= 8; bits -= 8, buffer >>= 8) to[octets++] = buffer;
  };
  put(0, 1);
  put(2, 2);
  put(LITERALS_AND_LENGTHS - 257, 5);
  put(DISTANCES - 1, 5);
  put(HEADER_ORDER.length - 4, 4);
  for (const symbol of HEADER_ORDER) put(headerLengths[symbol], 3);
  for (const [symbol, repeats] of runs) {
    put(headerCodes[symbol], headerLengths[symbol]);
    if (symbol === REPEAT) put(repeats - 3, 2);
  }
  to[octets] = buffer;
  return octets * 8 + bits;
}

/** The lengths, and in the place of repetitions how often, three to six times, the last one comes again. */
function runsOf(lengths: Uint8Array): [symbol: number, repeats: number][] {
  const runs: [number, number][] = [];
  let at = 0;
  while (at < lengths.length) {
    let repeats = 0;
    if (at > 0) while (repeats < 6 && lengths[at + repeats] === lengths[at - 1]) repeats++;
    if (repeats >= 3) runs.push([REPEAT, repeats]);
    else runs.push([lengths[at], 0]);
    at += repeats >= 3 ? repeats : 1;
  }
  return runs;
}

/** The symbol of each token (those of distances after the others), and the bits that tell it from others of its symbol. */
function symbolsOfTokens(): { symbolOf: Uint16Array; extraBits: Uint8Array; extra: Uint8Array } {
  const symbolOf = new Uint16Array(TOKENS);
  const extraBits = new Uint8Array(TOKENS);
  const extra = new Uint8Array(TOKENS);
  for (let token = 0; token <= END_OF_BLOCK; token++) symbolOf[token] = token;
  let token = LENGTH_3;
  for (let group = 0; group < 28; group++) {
    const bits = group < 8 ? 0 : (group >> 2) - 1;
    for (let value = 0; value < 1 << bits; value++, token++) {
      symbolOf[token] = 257 + group;
      extraBits[token] = bits;
      extra[token] = value;
    }
  }
  // The longest match has a symbol to itself, which is cheaper.
  symbolOf[DISTANCE_0 - 1] = LITERALS_AND_LENGTHS - 1;
  extraBits[DISTANCE_0 - 1] = 0;
  extra[DISTANCE_0 - 1] = 0;
  for (let group = 0; group < DISTANCES; group++) {
    symbolOf[DISTANCE_0 + group] = LITERALS_AND_LENGTHS + group;
    extraBits[DISTANCE_0 + group] = group < 4 ? 0 : (group >> 1) - 1;
  }
  return { symbolOf, extraBits, extra };
}
