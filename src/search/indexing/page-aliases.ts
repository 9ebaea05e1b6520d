/** Beyond these, links to further copies and redirects count for nobody. */
const MOST_ALIASES = 1_000_000;
const MOST_HOPS = 8;

/** URLs behind which another page stands: exact copies, and redirects. */
export class PageAliases {
  readonly #originals = new Map<string, string>();
  readonly #aliases = new Map<string, string[]>();

  constructor(known: Iterable<readonly [alias: string, original: string]> = []) {
    for (const [alias, original] of known) this.add(alias, original);
  }

  add(alias: string, original: string): void {
    const before = this.#originals.get(alias);
    if (before === original || alias === original || this.#originals.size >= MOST_ALIASES) return;
    if (before !== undefined) this.remove(alias);
    this.#originals.set(alias, original);
    const others = this.#aliases.get(original);
    if (others === undefined) this.#aliases.set(original, [alias]);
    else others.push(alias);
  }

  /** The URL has a page of its own again. */
  remove(alias: string): void {
    const original = this.#originals.get(alias);
    if (original === undefined) return;
    this.#originals.delete(alias);
    const left = (this.#aliases.get(original) ?? []).filter((other) => other !== alias);
    if (left.length === 0) this.#aliases.delete(original);
    else this.#aliases.set(original, left);
  }

  /** Whatever leads to the URL, at once or by the way of others. */
  of(url: string): readonly string[] {
    const direct = this.#aliases.get(url);
    if (direct === undefined) return [];
    const found = new Set<string>();
    let next: readonly string[] = direct;
    for (let hops = 0; next.length > 0 && hops < MOST_HOPS; hops++) {
      const fresh = next.filter((alias) => alias !== url && !found.has(alias));
      for (const alias of fresh) found.add(alias);
      next = fresh.flatMap((alias) => this.#aliases.get(alias) ?? []);
    }
    return [...found];
  }

  /** The next on the way to the original. */
  directOf(url: string): string | undefined {
    return this.#originals.get(url);
  }

  originalOf(url: string): string {
    let at = url;
    for (let hops = 0; hops < MOST_HOPS; hops++) {
      const next = this.#originals.get(at);
      if (next === undefined) return at;
      at = next;
    }
    return at;
  }
}
