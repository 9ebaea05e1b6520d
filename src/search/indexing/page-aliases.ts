/** Beyond these, links to further copies and redirects count for nobody. */
const MOST_ALIASES = 1_000_000;
const MOST_HOPS = 8;

/** URLs behind which another page stands: exact copies, and redirects. */
export class PageAliases {
  readonly #originals = new Map<string, string>();
  /** Most originals have a single one: a list of its own would take more than its text. */
  readonly #aliases = new Map<string, string | string[]>();

  constructor(known: Iterable<readonly [alias: string, original: string]> = []) {
    for (const [alias, original] of known) this.add(alias, original);
  }

  add(alias: string, original: string): void {
    const before = this.#originals.get(alias);
    if (before === original || alias === original || this.#originals.size >= MOST_ALIASES) return;
    if (before !== undefined) this.remove(alias);
    const kept = ownCopy(alias);
    const keptOriginal = ownCopy(original);
    this.#originals.set(kept, keptOriginal);
    const others = this.#aliases.get(original);
    if (others === undefined) this.#aliases.set(keptOriginal, kept);
    else if (typeof others === 'string') this.#aliases.set(original, [others, kept]);
    else others.push(kept);
  }

  /** The URL has a page of its own again. */
  remove(alias: string): void {
    const original = this.#originals.get(alias);
    if (original === undefined) return;
    this.#originals.delete(alias);
    const left = this.#direct(original).filter((other) => other !== alias);
    if (left.length === 0) this.#aliases.delete(original);
    else this.#aliases.set(original, left.length === 1 ? left[0] : left);
  }

  /** Whatever leads to the URL, at once or by the way of others. */
  of(url: string): readonly string[] {
    const direct = this.#direct(url);
    if (direct.length === 0) return direct;
    const found = new Set<string>();
    let next = direct;
    for (let hops = 0; next.length > 0 && hops < MOST_HOPS; hops++) {
      const fresh = next.filter((alias) => alias !== url && !found.has(alias));
      for (const alias of fresh) found.add(alias);
      next = fresh.flatMap((alias) => this.#direct(alias));
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

  #direct(original: string): readonly string[] {
    const aliases = this.#aliases.get(original);
    return aliases === undefined ? NONE : typeof aliases === 'string' ? [aliases] : aliases;
  }
}

const NONE: readonly string[] = Object.freeze([]);

/** A URL that was cut out of the head of a record holds all of the head, for as long as it is kept: ten times its length. */
function ownCopy(url: string): string {
  return url.isWellFormed() ? Buffer.from(url).toString() : url;
}
