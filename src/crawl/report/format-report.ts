import { shellWord } from '../../base/shell-word.ts';
import { writtenDuration } from '../../base/written-duration.ts';
import type { PageAbout } from '../../contracts/content/page-about.ts';
import type { PageFacts } from '../../contracts/content/page-facts.ts';
import type { SpamScore } from '../../contracts/content/spam.ts';
import type { UsageFacts } from '../../contracts/content/usage-facts.ts';
import type { Outcome } from '../../contracts/crawl-task.ts';
import type { PageRecord } from '../../contracts/page-store.ts';
import type { ChangeHistory } from '../../contracts/revisit.ts';
import { nextOf, time } from './format-turn.ts';
import { formatOutcome, type UrlReport } from './url-report.ts';

const DAY = 86_400_000;
/** From here on a page counts as relevant; see contracts/content/topic.ts. */
const ON_TOPIC = 0.5;

/** Titles, anchors and status texts are strangers' words: they must not steer the terminal. */
function printable(line: string): string {
  return line.replace(/\p{Cc}+/gu, ' ');
}

/** The report line by line; safe to be shown. */
export function formatReport(report: UrlReport): string[] {
  return [
    report.url,
    ...normalization(report),
    ...discovery(report),
    ...scopes(report),
    ...forgotten(report),
    ...decisions(report),
    ...robots(report),
    ...hostClock(report),
  ].map(printable);
}

/** A name and what is said under it, for those who do not write columns. */
export interface ReportEntry {
  readonly name: string;
  readonly lines: readonly string[];
}

/** Where the text of a line begins; names stand before it. */
const TEXT_COLUMN = 15;

/** The same as data; without its first line, the URL. */
export function reportEntries(report: UrlReport): ReportEntry[] {
  const entries: { name: string; lines: string[] }[] = [];
  for (const line of formatReport(report).slice(1)) {
    const name = line.slice(0, TEXT_COLUMN).trim();
    const last = entries.at(-1);
    if (name === '' && last !== undefined) last.lines.push(line.slice(TEXT_COLUMN));
    else entries.push({ name, lines: [line.slice(TEXT_COLUMN)] });
  }
  return entries;
}

function normalization({ asked, url, address, normalization: steps }: UrlReport): string[] {
  return [
    ...(asked === url ? [] : [`  asked for    ${asked}${steps.length === 0 ? '' : ` (${steps.join('; ')})`}`]),
    ...(address === undefined ? [] : [`  fetched as   ${address}, as its server wants`]),
  ];
}

function discovery({ page, path, forgotten }: UrlReport): string[] {
  if (page === undefined && forgotten !== undefined) return [];
  if (page === undefined) return ['  unknown      this crawl has never met this URL'];
  const lines = [`  found        ${time(page.discoveredAt)}, depth ${page.depth}`];
  path.forEach((step, i) => {
    const anchor = step.anchor === undefined ? '' : ` "${step.anchor}"`;
    lines.push(
      `${i === 0 ? '  way here   ' : '             '}  ${'  '.repeat(Math.min(i, 12))}${i === 0 ? '' : '-> '}${step.url} (${step.how}${anchor})`,
    );
  });
  if (isLedToBySeed(path))
    lines.push('  scope        a seed redirects here: it counts as one, and the scope begins here too');
  return lines;
}

/** A list of seeds may be long. */
const SEEDS_SHOWN = 5;

function scopes({ admittedBy }: UrlReport): string[] {
  if (admittedBy === undefined) return [];
  if (admittedBy.length === 0) return ['  scope        that of no seed'];
  const lines = admittedBy.slice(0, SEEDS_SHOWN).map(({ seed, scope, depth }) => {
    const most = Number.isFinite(depth) ? `, depth ${depth}` : '';
    return `that of the seed ${seed} (${scope}${most})`;
  });
  const more = admittedBy.length - lines.length;
  if (more > 0) lines.push(`that of ${more} more seeds`);
  return lines.map((line, at) => `${at === 0 ? '  scope      ' : '             '}  ${line}`);
}

function forgotten({ forgotten: entry }: UrlReport): string[] {
  if (entry === undefined) return [];
  const { at, asked, allowedAt } = entry;
  const now =
    allowedAt === undefined
      ? `not fetched again, unless: orbweaver forget --allow ${shellWord(asked)}`
      : `allowed again on ${time(allowedAt)}`;
  return [`  forgotten    on ${time(at)}, by ${shellWord(asked)}`, `               ${now}`];
}

function isLedToBySeed(path: UrlReport['path']): boolean {
  return path.length > 1 && path[0].how === 'seed' && path.slice(1).every(({ how }) => how === 'redirect');
}

function decisions({ page }: UrlReport): string[] {
  if (page === undefined) return [];
  const lines = page.history.map((entry, i) => {
    // What is gone names its status itself.
    const status = entry.status === undefined || entry.kind === 'gone' ? '' : `HTTP ${entry.status}: `;
    return `${i === 0 ? '  decisions  ' : '             '}  ${time(entry.at)}  ${status}${formatOutcome(entry)}`;
  });
  return [...lines, ...whatNext(page), ...changes(page.changes), ...content(page)];
}

