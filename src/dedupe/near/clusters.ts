/** Clusters of documents found alike. Clusters are transitive, similarity is not: the ends of a chain may differ more. */
export class Clusters<Document extends number | string> {
  /** Only documents that are like another have an entry. */
  readonly #parent = new Map<Document, Document>();
  readonly #size = new Map<Document, number>();

  join(a: Document, b: Document): void {
    let large = this.of(a);
    let small = this.of(b);
    if (large === small) return;
    if (this.#sizeOf(large) < this.#sizeOf(small)) [large, small] = [small, large];
    this.#size.set(large, this.#sizeOf(large) + this.#sizeOf(small));
    this.#size.delete(small);
    this.#parent.set(small, large);
    if (!this.#parent.has(large)) this.#parent.set(large, large);
  }

  /** The document that stands for the cluster of another; itself, if it is alone. Changes when clusters are joined. */
  of(document: Document): Document {
    let at = document;
    for (;;) {
      const parent = this.#parent.get(at) ?? at;
      if (parent === at) return at;
      const grandparent = this.#parent.get(parent) ?? parent;
      this.#parent.set(at, grandparent);
      at = grandparent;
    }
  }

  /** Clusters of at least two, the largest first; members in ascending order. */
  all(): Document[][] {
    const byRoot = Map.groupBy(this.#parent.keys(), (document) => this.of(document));
    const clusters = [...byRoot.values()].map((members) => members.sort(ascending));
    return clusters.sort((a, b) => b.length - a.length || ascending(a[0], b[0]));
  }

  #sizeOf(root: Document): number {
    return this.#size.get(root) ?? 1;
  }
}

function ascending(a: number | string, b: number | string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
