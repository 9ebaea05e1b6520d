import type { CanonicalUrl } from '../../contracts/url.ts';
import { compilePattern, type UrlPattern } from '../../scope/url-pattern.ts';

/** Pages that `exclude` keeps out of the search, although copies of them are in the archive. */
export class ExcludedPages {
  #texts: readonly string[];
  #patterns: readonly UrlPattern[];

  constructor(texts: readonly string[]) {
    this.#texts = texts;
    this.#patterns = texts.map(compilePattern);
  }

  has(url: string): boolean {
    return this.#patterns.some((pattern) => pattern.matches(url as CanonicalUrl));
  }

  /** Sets other patterns. Answers those that held before; undefined where they are the same. */
  replace(texts: readonly string[]): ExcludedPages | undefined {
    if (texts.length === this.#texts.length && texts.every((text, at) => text === this.#texts[at])) return undefined;
    const before = new ExcludedPages(this.#texts);
    this.#texts = texts;
    this.#patterns = texts.map(compilePattern);
    return before;
  }
}
