import type { SearchService } from '../../contracts/search-service.ts';
import type { Html } from '../frame/html.ts';
import { outerLink, ownLink } from '../frame/links.ts';
import { messageReply } from '../frame/message-page.ts';
import { pageFrame } from '../frame/page-frame.ts';
import { isoTime } from '../frame/written-date.ts';
import { DATA_POLICY, pageReply, type Reply } from '../http/reply.ts';
import { BadRequest, numberOf, queryOf, switchOf, timeOf, urlOf, type WebRequest } from '../http/web-request.ts';
import type { ClickLog } from '../search/click-log.ts';
import type { WebCopy, WebReader, WebVersion } from '../web-reader.ts';
import { archivedPage } from './archived-page.ts';
import { ArchivedParts } from './archived-parts.ts';
import { cachedPageReply } from './cached-page.ts';
import { cachedTextView } from './cached-text.ts';
import { diffView, onlyCopyView } from './diff-view.ts';
import { lastChange } from './last-change.ts';
import { type StoredDocument, type StoredPage, storedDocument } from './stored-document.ts';
import { textDiff } from './text-diff.ts';
import { versionsView } from './versions-view.ts';

/** Beyond this only the beginnings of two texts are compared. */
const MAX_COMPARED = 2_000_000;
/** Links of a copy that are looked up; those after them lead to the live page. */
const MOST_LINKS = 5_000;
/** Copies read in search of the last change. */
const MOST_READ = 50;

/** What the archive holds of a page: copies, versions, comparisons; and the way to the original. */
export class CopyRoutes {
  readonly #reader: WebReader;
  readonly #search: Pick<SearchService, 'indexedAt'>;
  readonly #name: string;
  readonly #clicks: ClickLog | undefined;

  constructor(reader: WebReader, search: Pick<SearchService, 'indexedAt'>, name: string, clicks: ClickLog | undefined) {
    this.#reader = reader;
    this.#search = search;
    this.#name = name;
    this.#clicks = clicks;
  }

