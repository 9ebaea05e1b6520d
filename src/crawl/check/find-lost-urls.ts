import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { archivedResponse } from '../../archive/archived-response.ts';
import { readWarc } from '../../archive/warc/warc-reader.ts';
import { targetUri, type WarcRecord } from '../../archive/warc/warc-record.ts';
import { type Fingerprint, fingerprint, toSigned } from '../../base/fingerprint.ts';
import type { LinkKind } from '../../contracts/content/page.ts';
import type { CrawlTask, Discovery } from '../../contracts/crawl-task.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import type { FoundUrl } from '../../engines/repair/requeue-pages.ts';
import type { SeenEntry } from '../../engines/repair/url-tables.ts';
import { readValue } from '../../engines/sqlite/rows/read-value.ts';
import { hostKeyOf } from '../../url/host-key.ts';
import { normalizeUrl } from '../../url/normalize.ts';
import { defaultUrlOptions, type UrlOptions } from '../../url/url-options.ts';
import { PageLinks } from '../report/page-links.ts';
import type { RunRecord } from '../report/run-record.ts';

export interface LostUrls {
  /** By fingerprint: of the URL itself nothing is left in the state. */
  readonly wanted: ReadonlyMap<Fingerprint, SeenEntry>;
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

/**
 * Looks for URLs whose rows are lost where they were found the first time: among the seeds, behind redirects, in the archived
 * pages and what is said of these beside them.
 */
export async function findLostUrls(
  db: DatabaseSync,
  archiveFolder: string,
  files: readonly string[],
  { wanted, isKnown }: LostUrls,
): Promise<FoundUrls> {
  const run = readValue<RunRecord>(db, 'run');
  const search = new Search(wanted, isKnown);
  for (const url of run?.seeds ?? []) search.see({ url, depth: 0, how: 'seed' });
  const urlOptions = run?.urlOptions ?? defaultUrlOptions;
  for (const sighting of redirectTargets(db, urlOptions)) search.see(sighting);
  await using links = new PageLinks(urlOptions);
  const depthOf = db.prepare('SELECT depth FROM page WHERE fp = ?');
  for (const file of files) {
    for await (const item of readWarc(join(archiveFolder, file))) {
      if (item.kind === 'damage') continue;
      const { record } = item;
      if (record.type === 'metadata') search.seeAll(visitedUrl(record));
      const document = record.type === 'response' ? archivedResponse(record, file)?.document : undefined;
      if (document === undefined || document.status >= 300) continue;
      const row = depthOf.get(toSigned(fingerprint(document.url))) as { depth: number } | undefined;
      const from = document.url as CanonicalUrl;
      for (const { url, kind } of await links.of(document)) {
        const how = kind === 'sitemap' || kind === 'feed' ? kind : 'link';
        const depth = (row?.depth ?? 0) + (how === 'link' ? 1 : 0);
        search.see({ url: url as CanonicalUrl, depth, how, from }, LEADING.has(kind));
      }
    }
  }
  return search.end();
}

class Search {
  readonly #wanted: ReadonlyMap<Fingerprint, SeenEntry>;
  readonly #isKnown: LostUrls['isKnown'];
  readonly #found = new Map<Fingerprint, FoundUrl>();
  readonly #doubtful = new Map<Fingerprint, CrawlTask>();

  constructor(wanted: ReadonlyMap<Fingerprint, SeenEntry>, isKnown: LostUrls['isKnown']) {
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

function* redirectTargets(db: DatabaseSync, urlOptions: UrlOptions): Generator<Sighting> {
  const rows = db
    .prepare("SELECT url, depth, outcome ->> '$.to' AS target FROM page WHERE kind = 'redirected'")
    .iterate() as Iterable<unknown>;
  for (const row of rows) {
    const { url, depth, target } = row as { url: CanonicalUrl; depth: number; target: string | null };
    const normal = target === null ? undefined : normalizeUrl(target, urlOptions);
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
