import type { ExtractedSet, RuleSet } from '../../contracts/content/extraction-rules.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { type CompiledSet, compileSet } from '../../extract/rules/compile-rules.ts';
import { RuleEvaluator, type TriedSet } from '../../extract/rules/evaluate-rules.ts';
import { compilePattern, type UrlPattern } from '../../scope/url-pattern.ts';

interface MatchedSet extends CompiledSet {
  readonly patterns: readonly UrlPattern[];
}

/** The rules of a crawl, ready for pages. */
export class PageRows {
  readonly #sets: readonly MatchedSet[];
  readonly #evaluator: RuleEvaluator;

  constructor(sets: readonly RuleSet[], maxMs: number) {
    this.#sets = sets.map((set) => ({ ...compileSet(set), patterns: set.match.map(compilePattern) }));
    this.#evaluator = new RuleEvaluator(maxMs);
  }

  /** Rows of the sets that the URL matches; undefined where it matches none, and then nothing of the page is read. */
  of(url: CanonicalUrl, html: () => string, address: string = url): ExtractedSet[] | undefined {
    const sets = this.#matching(url);
    return sets.length === 0 ? undefined : this.#evaluator.evaluate(sets, { url: address, html: html() });
  }

  /** Whether any set is for the URL. */
  matches(url: CanonicalUrl): boolean {
    return this.#matching(url).length > 0;
  }

  /** The same with what every field found, for who tries rules. */
  try(url: CanonicalUrl, html: string): TriedSet[] {
    return this.#evaluator.try(this.#matching(url), { url, html });
  }

  #matching(url: CanonicalUrl): MatchedSet[] {
    return this.#sets.filter(
      ({ patterns }) => patterns.length === 0 || patterns.some((pattern) => pattern.matches(url)),
    );
  }
}