/** Where it waits, or when it is visited next, and why. */
function whatNext(page: PageRecord): string[] {
  const { state, host, tries, place, nextVisit, nextVisitWhy } = page;
  if (state === 'leased') return ['  now          being fetched'];
  if (state === 'refused-link') return [`  next visit   ${notNow(page.outcome)}`];
  if (nextVisit === undefined && state === 'done')
    return [`  next visit   never: ${nextVisitWhy ?? 'this crawl visits every URL once'}`];
  if (nextVisit !== undefined && nextVisitWhy !== undefined)
    return [`  next visit   ${time(nextVisit)}${fromNow(nextVisit)}`, `               ${nextVisitWhy}`];
  const later = nextVisit === undefined ? '' : `, not before ${time(nextVisit)}`;
  const after = tries === 0 ? '' : `, after ${tries} failed ${tries === 1 ? 'try' : 'tries'}`;
  return [
    `  now          waits in the queue of ${host}${later}${after}`,
    ...(place === undefined
      ? []
      : [`  place        front queue ${place.lane} (0 comes first)${place.why ? `: ${place.why}` : ''}`]),
  ];
}

function fromNow(at: number): string {
  const ms = at - Date.now();
  return ms > 0 ? `, in ${writtenDuration(ms)}` : ', as soon as its host and the budget allow it';
}

/** How often it was found changed. The first visit had nothing to compare with. */
function changes(known: ChangeHistory | undefined): string[] {
  if (known === undefined || known.visits < 2) return [];
  const { visits, changes: found, changedAt, rate } = known;
  const last = changedAt === undefined ? '' : `, last ${time(changedAt)}`;
  return [
    `  changes      found changed at ${found} of ${visits - 1} later ${visits === 2 ? 'visit' : 'visits'}${last}; changes about every ${writtenDuration(DAY / rate)}`,
  ];
}

/** What would have to change for a refused link to come in. */
function notNow(outcome: Outcome | undefined): string {
  const by = outcome?.kind === 'refused' ? outcome.by : undefined;
  if (by === 'trap') return 'held until its pattern yields something, or is opened: orbweaver traps --open PATTERN';
  if (by === 'topic')
    return 'none, unless a page on topic links to it; a higher --tunnel goes further from the pages on topic';
  if (by === 'duplicate')
    return 'none, unless a page that is no duplicate links to it; --duplicate-links follow lets it in';
  if (by === 'mirror') return 'asked for on the other host; to part them: orbweaver mirrors --separate ORIGIN';
  return 'none, unless the rule changes: run the crawl with other settings and it is judged again';
}

/** Why a body is not whole, in words. */
const TRUNCATION: Readonly<Record<string, string>> = {
  length: 'cut at the size limit',
  time: 'cut at the time limit',
  disconnect: 'the server broke off',
};

function content({ facts }: NonNullable<UrlReport['page']>): string[] {
  if (facts === undefined) return [];
  const left = facts.omittedLinks;
  const lines = [
    `  content      ${facts.bytes} bytes of ${facts.mediaType || 'unknown type'}${facts.charset === undefined ? '' : `, ${facts.charset}`}, ${facts.linkCount} ${facts.linkCount === 1 ? 'link' : 'links'}${facts.truncated === undefined ? '' : `; not whole: ${TRUNCATION[facts.truncated] ?? facts.truncated}`}`,
  ];
  if (left !== undefined)
    lines.push(`  left out     ${left} more ${left === 1 ? 'link' : 'links'}, beyond max-links-per-page`);
  if (facts.unreadBytes !== undefined)
    lines.push(
      `  left out     links in the last ${facts.unreadBytes} bytes: the reader of large pages had no time, or failed`,
    );
  if (facts.profile !== undefined) lines.push(`  profile      ${facts.profile}`);
  lines.push(...rendered(facts.rendered));
  if (facts.title !== undefined) lines.push(`  title        ${facts.title}`);
  lines.push(...about(facts.about), ...usage(facts.usage));
  lines.push(...topic(facts), ...nearDuplicate(facts), ...spam(facts.spam));
  if (facts.canonical !== undefined) lines.push(`  canonical    ${facts.canonical}`);
  if (facts.directives.length > 0) lines.push(`  directives   ${facts.directives.join('; ')}`);
  if (facts.location !== undefined)
    lines.push(
      `  archived     ${facts.location.file}, offset ${facts.location.offset}, ${facts.location.length} bytes`,
    );
  return lines;
}

function topic({ topic: judged }: PageFacts): string[] {
  if (judged === undefined) return [];
  return [`  topic        ${judged.relevance >= ON_TOPIC ? 'on' : 'off'} topic, ${judged.why}`];
}