  async cached(ask: WebRequest): Promise<Reply> {
    const url = urlOf(ask);
    if (await this.#reader.closed(url)) return this.#closed(url);
    const versions = await this.#reader.versions(url);
    const at = timeOf(ask, 'at') ?? (await this.#current(url, versions, ask.signal))?.date;
    const copy = await this.#reader.copy(url, at);
    if (copy === undefined) return this.#noCopy(url);
    const document = storedDocument(copy);
    const form = ask.parameters.get('as');
    if (form === 'file') return fileReply(copy, document);
    if (document.kind === 'page' && form !== 'text') {
      return await this.#shown(ask, copy, document, versions.length);
    }
    const isLines = document.kind === 'text';
    const text = isLines ? document.text : document.kind === 'picture' ? undefined : await this.#reader.text(url, at);
    const content = cachedTextView({
      url: copy.url,
      date: copy.date,
      versions: versions.length,
      mediaType: document.mediaType,
      bytes: copy.body.byteLength,
      ...(text === undefined ? {} : { text }),
      form: isLines ? 'lines' : 'prose',
      picture: document.kind === 'picture',
    });
    return this.#page(`Copy of ${copy.url}`, content);
  }

  /** A page with what the archive holds of its parts, and links that stay in the archive. */
  async #shown(ask: WebRequest, copy: WebCopy, { markup, base }: StoredPage, versions: number): Promise<Reply> {
    const { url, date } = copy;
    const { origin, parameters } = ask;
    const live = switchOf(ask, 'live');
    const parts = new ArchivedParts(this.#reader.copiesAt(date));
    const known = new Map<string, string | undefined>();
    const linkTo = (target: string): string | undefined => {
      if (!known.has(target) && known.size < MOST_LINKS) known.set(target, this.#reader.shownCopyOf(target));
      const held = known.get(target);
      const to = held === undefined ? undefined : { url: held, at: isoTime(date), live: live ? 1 : undefined };
      return to && origin + ownLink('/cached', to);
    };
    const here = `${origin}${ask.path}?${parameters}`;
    const shown = await archivedPage({ markup, base, url, here, parts, linkTo });
    return cachedPageReply({ ...{ url, date, versions, base, origin, live }, markup: shown, missing: parts.missing });
  }

  async versions(ask: WebRequest): Promise<Reply> {
    const url = urlOf(ask);
    const versions = await this.#reader.versions(url);
    if (versions.length === 0) return this.#noCopy(url);
    const isShown = !(await this.#reader.closed(url));
    const current = await this.#current(url, versions, ask.signal);
    return this.#page(`Versions of ${url}`, versionsView(url, versions, isShown, current));
  }

  /**
   * The version that searches find, where the page has changed since: with `updates: shadow` the collection that is searched is
   * older than the archive, and hits, snippets and copies are to be those of one time.
   */
  async #current(
    url: string,
    versions: readonly WebVersion[],
    signal: AbortSignal | undefined,
  ): Promise<WebVersion | undefined> {
    if (!versions.some(({ changed }) => changed === 'changed')) return undefined;
    // Copies are shown all the same where nothing can be searched just now.
    const at = await this.#search.indexedAt(url, signal).catch(() => undefined);
    if (at === undefined) return undefined;
    const current = versions.findLast(({ date }) => date <= at);
    // An answer that is an error is never searched.
    const isNewer = ({ date, changed, status }: WebVersion): boolean =>
      date > at && changed === 'changed' && status < 300;
    return current !== undefined && versions.some(isNewer) ? current : undefined;
  }

  /** Without times: the last change of the main text. */
  async diff(ask: WebRequest): Promise<Reply> {
    const url = urlOf(ask);
    if (await this.#reader.closed(url)) return this.#closed(url);
    const versions = await this.#reader.versions(url);
    const newest = versions.at(-1);
    if (newest === undefined) return this.#noCopy(url);
    if (versions.length === 1) return this.#page(`What changed in ${url}`, onlyCopyView(url, newest.date));
    const [askedFrom, askedTo] = [timeOf(ask, 'from'), timeOf(ask, 'to')];
    const textOf = async ({ date }: WebVersion): Promise<string> =>
      ((await this.#reader.comparedText(url, date)) ?? '').slice(0, MAX_COMPARED);
    const last =
      askedFrom === undefined && askedTo === undefined ? await lastChange(versions, textOf, MOST_READ) : undefined;
    const to = last?.newer ?? nearest(versions, askedTo) ?? newest;
    const from = last?.older ?? nearest(versions, askedFrom) ?? before(versions, to);
    const blocks = last?.blocks ?? textDiff(...(await Promise.all([textOf(from), textOf(to)])));
    const older = last?.differs === false && last.more;
    return this.#page(`What changed in ${url}`, diffView({ url, from: from.date, to: to.date, blocks, older }));
  }

  /**
   * Notes that a result was opened and leads there. Only to what this crawl holds, so that no address of ours can be made to lead
   * to a stranger's page; and noted only where the click was made on our own page.
   */
  async go(ask: WebRequest): Promise<Reply> {
    const url = urlOf(ask);
    const target = outerLink(url);
    if (target === undefined) throw new BadRequest('This is not an address of a web page.');
    if ((await this.#reader.versions(url)).length === 0) return this.#noCopy(url);
    const cameFrom = ask.headers['sec-fetch-site'];
    const position = numberOf(ask, 'n', 1, 1_000_000, 1);
    if (cameFrom === undefined || cameFrom === 'same-origin')
      await this.#clicks?.add({ url, query: queryOf(ask), position });
    // An address in its serialised form is ASCII without line ends: it cannot add a header.
    return { status: 302, headers: { location: target, 'cache-control': 'no-store' }, body: '' };
  }

  #page(title: string, content: Html): Reply {
    return pageReply(pageFrame({ title: `${title} · ${this.#name}`, name: this.#name, content }));
  }

  #closed(url: string): Reply {
    const text = `${url} asks that no copy of it is shown (noarchive). Whoever has the crawl folder can read it with orbweaver get.`;
    return messageReply(this.#name, 403, 'The copy is not shown', text);
  }

  #noCopy(url: string): Reply {
    const why = this.#reader.unreadable?.();
    const text = why === undefined ? `This crawl holds no copy of ${url}.` : `No copy of ${url} is here. ${why}`;
    return messageReply(this.#name, 404, 'No copy is stored', text);
  }
}

/** Pictures are shown in our own page; everything else is saved, never opened, whatever it says it is. */
function fileReply({ body, url }: WebCopy, { kind, mediaType }: StoredDocument): Reply {
  const isPicture = kind === 'picture';
  const name = (URL.parse(url)?.pathname.split('/').at(-1) ?? '').replace(/[^\w.-]+/g, '_').slice(-100);
  const ending = kind === 'page' && !/\.x?html?$/i.test(name) ? '.html' : '';
  return {
    status: 200,
    headers: {
      'content-type': isPicture || mediaType === 'application/pdf' ? mediaType : 'application/octet-stream',
      'content-disposition': `${isPicture ? 'inline' : 'attachment'}; filename="${name.replace(/^\.+/, '') || 'document'}${ending}"`,
      'content-security-policy': DATA_POLICY,
      'cache-control': 'no-store',
    },
    body,
  };
}

function nearest(versions: readonly WebVersion[], at: number | undefined): WebVersion | undefined {
  if (at === undefined) return undefined;
  return versions.toSorted((one, other) => Math.abs(one.date - at) - Math.abs(other.date - at))[0];
}

function before(versions: readonly WebVersion[], version: WebVersion): WebVersion {
  return versions[Math.max(0, versions.indexOf(version) - 1)];
}
