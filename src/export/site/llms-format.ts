import type { ExportPage, StreamFormat } from '../../contracts/export.ts';
import { pathOf } from '../../url/host-key.ts';
import { ALL, isListed, singleSite } from './single-site.ts';

/** The file is for a reader with little room: the pages nearest to the seeds, where nobody says how many. */
const DEFAULT_PAGES = 500;
const LONGEST_TITLE = 150;
const LONGEST_DESCRIPTION = 300;
/** A section of its own has at least so many pages. */
const LEAST_OF_SECTION = 2;

interface ListedPage {
  readonly url: string;
  readonly path: string;
  readonly depth: number;
  readonly title: string;
  readonly description: string;
  readonly siteName: string | undefined;
}

/** llms.txt of one site: its name, what it says of itself, and its pages by the first part of their paths. */
export const llmsFormat: StreamFormat = {
  ...{ target: 'stream', isCompressible: true, options: ['title'] },
  async write(source, output, { options, progress, notice }) {
    await singleSite(source, 'llms.txt');
    const most = source.filter.limit ?? DEFAULT_PAGES;
    let nearest: ListedPage[] = [];
    let seen = 0;
    for await (const page of source.pages(ALL)) {
      if (!isListed(page)) continue;
      nearest.push(listed(page));
      if (++seen % DEFAULT_PAGES === 0) progress(seen);
      if (nearest.length >= 2 * most) nearest = nearest.sort(byNearness).slice(0, most);
    }
    const pages = nearest.sort(byNearness).slice(0, most);
    await output.write(textOf(pages, options.title));
    if (seen > pages.length) notice(`${pages.length} of ${seen} pages, the nearest to the seeds; --limit takes more.`);
    progress(pages.length);
    return { rows: pages.length };
  },
};

function listed({ url, depth, facts }: ExportPage): ListedPage {
  const { about } = facts;
  return {
    ...{ url, path: pathOf(url), depth, siteName: about?.siteName },
    title: oneLine(about?.title ?? facts.title ?? '', LONGEST_TITLE) || url,
    // Who wants no excerpts shown wants no description shown.
    description: facts.nosnippet ? '' : oneLine(about?.description ?? '', LONGEST_DESCRIPTION),
  };
}

function byNearness(one: ListedPage, other: ListedPage): number {
  return one.depth - other.depth || (one.url < other.url ? -1 : 1);
}

function textOf(pages: readonly ListedPage[], asked: string | undefined): string {
  const home = pages.find(({ path }) => path === '/') ?? pages[0];
  const name = oneLine(asked ?? home?.siteName ?? home?.title ?? 'No pages', LONGEST_TITLE);
  const sections = sectionsOf(pages);
  const parts = [
    `# ${escaped(name)}\n`,
    ...(home === undefined || home.description === '' ? [] : [`> ${escaped(home.description)}\n`]),
    ...[...sections].map(([title, of]) => `## ${escaped(title)}\n\n${of.map(lineOf).join('')}`),
  ];
  return parts.join('\n');
}

function sectionsOf(pages: readonly ListedPage[]): ReadonlyMap<string, readonly ListedPage[]> {
  const byFirst = Map.groupBy(pages, ({ path }) => firstPart(path));
  const sections = new Map<string, ListedPage[]>([['Pages', []]]);
  for (const page of pages) {
    const first = firstPart(page.path);
    const isSection = first !== '' && (byFirst.get(first)?.length ?? 0) >= LEAST_OF_SECTION;
    const title = isSection ? first : 'Pages';
    sections.set(title, [...(sections.get(title) ?? []), page]);
  }
  if (sections.get('Pages')?.length === 0) sections.delete('Pages');
  return sections;
}

/** /docs/start -> docs; the last part of a path is a page, not a section. */
function firstPart(path: string): string {
  const [, first = '', rest] = path.split('?', 1)[0].split('/');
  if (rest === undefined) return '';
  try {
    return oneLine(decodeURIComponent(first), LONGEST_TITLE);
  } catch {
    return first;
  }
}

function lineOf({ url, title, description }: ListedPage): string {
  const target = url.replaceAll('(', '%28').replaceAll(')', '%29');
  return `- [${escaped(title)}](${target})${description === '' ? '' : `: ${escaped(description)}`}\n`;
}

/** Words of strangers: on one line, so that they begin no heading and no list. */
function oneLine(text: string, longest: number): string {
  const line = text
    .toWellFormed()
    .replace(/[\s\0-\x1f\x7f\u2028\u2029]+/g, ' ')
    .trim();
  return line.length <= longest ? line : `${line.slice(0, longest).toWellFormed()}…`;
}

function escaped(text: string): string {
  return text.replace(/[\\[\]<>`*_]/g, '\\$&');
}
