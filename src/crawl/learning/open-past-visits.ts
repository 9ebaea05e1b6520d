import { openWarcArchive } from '../../archive/warc-archive.ts';
import type { Clock } from '../../base/clock.ts';
import type { PastVisit, PastVisits } from '../../contracts/crawl-order.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { openPastLinks } from '../../engines/open-links.ts';
import type { UrlOptions } from '../../url/url-options.ts';
import { archiveFolder } from '../crawl-folder.ts';
import { PageLinks } from '../report/page-links.ts';
import { LEADING_LINKS } from './ordered-visit.ts';

export interface PastVisitSources {
  readonly folder: string;
  readonly urlOptions: UrlOptions;
  /** Bytes of the archive that belong to settled pages. */
  readonly archived: number;
  readonly clock: Clock;
}

/** Some ten thousand pages, which are read in seconds; to read more would hold up the crawl. */
const MOST_ARCHIVED = 64 * 2 ** 20;

/**
 * The links of the pages that earlier runs have stored: from the store of links where pages were indexed, else from the
 * documents themselves, as long as they are not too many. Undefined where there is neither.
 */
export function openPastVisits(sources: PastVisitSources): (PastVisits & Partial<Disposable>) | undefined {
  const { folder, archived } = sources;
  const links = openPastLinks(folder);
  if (links !== undefined || archived === 0 || archived > MOST_ARCHIVED) return links;
  // Which pages were visited is told by the visits themselves.
  return { pages: () => [], visits: () => readArchive(sources) };
}

async function* readArchive({ folder, urlOptions, clock }: PastVisitSources): AsyncGenerator<PastVisit> {
  await using reader = new PageLinks(urlOptions);
  const archive = openWarcArchive({
    folder: archiveFolder(folder),
    ...{ writerId: 'reader', clock, software: '', userAgent: '', robots: '' },
  });
  for await (const document of archive.scan()) {
    const url = document.url as CanonicalUrl;
    if (document.status !== 200 || url.endsWith('/robots.txt')) continue;
    const votes = (await reader.of(document)).filter(
      (link) => LEADING_LINKS.includes(link.kind) && !link.nofollow && !link.ugc && !link.sponsored && link.url !== url,
    );
    yield { url, links: [...new Set(votes.map((link) => link.url as CanonicalUrl))] };
  }
}
