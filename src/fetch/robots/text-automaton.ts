import type { StepMeter } from './robots-pattern.ts';

/** Characters below this are found in a table at the root, where most searches begin. */
const TABLE = 128;
const NODE_BYTES = 22;

/**
 * Texts in one automaton that finds all their occurrences in a single pass (Aho and Corasick). Nodes are numbers, 0 is the
 * root; typed arrays keep a file of 500 KiB at some 11 MB, where objects would take a multiple.
 */
export class TextAutomaton {
  readonly #codes: Uint16Array;
  readonly #firstChild: Uint32Array;
  readonly #nextSibling: Uint32Array;
  readonly #fail: Uint32Array;
  /** The longest text that ends here, as node; the node itself where one does. */
  readonly #longest: Uint32Array;
  /** By node: number of the text that ends here plus 1. */
  readonly #texts: Uint32Array;
  readonly #rootTable = new Uint32Array(TABLE);
  #size = 1;

  /** `texts` are distinct and not empty. */
  constructor(texts: readonly string[]) {
    const most = texts.reduce((sum, { length }) => sum + length, 1);
    this.#codes = new Uint16Array(most);
    this.#firstChild = new Uint32Array(most);
    this.#nextSibling = new Uint32Array(most);
    this.#fail = new Uint32Array(most);
    this.#longest = new Uint32Array(most);
    this.#texts = new Uint32Array(most);
    const meter = { steps: 0 };
    for (const [number, text] of texts.entries()) this.#insert(text, number, meter);
    this.#link(meter);
  }

  get bytes(): number {
    return this.#codes.length * NODE_BYTES;
  }

  /** The node of the longest beginning of a text that ends with the next character. */
  next(node: number, code: number, meter: StepMeter): number {
    let from = node;
    for (;;) {
      const child = this.#child(from, code, meter);
      if (child !== 0 || from === 0) return child;
      from = this.#fail[from];
    }
  }

  /** The node of the longest text that ends at this node, or 0. */
  longestEnd(node: number): number {
    return this.#longest[node];
  }

  /** The node of the next shorter text that ends there too, or 0. */
  shorterEnd(node: number): number {
    return this.#longest[this.#fail[node]];
  }

  /** The number of the text that ends at this node. */
  textAt(node: number): number {
    return this.#texts[node] - 1;
  }

  #insert(text: string, number: number, meter: StepMeter): void {
    let node = 0;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      let child = this.#child(node, code, meter);
      if (child === 0) {
        child = this.#size++;
        this.#codes[child] = code;
        this.#nextSibling[child] = this.#firstChild[node];
        this.#firstChild[node] = child;
        if (node === 0 && code < TABLE) this.#rootTable[code] = child;
      }
      node = child;
    }
    this.#texts[node] = number + 1;
  }

  /** Breadth-first, so that a node's shorter ends are known before it. */
  #link(meter: StepMeter): void {
    const queue = new Uint32Array(this.#size);
    let end = 1;
    for (let at = 0; at < end; at++) {
      const node = queue[at];
      for (let child = this.#firstChild[node]; child !== 0; child = this.#nextSibling[child]) {
        this.#fail[child] = node === 0 ? 0 : this.next(this.#fail[node], this.#codes[child], meter);
        this.#longest[child] = this.#texts[child] === 0 ? this.#longest[this.#fail[child]] : child;
        queue[end++] = child;
      }
    }
  }

  #child(node: number, code: number, meter: StepMeter): number {
    if (node === 0 && code < TABLE) {
      meter.steps++;
      return this.#rootTable[code];
    }
    let child = this.#firstChild[node];
    for (; child !== 0 && this.#codes[child] !== code; child = this.#nextSibling[child]) meter.steps++;
    meter.steps++;
    return child;
  }
}
