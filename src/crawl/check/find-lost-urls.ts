import { join } from 'node:path';
import { archivedResponse, asShown } from '../../archive/archived-response.ts';
import { ADDRESS_FIELD } from '../../archive/warc/visit-records.ts';
import { readWarc } from '../../archive/warc/warc-reader.ts';
import { isRenderedPage, targetUri, type WarcRecord } from '../../archive/warc/warc-record.ts';
import { type Fingerprint, fingerprint } from '../../base/fingerprint.ts';
import type { ArchivedDocument } from '../../contracts/archive.ts';
import type { LinkKind } from '../../contracts/content/page.ts';
import type { CrawlTask, Discovery } from '../../contracts/crawl-task.ts';
import type { FoundUrl, LostUrl, StateDraft } from '../../contracts/state/repair.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { hostKeyOf } from '../../url/host-key.ts';
import { normalizeUrl } from '../../url/normalize.ts';
import { defaultUrlOptions, type UrlOptions } from '../../url/url-options.ts';
import { PageLinks } from '../report/page-links.ts';
import type { RunRecord } from '../report/run-record.ts';

export interface LostUrls {
  /** By fingerprint: of the URL itself nothing is left in the state. */
  readonly wanted: ReadonlyMap<Fingerprint, LostUrl>;
  /** Whether the state has heard of a URL. Undefined where its log is whole: then only `wanted` ones are looked for. */
  readonly isKnown?: (fp: Fingerprint) => boolean;
}

export interface FoundUrls {
  readonly found: FoundUrl[];
  /** URLs that the state may have known: they are to be judged as new links are. */
  readonly doubtful: CrawlTask[];
}

interface Sighting {
  readonly url: CanonicalUrl;
  readonly depth: number;
  readonly how: Discovery['how'];
  readonly from?: CanonicalUrl;
}

/** Links that lead to another page. */
const LEADING: ReadonlySet<LinkKind> = new Set(['a', 'area', 'frame', 'iframe', 'refresh', 'sitemap', 'feed']);

/** Looks for URLs whose rows are lost where they were first found: seeds, redirects, archived pages and their metadata. */
export async function findLostUrls(
  draft: StateDraft,
  archiveFolder: string,
  files: readonly string[],
  { wanted, isKnown }: LostUrls,
): Promise<FoundUrls> {
  const run = draft.read<RunRecord>('run');
  const search = new Search(wanted, isKnown);
  for (const url of run?.seeds ?? []) search.see({ url, depth: 0, how: 'seed' });
  const urlOptions = run?.urlOptions ?? defaultUrlOptions;
  for (const sighting of redirectTargets(draft, urlOptions)) search.see(sighting);
  await using links = new PageLinks(urlOptions);
  for (const file of files) {
    for await (const item of readWarc(join(archiveFolder, file))) {
      if (item.kind === 'damage') continue;
      const { record } = item;
      if (record.type === 'metadata') search.seeAll(visitedUrl(record));
      const document = pageIn(record, file);
      if (document === undefined || document.status >= 300) continue;
      const from = document.url as CanonicalUrl;
      const depthOfPage = draft.depthOf(from) ?? 0;
      for (const { url, kind } of await links.of(document)) {
        const how = kind === 'sitemap' || kind === 'feed' ? kind : 'link';
        const depth = depthOfPage + (how === 'link' ? 1 : 0);
        search.see({ url: url as CanonicalUrl, depth, how, from }, LEADING.has(kind));
      }
    }
  }
  return search.end();
}

/** A page as it was answered, or as a browser has shown it. */
function pageIn(record: WarcRecord, file: string): ArchivedDocument | undefined {
  if (record.type === 'response') return archivedResponse(record, file)?.document;
  const url = isRenderedPage(record.type, record.fields) ? targetUri(record.fields) : undefined;
  if (url === undefined) return undefined;
  const html = { url, date: 0, status: 200, statusLine: '', rawHeaders: [], raw: record.block, body: record.block };
  const address = record.fields.get(ADDRESS_FIELD);
  const asked = address === undefined ? {} : { address };
  return asShown({ ...html, ...asked, location: { file, offset: record.offset, length: record.length } }, record.block);
}

class Search {
  readonly #wanted: ReadonlyMap<Fingerprint, LostUrl>;
  readonly #isKnown: LostUrls['isKnown'];
  readonly #found = new Map<Fingerprint, FoundUrl>();
  readonly #doubtful = new Map<Fingerprint, CrawlTask>();

  constructor(wanted: ReadonlyMap<Fingerprint, LostUrl>, isKnown: LostUrls['isKnown']) {
    this.#wanted = wanted;
    this.#isKnown = isKnown;
  }

  see(sighting: Sighting, leads = true): void {
    const fp = fingerprint(sighting.url);
    const entry = this.#wanted.get(fp);
    if (entry !== undefined) {
      const before = this.#found.get(fp);
      const { host, lane } = entry;
      if (before === undefined || before.depth > sighting.depth) this.#found.set(fp, { ...sighting, host, lane });
    } else if (leads && this.#isKnown?.(fp) === false && !this.#doubtful.has(fp)) {
      const { url, depth, how, from } = sighting;
      const discovery = from === undefined ? { how } : { how, from };
      this.#doubtful.set(fp, { url, host: hostKeyOf(url), depth, redirects: 0, lane: 0, discovery, purpose: 'page' });
    }
  }

  seeAll(sightings: Iterable<Sighting>): void {
    for (const sighting of sightings) this.see(sighting);
  }

  end(): FoundUrls {
    return { found: [...this.#found.values()], doubtful: [...this.#doubtful.values()] };
  }
}

function* redirectTargets(draft: StateDraft, urlOptions: UrlOptions): Generator<Sighting> {
  for (const { url, depth, target } of draft.redirects()) {
    const normal = normalizeUrl(target, urlOptions);
    if (normal !== undefined) yield { url: normal, depth, how: 'redirect', from: url };
  }
}

/** A page that was visited, by the record beside it. */
function* visitedUrl(record: WarcRecord): Generator<Sighting> {
  const url = targetUri(record.fields) as CanonicalUrl | undefined;
  const said = record.block.toString('utf8');
  const depth = /^hopsFromSeed: (\d+)\r?$/m.exec(said)?.[1];
  if (url === undefined || depth === undefined || url.endsWith('/robots.txt')) return;
  const from = /^via: (\S+)\r?$/m.exec(said)?.[1] as CanonicalUrl | undefined;
  yield {
    url,
    depth: Number(depth),
    how: from === undefined ? 'seed' : 'link',
    ...(from === undefined ? {} : { from }),
  };
}
