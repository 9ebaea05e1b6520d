import type { SearchForm } from '../../contracts/content/search-form.ts';
import type { HostKey } from '../../contracts/url.ts';
import { type FormReport, OpenForm, type OpenFormSnapshot } from './open-form.ts';
import { SiteWords } from './site-words.ts';

export interface FormFillerOptions {
  /** Of one form. */
  readonly mostRequests: number;
  /** The canonical form of a URL; undefined where it has none. */
  readonly urlOf: (url: string) => string | undefined;
}

/** A visit that has come to its end on a host whose forms are filled in. */
export interface FormVisit {
  readonly url: string;
  readonly host: HostKey;
  readonly depth: number;
  readonly forms: readonly SearchForm[];
  /** Its words and those of its links, each once. */
  readonly words: readonly string[];
  /** Links on it that nobody knew before. */
  readonly fresh: number;
  /** Where it led, where it was a redirect. */
  readonly leadsTo?: string;
}

/** A URL to ask for, and the page whose form leads to it. */
export interface FormQuestion {
  readonly url: string;
  readonly at: string;
  readonly depth: number;
}

export type FormFillerSnapshot = readonly (readonly [
  host: HostKey,
  { readonly words: readonly (readonly [string, number])[]; readonly forms: readonly OpenFormSnapshot[] },
])[];

interface Site {
  readonly words: SiteWords;
  readonly forms: Map<string, OpenForm>;
}

const MOST_FORMS_OF_HOST = 20;

/** Fills in the search forms of some hosts, so that pages are found which no link leads to. Deterministic: it is taught by visits alone. */
export class FormFiller {
  readonly #options: FormFillerOptions;
  readonly #sites = new Map<HostKey, Site>();

  constructor(options: FormFillerOptions) {
    this.#options = options;
  }

  /** Answers the URLs that are to be asked for next, on the host of the visit. */
  observe({ url, host, depth, forms, words, fresh, leadsTo }: FormVisit): readonly FormQuestion[] {
    const { mostRequests, urlOf } = this.#options;
    const site = this.#siteOf(host);
    site.words.add(words);
    for (const form of forms) {
      const name = nameOf(form);
      if (!site.forms.has(name) && site.forms.size < MOST_FORMS_OF_HOST)
        site.forms.set(name, new OpenForm(form, url, depth));
    }
    const open = [...site.forms.values()];
    for (const form of open) form.answered(url, fresh, leadsTo);
    return open.flatMap((form) =>
      form
        .next(site.words.words, mostRequests, urlOf)
        .map((next) => ({ url: next, at: form.at, depth: form.depth + 1 })),
    );
  }

  /** A URL that the crawl does not let in: no answer comes. */
  refused(host: HostKey, url: string): void {
    for (const form of this.#siteOf(host).forms.values()) form.answered(url, 0);
  }

  get reports(): readonly FormReport[] {
    return [...this.#sites.values()].flatMap(({ forms }) => [...forms.values()].map(({ report }) => report));
  }

  snapshot(): FormFillerSnapshot {
    return [...this.#sites].map(([host, { words, forms }]) => [
      host,
      { words: words.toJSON(), forms: [...forms.values()].map((form) => form.snapshot()) },
    ]);
  }

  restore(kept: unknown): void {
    for (const [host, { words, forms }] of kept as FormFillerSnapshot) {
      const open = forms.map((form) => [nameOf(form.form), OpenForm.from(form)] as const);
      this.#sites.set(host, { words: SiteWords.from(words), forms: new Map(open) });
    }
  }

  #siteOf(host: HostKey): Site {
    const site = this.#sites.get(host) ?? { words: new SiteWords(), forms: new Map() };
    this.#sites.set(host, site);
    return site;
  }
}

/** The same form stands on many pages. */
function nameOf({ action, fields }: SearchForm): string {
  return `${action}?${fields.map(({ name }) => name).join('&')}`;
}
