import type { IndexFields } from '../../contracts/content/index-fields.ts';
import type { LastVisit } from '../../contracts/page-store.ts';
import type { AnchorText, IndexedDocument } from '../../contracts/search-index.ts';
import { isFileUrl, pathOfFileUrl } from '../../url/file-url.ts';

/** What is known of a page besides its record and its body. */
export interface PageSurroundings {
  readonly text: string;
  readonly anchors: readonly AnchorText[];
  /** Number of its cluster of near-duplicates, 0 for none. */
  readonly cluster: number;
  /** 0 to 1. */
  readonly rank: number;
}

/** A stored page as the index takes it. */
export function indexedPage(page: LastVisit, reading: IndexFields, around: PageSurroundings): IndexedDocument {
  const { facts } = page;
  const about = facts?.about;
  const fetchedAt = facts?.requestedAt ?? page.visitedAt ?? 0;
  return {
    id: page.url,
    title: about?.title ?? (reading.title || (facts?.title ?? fileName(page.url))),
    headings: reading.headings,
    body: around.text,
    description: about?.description ?? reading.description,
    anchors: around.anchors,
    facts: {
      // No host of the web: hits of one folder are not held back in favour of other hosts.
      host: isFileUrl(page.url) ? '' : page.host,
      mediaType: facts?.mediaType ?? reading.mediaType,
      language: mainTag(about?.language ?? about?.declaredLanguage ?? reading.language),
      date: pageDate(about?.published ?? about?.modified ?? writtenAt(page), fetchedAt),
      fetchedAt,
      cluster: around.cluster,
      spam: facts?.spam?.score ?? 0,
      rank: around.rank,
    },
  };
}

/** What people call a file; '' where it is none. */
function fileName(url: string): string {
  return pathOfFileUrl(url)?.split(/[/\\]/).at(-1) ?? '';
}

/** When a file was written last; of a page of the web its server says so, which is seldom true. */
function writtenAt({ url, facts }: LastVisit): number | undefined {
  const at = isFileUrl(url) ? Date.parse(facts?.lastModified ?? '') : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

/** Whether a page belongs into the index: its last visit stored it, and it does not ask to be left out. */
export function isSearchable(page: LastVisit): boolean {
  const { outcome } = page;
  const kind = outcome?.kind;
  // A visit that failed, or that our own guard of addresses did not let out, says nothing against the copy that is there.
  const kept =
    kind === 'stored' ||
    kind === 'unchanged' ||
    kind === 'failed' ||
    kind === 'deferred' ||
    (outcome?.kind === 'refused' && outcome.by === 'address');
  const { facts } = page;
  if (!kept || facts?.location === undefined || facts.status >= 300) return false;
  return !facts.noindex && facts.usage?.search !== 'disallowed';
}

/** '' for what is no tag of a language: pages declare anything, at any length. */
function mainTag(language: string): string {
  return /^\s*([a-z]{2,8})(?![a-z\d])/i.exec(language)?.[1].toLowerCase() ?? '';
}

/**
 * The date that the page declares, or 0: when a file was copied to a server, or fetched by us, says nothing of what is in it. A date
 * in the future is a mistake of the page.
 */
function pageDate(declared: number | undefined, fetchedAt: number): number {
  return declared !== undefined && declared > 0 && declared <= fetchedAt ? declared : 0;
}
