import { DISTANCE_0, END_OF_BLOCK, LENGTH_3, TOKENS } from './deflate-kernel.ts';
import { canonicalCodes, huffmanLengths } from './huffman-lengths.ts';

/** Symbols of DEFLATE: literals, end of block and classes of lengths in one alphabet, classes of distances in another. */
const LITERALS_AND_LENGTHS = 286;
const DISTANCES = 30;
const MAX_LENGTH = 15;
/** In which order the header tells the code in which it tells the codes. */
const HEADER_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const MAX_HEADER = 320;

/** What a symbol weighs that was never seen: it may come all the same, and must have a code. */
const UNSEEN = 1 / 16;
/** The code is made anew after so many blocks; what came before counts half then. */
const BLOCKS_PER_LESSON = 16;

const { symbolOf, extraBits, extra } = symbolsOfTokens();

/**
 * A Huffman code learnt from the blocks before, with the block header that tells it. Making a code for each block would
 * cost a second pass over its tokens; pages of one crawl are so alike that the code of the last ones does nearly as well.
 */
export class LearntCode {
  /** See deflate-kernel.ts; all zero before anything was learnt. */
  readonly bitsOfTokens = new Uint32Array(TOKENS);
  /** Begins with a bit that is set in the last block, here 0. */
  readonly header = new Uint8Array(MAX_HEADER);
  #headerBits = 0;
  readonly #seen = new Float64Array(LITERALS_AND_LENGTHS + DISTANCES);
  #blocks = 0;

  /** 0 before anything was learnt. */
  get headerBits(): number {
    return this.#headerBits;
  }

  /** Forgets the blocks before and takes the code that suits this tally. */
  learnAnew(tally: Uint32Array): void {
    this.#seen.fill(0);
    this.#blocks = 0;
    this.#add(tally);
    this.#learn();
    this.#seen.fill(0);
  }

  /** A block was written with this code. */
  learnFrom(tally: Uint32Array): void {
    this.#add(tally);
    if (++this.#blocks % BLOCKS_PER_LESSON !== 0) return;
    this.#learn();
    for (let symbol = 0; symbol < this.#seen.length; symbol++) this.#seen[symbol] /= 2;
  }

  #add(tally: Uint32Array): void {
    const seen = this.#seen;
    for (let token = 0; token < TOKENS; token++) seen[symbolOf[token]] += tally[token];
  }

  #learn(): void {
    const weights = this.#seen.map((count) => count + UNSEEN);
    const literals = huffmanLengths(weights.subarray(0, LITERALS_AND_LENGTHS), MAX_LENGTH);
    const distances = huffmanLengths(weights.subarray(LITERALS_AND_LENGTHS), MAX_LENGTH);
    const lengths = Uint8Array.of(...literals, ...distances);
    const codes = [...canonicalCodes(literals), ...canonicalCodes(distances)];
    for (let token = 0; token < TOKENS; token++) {
      const symbol = symbolOf[token];
      // The extra bits of a distance depend on the distance: the kernel adds them itself.
      const own = token < DISTANCE_0 ? extraBits[token] : 0;
      const bits = codes[symbol] | (extra[token] << lengths[symbol]);
      this.bitsOfTokens[token] = (bits << 8) | (lengths[symbol] + own);
    }
    this.#headerBits = writeHeader(lengths, this.header);
  }
}

/** Bits that a block of these tokens takes at least, whatever the code. */
export function leastBits(tally: Uint32Array): number {
  const counts = new Float64Array(LITERALS_AND_LENGTHS + DISTANCES);
  let bits = 0;
  for (let token = 0; token < TOKENS; token++) {
    counts[symbolOf[token]] += tally[token];
    bits += tally[token] * extraBits[token];
  }
  bits += entropy(counts.subarray(0, LITERALS_AND_LENGTHS)) + entropy(counts.subarray(LITERALS_AND_LENGTHS));
  return bits;
}

function entropy(counts: Float64Array): number {
  let total = 0;
  let sum = 0;
  for (const count of counts) {
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
  to.fill(0);
  let at = 0;
  const put = (value: number, count: number): void => {
    for (let bit = 0; bit < count; bit++, at++) to[at >> 3] |= ((value >> bit) & 1) << (at & 7);
  };
  put(0, 1);
  put(2, 2);
  put(LITERALS_AND_LENGTHS - 257, 5);
  put(DISTANCES - 1, 5);
  put(HEADER_ORDER.length - 4, 4);
  for (const symbol of HEADER_ORDER) put(headerLengths[symbol], 3);
  for (const [symbol, repeats] of runs) {
    put(headerCodes[symbol], headerLengths[symbol]);
    if (symbol === 16) put(repeats, 2);
  }
  return at;
}

/** The lengths with their repetitions told by symbol 16: the last length again, three to six times. */
function runsOf(lengths: Uint8Array): [symbol: number, repeats: number][] {
  const runs: [number, number][] = [];
  for (let at = 0; at < lengths.length; ) {
    const length = lengths[at];
    runs.push([length, 0]);
    at++;
    for (;;) {
      let run = 0;
      while (run < 6 && lengths[at + run] === length) run++;
      if (run < 3) break;
      runs.push([16, run - 3]);
      at += run;
    }
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
