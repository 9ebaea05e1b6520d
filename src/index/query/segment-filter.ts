import type { DocumentFilter } from '../../contracts/search-index.ts';
import type { Segment } from '../store/segment.ts';

/** What a filter says of the documents of a segment; undefined where it lets all pass. */
export function segmentFilter(segment: Segment, filter: DocumentFilter): ((document: number) => boolean) | undefined {
  const { columns } = segment;
  const tests: ((document: number) => boolean)[] = [];
  const byWord = (name: 'host' | 'mediaType' | 'language', allows: (word: string) => boolean): void => {
    const allowed = Uint8Array.from(columns.words(name), (word) => (allows(word) ? 1 : 0));
    tests.push((document) => allowed[columns.number(name, document)] === 1);
  };
  const { sites, notSites, languages, mediaTypes, before, after, inUrl } = filter;
  if (sites !== undefined) byWord('host', (host) => sites.some((site) => isWithin(host, site)));
  if (notSites !== undefined) byWord('host', (host) => !notSites.some((site) => isWithin(host, site)));
  if (languages !== undefined) byWord('language', (language) => languages.includes(language));
  if (mediaTypes !== undefined) byWord('mediaType', (type) => mediaTypes.includes(type));
  if (before !== undefined) {
    tests.push((document) => columns.number('date', document) > 0 && columns.number('date', document) < before);
  }
  if (after !== undefined) tests.push((document) => columns.number('date', document) >= after);
  // Last, because it reads the disk.
  if (inUrl !== undefined && inUrl.length > 0) {
    const wanted = inUrl.map((text) => text.toLowerCase());
    tests.push((document) => {
      const id = segment.strings(document).id.toLowerCase();
      return wanted.every((text) => id.includes(text));
    });
  }
  if (tests.length === 0) return undefined;
  return (document) => tests.every((test) => test(document));
}

/** The host itself, with or without its port, or one below it. */
function isWithin(host: string, site: string): boolean {
  const wanted = site.toLowerCase();
  const name = wanted.includes(':') ? host : host.replace(/:\d+$/, '');
  return name === wanted || name.endsWith(`.${wanted}`);
}
