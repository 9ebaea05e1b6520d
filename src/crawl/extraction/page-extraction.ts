import type { ExtractedSet, RuleSet } from '../../contracts/content/extraction-rules.ts';
import type { Claim } from '../../contracts/crawl-task.ts';
import { decode } from '../../convert/charset.ts';
import type { CopyVerdict } from '../visit/exact-copies.ts';
import type { ReadAnswer } from '../visit/page-content.ts';
import type { PageRows } from './page-rows.ts';

/** The stage of rules: what they make of each HTML page that is kept. Loaded with the first page. */
export class PageExtraction {
  readonly #sets: readonly RuleSet[];
  readonly #maxMs: number;
  #loading: Promise<PageRows> | undefined;

  constructor(sets: readonly RuleSet[], maxMs: number) {
    this.#sets = sets;
    this.#maxMs = maxMs;
  }

  /** Undefined where the page is no HTML, is a copy of another, or matches no set. */
  async of(
    { task: { url }, address }: Pick<Claim, 'task' | 'address'>,
    { answer, read, shown }: ReadAnswer,
    copy: CopyVerdict,
  ): Promise<ExtractedSet[] | undefined> {
    if (read.html.page === undefined || (copy.original !== undefined && copy.original.url !== url)) return undefined;
    this.#loading ??= import('./page-rows.ts').then(({ PageRows }) => new PageRows(this.#sets, this.#maxMs));
    const rendered = shown?.page?.html;
    // What was read in another thread comes without its text.
    const html = (): string =>
      read.html.source ??
      decode(rendered ?? answer.body, (rendered === undefined ? read.html.charset : undefined) ?? 'utf-8');
    return (await this.#loading).of(url, html, address);
  }
}