function nearDuplicate({ nearDuplicateOf }: PageFacts): string[] {
  if (nearDuplicateOf === undefined) return [];
  return [
    `  near to      ${nearDuplicateOf.url} (${Math.round(nearDuplicateOf.jaccard * 100)} % of the text in common)`,
  ];
}

function rendered(facts: PageFacts['rendered']): string[] {
  if (facts === undefined) return [];
  const { why, failed, ms = 0, links = 0, words = 0, requests = 0, refused = {}, redirect } = facts;
  const lines = [`  rendered     in the browser: ${why}`];
  if (failed !== undefined) return [...lines, `               in vain (${failed}): it counts as it was answered`];
  const brought = redirect === undefined ? `${signed(links)} links, ${signed(words)} words` : `it leads to ${redirect}`;
  lines.push(
    `               ${brought}; ${requests} ${requests === 1 ? 'request' : 'requests'} of its own, ${(ms / 1000).toFixed(1)} s`,
  );
  const { loadMs, width, height, overlays = 0, hiddenWords = 0 } = facts;
  const seen = [
    ...(loadMs === undefined ? [] : [`loaded in ${(loadMs / 1000).toFixed(1)} s`]),
    ...(width === undefined ? [] : [`${width} × ${height} px`]),
    ...(overlays === 0 ? [] : [`${overlays} ${overlays === 1 ? 'box' : 'boxes'} over the page`]),
    ...(hiddenWords === 0 ? [] : [`${hiddenWords} words that nobody sees`]),
  ];
  if (seen.length > 0) lines.push(`               ${seen.join(', ')}`);
  const held = Object.entries(refused).map(([by, count]) => `${count} by ${by}`);
  return held.length === 0 ? lines : [...lines, `               not let out: ${held.join(', ')}`];
}

function signed(count: number): string {
  return count > 0 ? `+${count}` : String(count);
}

function spam(found: SpamScore | undefined): string[] {
  if (found === undefined) return [];
  return [
    `  spam         ${found.score.toFixed(2)}`,
    ...found.signs.map(
      ({ technique, weight, evidence }) => `               ${technique} ${weight.toFixed(2)}: ${evidence}`,
    ),
  ];
}

function about(told: PageAbout | undefined): string[] {
  if (told === undefined) return [];
  if (told.unreadable !== undefined) return [`  text         none: ${told.unreadable}`];
  const language = told.language === undefined ? '' : `, language ${told.language}`;
  const declared =
    told.declaredLanguage === undefined || told.declaredLanguage === told.language
      ? ''
      : ` (declares ${told.declaredLanguage})`;
  const pages = told.pages === undefined ? '' : `, ${told.pages} pages`;
  const cut = told.cut === undefined ? '' : `; cut at the limit of ${told.cut}`;
  const lines = [`  text         ${told.words} words${pages}${language}${declared}${cut}`];
  const by = told.authors === undefined ? '' : told.authors.join(', ');
  const when = told.published === undefined ? '' : time(told.published);
  if (by !== '' || when !== '') lines.push(`  written      ${[by, when].filter((part) => part !== '').join(', ')}`);
  if (told.description !== undefined) lines.push(`  about        ${told.description.slice(0, 200)}`);
  return lines;
}

function usage(preferences: UsageFacts | undefined): string[] {
  if (preferences === undefined) return [];
  const { said, tdmPolicy: _, ...uses } = preferences;
  const words = Object.entries(uses).map(([use, preference]) => `${use} ${preference}`);
  return [`  usage        ${words.join(', ') || 'nothing that we know'} (${said.join('; ')})`];
}

function robots({ robots: known }: UrlReport): string[] {
  if (known === undefined) return ['  robots.txt   not read yet'];
  const { record, verdict } = known;
  const rule =
    verdict.rule === undefined ? 'no rule matches' : `${verdict.rule}${verdict.line ? ` (line ${verdict.line})` : ''}`;
  return [
    `  robots.txt   ${verdict.allowed ? 'allows' : 'forbids'} it: ${rule}${verdict.group === undefined ? '' : `, as said to ${verdict.group}`}`,
    `               ${known.record.state === 'rules' ? '' : `${record.state}: `}${record.why} ${time(record.fetchedAt)}, good until ${time(record.expiresAt)}`,
  ];
}

function hostClock({ host, hostSpam, cloaked }: UrlReport): string[] {
  if (host === undefined) return [];
  const delay = host.crawlDelayMs === undefined ? '' : `, Crawl-delay ${host.crawlDelayMs / 1000} s`;
  return [
    `  host         ${host.host}${host.address === undefined ? '' : ` (${host.address})`}: ${nextOf(host)}`,
    `               ${host.pages} pages, ${host.queued} waiting, last fetch ${Math.round(host.lastFetchMs)} ms${delay}${host.pushbacks > 0 ? `, ${host.pushbacks} back-offs in a row` : ''}`,
    ...spam(hostSpam),
    ...(cloaked === undefined ? [] : [`  cloaking     ${cloaked.evidence}`]),
  ];
}
