import type { TableRow } from '../../../contracts/site-report.ts';
import type { KnownUrl } from '../../../contracts/state/known-url.ts';
import { outcomeDetail } from '../outcome-detail.ts';

/** Titles and descriptions are words of strangers, of any length. */
const LONGEST_TEXT = 1000;
const LONGEST_WORD = 200;

/** What the state tells of a URL, as a row of the report. What follows from other rows comes later. */
export function reportRow(known: KnownUrl): TableRow {
  const { url, host, state, outcome, facts, depth, foundBy, foundAt } = known;
  const about = facts?.about;
  const detail = outcome === undefined ? undefined : detailOf(outcome);
  return {
    ...{ url, host, depth, foundBy, foundAt, status: known.status, detail },
    outcome: state === 'waiting' ? 'waiting' : outcome?.kind,
    ...{ visitedAt: known.visitedAt, nextVisit: known.nextVisit },
    title: shortened(facts?.title),
    description: shortened(about?.description),
    outLinks: facts?.linkCount,
    bytes: facts?.bytes,
    words: about?.words,
    mediaType: facts?.mediaType?.slice(0, LONGEST_WORD),
    language: languageTag(about?.language ?? about?.declaredLanguage),
    fetchMs: facts?.fetchMs,
    published: about?.published,
    modified: about?.modified,
    lastModified: timeOf(facts?.lastModified),
    canonical: facts?.canonical,
    directives: directivesOf(known),
    redirectsTo: outcome?.kind === 'redirected' ? withoutFragment(outcome.to) : undefined,
    duplicateOf: duplicateOf(known),
  };
}

/** What another column tells is not told twice. */
function detailOf(outcome: NonNullable<KnownUrl['outcome']>): string | undefined {
  if (outcome.kind === 'duplicate' || outcome.kind === 'redirected') return undefined;
  return shortened(outcomeDetail(outcome));
}

function duplicateOf({ outcome, facts }: KnownUrl): string | undefined {
  if (outcome?.kind === 'duplicate') return outcome.of;
  return holdsCopy(outcome) ? facts?.nearDuplicateOf?.url : undefined;
}

/** A page that asks not to be stored leaves no facts: its rule says what it asked for. */
function directivesOf({ outcome, facts }: KnownUrl): string | undefined {
  const said = outcome?.kind === 'refused' && outcome.by === 'directive' ? outcome.rule : facts?.directives.join(', ');
  return said?.slice(0, LONGEST_WORD);
}

/** The last visit left a copy, or the one that is there. */
export function holdsCopy(outcome: KnownUrl['outcome']): boolean {
  return outcome?.kind === 'stored' || outcome?.kind === 'unchanged' || outcome?.kind === 'duplicate';
}

/** A redirect leads to a page, wherever in it. */
function withoutFragment(url: string): string {
  const at = url.indexOf('#');
  return at === -1 ? url : url.slice(0, at);
}

/** Pages declare anything, at any length. */
function languageTag(language: string | undefined): string | undefined {
  return /^\s*([a-z]{2,8})(?![a-z\d])/i.exec(language ?? '')?.[1].toLowerCase();
}

function timeOf(header: string | undefined): number | undefined {
  const time = header === undefined ? Number.NaN : Date.parse(header);
  return Number.isNaN(time) ? undefined : time;
}

function shortened(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  if (trimmed === undefined || trimmed.length <= LONGEST_TEXT) return trimmed;
  return `${trimmed.slice(0, LONGEST_TEXT)}…`;
}
