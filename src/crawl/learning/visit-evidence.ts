import type { PageFacts } from '../../contracts/content/page-facts.ts';
import type { CrawlTask, HostUse, Outcome } from '../../contracts/crawl-task.ts';
import type { Novelty, VisitEvidence } from '../../contracts/trap-guard.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { shortTextHash } from '../../scope/traps/text-similarity.ts';
import type { PageWork } from '../visit/page-work.ts';
import type { PackedLinks } from '../workers/packed-links.ts';
import { lazily } from './learning-journal.ts';

type PageVisit = Extract<PageWork, { kind: 'page' }>;

/** A near-duplicate counts only where its text is the page's own, not a footer that all pages share. */
const FEWEST_WORDS = 20;
const MOST_BYTES_PER_WORD = 150;
const SHORT_TEXT = 50;

/** What a visit says of the pattern of its URL, for the trap guard. */
export function visitEvidence(
  task: CrawlTask,
  work: PageWork,
  outcome: Outcome,
  use: HostUse,
  links: PackedLinks,
  unknown: readonly number[],
): VisitEvidence {
  const page = work.kind === 'page' ? work : undefined;
  const sameAs = outcome.kind === 'duplicate' ? outcome.of : page?.facts.nearDuplicateOf?.url;
  const simhash = page === undefined ? undefined : textHashOf(page);
  const words = page?.facts.about?.words;
  return {
    task: withoutAnchor(task),
    novelty: noveltyOf(outcome, page !== undefined && isNearCopy(page.facts)),
    links: links.fingerprints.length,
    unknownLinks: unknown.length,
    known: lazily(() => knownLinks(links, unknown)),
    fetchMs: use.fetchMs,
    bytes: use.bytes,
    ...(sameAs === undefined ? {} : { copyOf: sameAs }),
    ...(simhash === undefined ? {} : { simhash }),
    ...(words === undefined ? {} : { words }),
  };
}

/** What a learner needs of a task; anchor texts would only make the journal long. */
export function withoutAnchor({
  url,
  host,
  depth,
  redirects,
  lane,
  purpose,
  discovery: { how, from },
}: CrawlTask): CrawlTask {
  const discovery = { how, ...(from === undefined ? {} : { from }) };
  return { url, host, depth, redirects, lane, purpose, discovery };
}

/** Of a short page much of the text is what its links are called: numbers in it make no other page. */
function textHashOf({ contentSketch, opening, facts }: PageVisit): bigint | undefined {
  const isShort = (facts.about?.words ?? 0) < SHORT_TEXT;
  return isShort || contentSketch === undefined ? shortTextHash(opening) : contentSketch.simhash;
}

function isNearCopy({ nearDuplicateOf, about, bytes }: PageFacts): boolean {
  if (nearDuplicateOf === undefined || about === undefined) return false;
  return about.words >= FEWEST_WORDS && bytes <= MOST_BYTES_PER_WORD * about.words;
}

function knownLinks({ urls }: PackedLinks, unknown: readonly number[]): CanonicalUrl[] {
  if (urls === '') return [];
  const fresh = new Set(unknown);
  return urls.split('\n').filter((_, place) => !fresh.has(place)) as CanonicalUrl[];
}

function noveltyOf(outcome: Outcome, near: boolean): Novelty {
  switch (outcome.kind) {
    case 'stored':
      return near ? 'near-duplicate' : 'new';
    case 'gone':
      return outcome.soft === undefined ? 'gone' : 'soft-not-found';
    case 'unchanged':
    case 'deferred':
      return 'new';
    default:
      return outcome.kind;
  }
}
