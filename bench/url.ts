/**
 * How many URLs are made canonical per CPU-second: the references of the real pages as they are written there.
 *
 *   npx node bench/url.ts [rounds]
 */

import { extractPage } from '../src/extract/extract-page.ts';
import { textTable } from '../src/laboratory/plots/text-table.ts';
import { normalizeUrl } from '../src/url/normalize.ts';
import { createResolver } from '../src/url/resolver.ts';
import { defaultUrlOptions } from '../src/url/url-options.ts';
import { realPages } from './harness/real-pages.ts';
import { type Speed, takeTurns } from './harness/take-turns.ts';

export interface UrlMeasures {
  readonly pages: number;
  readonly references: number;
  readonly source: string;
  /** URLs per CPU-second. */
  readonly speeds: readonly Speed[];
}

const BASE = 'https://www.example.com/news/2024/page.html';

export async function measure({ rounds }: { readonly rounds: number }): Promise<UrlMeasures> {
  const { bodies, source } = realPages();
  const pages = bodies.map(referencesOf);
  const references = pages.reduce((sum, page) => sum + page.length, 0);
  const absolute = pages.flatMap((page) => page.flatMap((reference) => absoluteOf(reference) ?? []));
  const canonical = absolute.flatMap((url) => normalizeUrl(url, defaultUrlOptions) ?? []);
  const each = (urls: readonly string[], make: (url: string) => unknown) => (): void => {
    // As many as there are references, so that all candidates do the same number.
    for (let at = 0; at < references; at++) make(urls[at % urls.length]);
  };
  const speeds = takeTurns(
    [
      {
        name: 'references of a page',
        work: () => {
          for (const page of pages) {
            const resolver = createResolver(BASE, defaultUrlOptions);
            for (const reference of page) resolver.resolve(reference);
          }
        },
      },
      { name: 'absolute URLs as written', work: each(absolute, (url) => normalizeUrl(url, defaultUrlOptions)) },
      { name: 'canonical URLs', work: each(canonical, (url) => normalizeUrl(url, defaultUrlOptions)) },
      {
        name: 'new URL(reference, base).href',
        peer: true,
        work: () => {
          for (const page of pages) for (const reference of page) URL.parse(reference, BASE)?.href;
        },
      },
      { name: 'new URL(absolute).href', peer: true, work: each(absolute, (url) => URL.parse(url)?.href) },
    ],
    rounds,
    references,
  );
  return { pages: pages.length, references, source, speeds };
}

/** All references of a page as they are written. */
function referencesOf(body: Uint8Array): string[] {
  const references: string[] = [];
  const resolver = () => (reference: string) => {
    references.push(reference);
    return undefined;
  };
  extractPage(body, { url: BASE, resolver });
  return references;
}

function absoluteOf(reference: string): string | undefined {
  return /^https?:\/\//i.test(reference) && URL.canParse(reference) ? reference : undefined;
}

if (import.meta.main) {
  const { pages, references, source, speeds } = await measure({ rounds: Number(process.argv[2] ?? 30) });
  console.log(`${references} references of ${pages} ${source}`);
  const rows = speeds.map(({ name, median, best }) => [name, median, best]);
  console.log(textTable({ columns: ['URLs per CPU-second', 'median', 'best'], rows }));
}
