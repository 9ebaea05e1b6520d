/** Pages and links: those of page n are `targets[starts[n]] … targets[starts[n + 1] - 1]`, in page order, each once. */
export interface RecordedGraph {
  readonly urls: readonly string[];
  readonly starts: Uint32Array;
  readonly targets: Uint32Array;
  /** The words of each link, in the order of `targets`, where they are known. */
  readonly anchors?: readonly string[];
  /** What each page says, or at least its title, where it is known. */
  readonly texts?: readonly string[];
  /** Lines of its file that were taken for the rest of a link's words. */
  readonly passedOver?: number;
}

/** Takes links in any order; those of a page keep theirs. Repeated ones and those of a page to itself are left out. */
export class RecordedGraphBuilder {
  #from = new Uint32Array(1024);
  #to = new Uint32Array(1024);
  #count = 0;
  readonly #anchors: string[] = [];

  /** Either all links come with their words or none. */
  add(from: number, to: number, anchor?: string): void {
    if (this.#count === this.#from.length) {
      this.#from = doubled(this.#from);
      this.#to = doubled(this.#to);
    }
    this.#from[this.#count] = from;
    this.#to[this.#count++] = to;
    if (anchor !== undefined) this.#anchors.push(anchor);
  }

  build(urls: readonly string[]): RecordedGraph {
    const nodes = urls.length;
    const starts = new Uint32Array(nodes + 1);
    for (let at = 0; at < this.#count; at++) starts[this.#from[at] + 1]++;
    for (let node = 0; node < nodes; node++) starts[node + 1] += starts[node];
    const bySource = new Uint32Array(this.#count);
    const next = starts.slice(0, nodes);
    for (let at = 0; at < this.#count; at++) bySource[next[this.#from[at]]++] = at;
    const kept = this.#withoutRepeats(starts, bySource);
    const anchors = this.#anchors;
    return {
      urls,
      starts,
      targets: kept.map((at) => this.#to[at]),
      ...(anchors.length < this.#count ? {} : { anchors: Array.from(kept, (at) => anchors[at]) }),
    };
  }

  /** The links that are kept, of each page in its order; `starts` then counts these. */
  #withoutRepeats(starts: Uint32Array, bySource: Uint32Array): Uint32Array {
    const nodes = starts.length - 1;
    // The page that last had a link to each target, plus one.
    const seenBy = new Uint32Array(nodes);
    let kept = 0;
    let start = 0;
    for (let node = 0; node < nodes; node++) {
      const end = starts[node + 1];
      starts[node] = kept;
      for (let at = start; at < end; at++) {
        const target = this.#to[bySource[at]];
        if (target === node || seenBy[target] === node + 1) continue;
        seenBy[target] = node + 1;
        bySource[kept++] = bySource[at];
      }
      start = end;
    }
    starts[nodes] = kept;
    return bySource.subarray(0, kept);
  }
}

function doubled(values: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * values.length);
  larger.set(values);
  return larger;
}
