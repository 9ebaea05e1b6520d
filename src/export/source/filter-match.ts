import type { PageFacts } from '../../contracts/content/page-facts.ts';
import type { UsageFacts } from '../../contracts/content/usage-facts.ts';
import type { ExportFilter, UsageKind } from '../../contracts/export.ts';

const FACT_OF: Readonly<Record<UsageKind, Exclude<keyof UsageFacts, 'tdmPolicy' | 'said'>>> = {
  search: 'search',
  'ai-input': 'aiInput',
  'ai-train': 'aiTrain',
  'ai-images': 'aiImages',
  tdm: 'tdm',
};

export const USAGE_KINDS = Object.keys(FACT_OF) as readonly UsageKind[];

/** The language of a page: that of its text, else the one that it declares. */
export function languageOf({ about }: Pick<PageFacts, 'about'>): string | undefined {
  const tag = about?.language ?? about?.declaredLanguage;
  return /^\s*([a-z]{2,8})(?![a-z\d])/i.exec(tag ?? '')?.[1].toLowerCase();
}

/** The parts of a filter, each as a question. What the filter does not restrict is answered with yes. */
export class FilterMatch {
  readonly #filter: ExportFilter;
  readonly #hosts: ReadonlySet<string> | undefined;
  readonly #languages: ReadonlySet<string> | undefined;

  constructor(filter: ExportFilter) {
    this.#filter = filter;
    this.#hosts = filter.hosts === undefined ? undefined : new Set(filter.hosts);
    this.#languages = filter.languages === undefined ? undefined : new Set(filter.languages);
  }

  host(host: string): boolean {
    return this.#hosts?.has(host) !== false;
  }

  time(at: number): boolean {
    const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = this.#filter;
    return at >= from && at < to;
  }

  mediaType(type: string): boolean {
    const { mediaTypes } = this.#filter;
    if (mediaTypes === undefined) return true;
    const essence = type.split(';', 1)[0].trim().toLowerCase();
    return mediaTypes.some((asked) =>
      asked.endsWith('/*') ? essence.startsWith(asked.slice(0, -1)) : essence === asked,
    );
  }

  /** Language and usage: what holds for a page, whichever of its copies is looked at. */
  page(facts: PageFacts): boolean {
    return this.#language(facts) && this.#usage(facts.usage);
  }

  /** Whether `page` can say no. */
  get asksForFacts(): boolean {
    return this.#filter.usage !== undefined || this.#languages !== undefined;
  }

  #language(facts: PageFacts): boolean {
    if (this.#languages === undefined) return true;
    const language = languageOf(facts);
    return language !== undefined && this.#languages.has(language);
  }

  #usage(facts: UsageFacts | undefined): boolean {
    const { usage } = this.#filter;
    if (usage === undefined) return true;
    const preference = facts?.[FACT_OF[usage.use]];
    return usage.explicit ? preference === 'allowed' : preference !== 'disallowed';
  }
}
