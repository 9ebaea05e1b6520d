import { readTime } from '../base/dates/read-time.ts';
import { OrbweaverError } from '../base/errors.ts';
import type { SearchHit, SearchService, SnippetPart } from '../contracts/search-service.ts';
import { documentText } from '../crawl/content/document-text.ts';
import type { CrawlReader } from '../crawl/report/crawl-reader.ts';
import { MOST_CHANGES, MOST_HITS } from './tool-definitions.ts';
import { cut, MOST_CHARACTERS, oneLine, untrusted } from './untrusted-text.ts';

export interface CrawlToolsParts {
  readonly search: SearchService;
  /** Undefined where there is no crawl: documents were imported, or it has not begun. */
  readonly crawl: () => CrawlReader | undefined;
}

/** What agents may ask of a crawl. Answers are texts of bounded length; what cannot be answered throws an error with its remedy. */
export class CrawlTools {
  readonly #parts: CrawlToolsParts;

  constructor(parts: CrawlToolsParts) {
    this.#parts = parts;
  }

  async search(asked: { query: string; page?: number; per_page?: number }, signal?: AbortSignal): Promise<string> {
    const { query, page = 1, per_page: perPage = 10 } = asked;
    const answer = await this.#parts.search.search({ query, page, perPage: Math.min(perPage, MOST_HITS) }, signal);
    const { total, exact, hits, notes, correctedQuery } = answer;
    const first = (answer.page - 1) * answer.perPage + 1;
    const head = [
      `${exact ? '' : 'about '}${total} ${total === 1 ? 'page' : 'pages'} for: ${oneLine(query)}`,
      ...(correctedQuery === undefined ? [] : [`searched for instead: ${oneLine(correctedQuery)}`]),
      ...notes.map((note) => `note: ${oneLine(note)}`),
    ];
    if (hits.length === 0) return [...head, 'No page is on this page of results.'].join('\n');
    const list = hits.map((hit, at) => describeHit(hit, first + at)).join('\n\n');
    return `${head.join('\n')}\n${untrusted('the pages found', cut(list, 0, MOST_CHARACTERS))}`;
  }

  async get(asked: { url: string; at?: string; offset?: number; max_characters?: number }): Promise<string> {
    const { url, offset = 0, max_characters: most = 20_000 } = asked;
    const crawl = this.#crawl();
    const { url: canonical, page } = await crawl.explain(url);
    if (page?.facts?.noarchive === true)
      throw new OrbweaverError('URL_NOT_FOUND', `${canonical} asks that no copy of it is shown (noarchive).`, {
        remedy: 'Read it where it stands; the owner of the crawl can read the copy with: orbweaver get URL',
      });
    const document = await crawl.get(canonical, asked.at === undefined ? undefined : timeOf(asked.at));
    const { body, address = document.url, rawHeaders } = document;
    const markdown = await documentText(body, address, contentTypeOf(rawHeaders), 'markdown');
    const { file, offset: place, length } = document.location;
    const end = Math.min(markdown.length, offset + most);
    return [
      `url: ${document.url}`,
      `fetched: ${new Date(document.date).toISOString()}`,
      `status: ${document.status}`,
      `archive record: ${file}, offset ${place}, ${length} bytes`,
      `characters: ${Math.min(offset, markdown.length)} to ${end} of ${markdown.length}`,
      ...(end < markdown.length ? [`the rest: get with offset ${end}`] : []),
      '',
      markdown === ''
        ? 'The page has no text that could be read.'
        : untrusted(document.url, cut(markdown, offset, most)),
    ].join('\n');
  }

  async explain({ url }: { url: string }): Promise<string> {
    const report = await this.#crawl().explain(url);
    if (report.page === undefined && report.path.length === 0)
      throw new OrbweaverError('URL_NOT_FOUND', `The crawl does not know ${report.url}.`, {
        remedy: 'Search for the page to find how its URL is written; crawl_url fetches it, where that is allowed.',
      });
    return untrusted(`the record of ${report.url}`, cut(JSON.stringify(report, undefined, 1), 0, MOST_CHARACTERS));
  }

  changes({ since, limit = 30 }: { since?: string; limit?: number }): string {
    const query = { limit: Math.min(limit, MOST_CHANGES), last: true };
    const changes = [...this.#crawl().changes(since === undefined ? query : { ...query, since: timeOf(since) })];
    if (changes.length === 0) return 'No change is noted. Changes are found by a crawl with --continuous or --again.';
    const lines = changes.reverse().map(({ at, url, change, title }) => {
      return `${new Date(at).toISOString()} ${change.kind} ${url}${title === undefined ? '' : ` "${oneLine(title)}"`}`;
    });
    return untrusted('the log of changes', cut(lines.join('\n'), 0, MOST_CHARACTERS));
  }

  #crawl(): CrawlReader {
    const crawl = this.#parts.crawl();
    if (crawl !== undefined) return crawl;
    throw new OrbweaverError(
      'FOLDER_NOT_A_CRAWL',
      'There is no crawl here: documents were imported, or it has not begun.',
      {
        remedy: 'Use search alone where documents were imported; otherwise begin a crawl with: orbweaver crawl URL',
      },
    );
  }
}

function describeHit(hit: SearchHit, number: number): string {
  const { url, id, title, snippet, date, fetchedAt, language, shownOn } = hit;
  const when = date || fetchedAt;
  const more = [when === 0 ? '' : new Date(when).toISOString().slice(0, 10), language].filter((part) => part !== '');
  return [
    `${number}. ${oneLine(plain(title)) || '(no title)'}`,
    `   ${url ?? oneLine(id)}${more.length === 0 ? '' : ` (${more.join(', ')})`}`,
    `   ${oneLine(plain(snippet), 600)}`,
    ...(shownOn === undefined ? [] : [`   shown on ${shownOn.url}`]),
  ].join('\n');
}

function plain(parts: readonly SnippetPart[]): string {
  return parts.map(({ text }) => text).join('');
}

function timeOf(text: string): number {
  const time = readTime(text);
  if (time !== undefined) return time;
  throw new OrbweaverError('USAGE', `"${oneLine(text, 40)}" is not a time.`, {
    remedy: 'Write it as 2026-11-15T12:00:00Z.',
  });
}

function contentTypeOf(rawHeaders: readonly string[]): string | undefined {
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at].toLowerCase() === 'content-type') return rawHeaders[at + 1];
  return undefined;
}
