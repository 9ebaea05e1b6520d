import { ByteWriter } from '../../base/byte-writer.ts';

/** A code takes 12 bits at most. */
const MOST_CODES = 4096;
/** Codes below stand for the octet itself. */
const OCTETS = 256;
const LONGEST = 24;

/**
 * Texts that are frequent in the keys of a run, each with a code of few bits, and a code for every octet. A text is written as codes, the longest that
 * fits first. Unlike what a general compressor writes, any part can be read by itself, at the price of a look into a table.
 */
export class SymbolTable {
  /** Bits of a code. */
  readonly width: number;
  readonly size: number;
  /** The text of code c is `texts` from `starts[c]` to `starts[c + 1]`. */
  readonly texts: Buffer;
  readonly starts: Uint32Array;
  /** The table as it is written; the octets go without saying. */
  readonly packed: Buffer;

  /** `symbols`: at most 3840 texts of 2 to 24 octets. */
  constructor(symbols: readonly Uint8Array[]) {
    const texts = new ByteWriter();
    const packed = new ByteWriter();
    this.size = OCTETS + symbols.length;
    this.starts = new Uint32Array(this.size + 1);
    for (let octet = 0; octet < OCTETS; octet++) {
      texts.byte(octet);
      this.starts[octet + 1] = texts.length;
    }
    for (const [at, symbol] of symbols.entries()) {
      texts.bytes(symbol);
      packed.byte(symbol.length);
      packed.bytes(symbol);
      this.starts[OCTETS + at + 1] = texts.length;
    }
    this.texts = Buffer.from(texts.written);
    this.packed = Buffer.from(packed.written);
    this.width = Math.ceil(Math.log2(this.size));
  }

  /** Undefined where the bytes are no table. */
  static unpack(packed: Uint8Array): SymbolTable | undefined {
    const symbols: Uint8Array[] = [];
    let at = 0;
    while (at < packed.length) {
      const length = packed[at];
      symbols.push(packed.subarray(at + 1, at + 1 + length));
      at += 1 + length;
    }
    return at === packed.length && symbols.length <= MOST_CODES - OCTETS ? new SymbolTable(symbols) : undefined;
  }
}

/** Finds codes for text: a trie over the symbols. */
export class SymbolMatcher {
  /** Octets that occur in symbols have a number above 0. */
  readonly #classes = new Uint8Array(OCTETS);
  readonly #classCount: number;
  /** By node and class the next node; 0 is none. */
  #next: Uint32Array;
  /** By node the code of the symbol that ends there; 0 where none does. */
  #codes: Uint16Array;
  #nodes = 1;

  constructor({ texts, starts, size }: SymbolTable) {
    let classes = 1;
    for (let at = OCTETS; at < texts.length; at++) {
      if (this.#classes[texts[at]] === 0 && classes < OCTETS) this.#classes[texts[at]] = classes++;
    }
    this.#classCount = classes;
    this.#next = new Uint32Array(1024 * classes);
    this.#codes = new Uint16Array(1024);
    for (let code = OCTETS; code < size; code++) this.#insert(texts, starts[code], starts[code + 1], code);
  }

  /** The code of the longest symbol that the text has at a place, or of the octet there. */
  codeAt(text: Uint8Array, start: number, end: number): number {
    let node = 0;
    let found = text[start];
    for (let at = start; at < end; at++) {
      const kind = this.#classes[text[at]];
      if (kind === 0) break;
      node = this.#next[node * this.#classCount + kind];
      if (node === 0) break;
      if (this.#codes[node] !== 0) found = this.#codes[node];
    }
    return found;
  }

  #insert(texts: Buffer, start: number, end: number, code: number): void {
    let node = 0;
    for (let at = start; at < end; at++) {
      const kind = this.#classes[texts[at]];
      // More than 255 octets cannot be told apart; a symbol with the last one is not found.
      if (kind === 0) return;
      const place = node * this.#classCount + kind;
      node = this.#next[place];
      if (node !== 0) continue;
      node = this.#nodes++;
      if (node === this.#codes.length) this.#grow();
      this.#next[place] = node;
    }
    this.#codes[node] = code;
  }

  #grow(): void {
    const next = new Uint32Array(this.#next.length * 2);
    next.set(this.#next);
    this.#next = next;
    const codes = new Uint16Array(this.#codes.length * 2);
    codes.set(this.#codes);
    this.#codes = codes;
  }
}

/** The table of a run with keys like these for which no table pays. */
export function plainTable(): SymbolTable {
  return new SymbolTable([]);
}

const ROUNDS = 6;
/** Of so many rests of keys a table knows one symbol: a larger table would take more than it saves. */
const RESTS_PER_SYMBOL = 12;

/**
 * Learns a table from a sample. In each round the sample is written by the table so far, and symbols and pairs of neighbours compete by the octets that they
 * would cover: the symbols grow, and those that longer ones have made needless drop out.
 *
 * `keys`: how many the table is for.
 */
export function learnSymbols(rests: readonly Uint8Array[], keys: number): SymbolTable {
  const most = Math.min(MOST_CODES - OCTETS, Math.floor(keys / RESTS_PER_SYMBOL));
  let table = plainTable();
  if (most < 1 || rests.length === 0) return table;
  for (let round = 0; round < ROUNDS; round++) table = nextTable(table, rests, most);
  return table;
}

function nextTable(table: SymbolTable, rests: readonly Uint8Array[], most: number): SymbolTable {
  const matcher = new SymbolMatcher(table);
  const { starts, texts } = table;
  const single = new Float64Array(table.size);
  const pairs = new Map<number, number>();
  for (const rest of rests) {
    let before = -1;
    for (let at = 0; at < rest.length; ) {
      const code = matcher.codeAt(rest, at, rest.length);
      const length = starts[code + 1] - starts[code];
      single[code]++;
      if (before >= 0 && starts[before + 1] - starts[before] + length <= LONGEST) {
        const pair = before * MOST_CODES + code;
        pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
      }
      before = code;
      at += length;
    }
  }
  const textOf = (code: number): string => texts.toString('latin1', starts[code], starts[code + 1]);
  const gains = new Map<string, number>();
  for (let code = OCTETS; code < table.size; code++) {
    if (single[code] > 1) gains.set(textOf(code), single[code] * (starts[code + 1] - starts[code]));
  }
  for (const [pair, count] of pairs) {
    if (count < 3) continue;
    const text = textOf(Math.floor(pair / MOST_CODES)) + textOf(pair % MOST_CODES);
    gains.set(text, Math.max(gains.get(text) ?? 0, count * text.length));
  }
  const best = [...gains].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, most);
  return new SymbolTable(best.map(([text]) => Buffer.from(text, 'latin1')));
}
