import type { Settings } from '../../base/settings/schema.ts';
import { msToSend, sentIn } from '../../crawl/plan/crawl-estimate.ts';
import type { CrawlPlan } from '../../crawl/plan/crawl-plan.ts';
import type { CrawlSample } from '../../crawl/plan/read-sample.ts';
import type { Range } from '../../crawl/plan/unseen-urls.ts';
import { writtenBytes, writtenCount, writtenDuration } from './written-amount.ts';

export interface ShownPlan {
  readonly seeds: readonly string[];
  readonly sample: CrawlSample;
  readonly plan: CrawlPlan;
  readonly settings: Settings;
}

const HOUR = 3_600_000;
/** Of a larger sample that is proposed, with the default delay and an answer that takes its time. */
const SECONDS_PER_REQUEST = 2;
/** Plans that take longer are worth a word on how to shorten them. */
const LONG_MS = 600_000;

/** A plan for reading: what, why, what bounds it, what would change it. */
export function formatPlan(shown: ShownPlan): string {
  const { seeds, plan, sample, settings } = shown;
  const rows: readonly (readonly [string, Range, (value: number) => string])[] = [
    ['pages', plan.pages, writtenCount],
    ['requests', plan.requests, writtenCount],
    ['bytes', plan.bytes, writtenBytes],
    ['time', plan.ms, writtenDuration],
  ];
  const first = seeds.length === 1 ? seeds[0] : `${seeds.length} seeds`;
  const lines = [
    `A crawl of ${first} (scope ${settings.scope}), by a look at it: ${sample.requests} requests in ${writtenDuration(sample.elapsedMs)}.`,
    '',
    row('', 'low', 'likely', 'high'),
    ...rows.map(([name, { low, likely, high }, write]) => row(name, write(low), write(likely), write(high))),
    '',
    'How it came to this',
    ...reasons(shown).map((reason) => `  ${reason}`),
    '',
    'Hosts that bound it',
    ...plan.bounds.map(
      ({ host, requests, everyMs, ms }) =>
        `  ${host}: about ${writtenCount(requests)} requests${everyMs > 0 ? `, one every ${writtenDuration(everyMs)}` : ''}: ${writtenDuration(ms)}`,
    ),
  ];
  const changes = remedies(shown);
  if (changes.length > 0) lines.push('', 'What would change it', ...changes.map((change) => `  ${change}`));
  return lines.join('\n');
}

function row(name: string, low: string, likely: string, high: string): string {
  return `  ${name.padEnd(9)}${low.padStart(12)}${likely.padStart(12)}${high.padStart(12)}`;
}

function reasons({ sample, plan, settings }: ShownPlan): string[] {
  const sum = (count: (host: CrawlSample['hosts'][number]) => number): number =>
    sample.hosts.reduce((total, host) => total + count(host), 0);
  const known = sum((host) => host.known);
  const listed = sum((host) => host.listed);
  const linked = sum((host) => host.linked);
  const read = sum((host) => host.sitemaps.read);
  const waiting = sum((host) => host.sitemaps.waiting);
  const delayed = sample.hosts.filter(({ crawlDelayMs = 0 }) => crawlDelayMs > 0).length;
  return [
    `URLs: ${writtenCount(known)} ${known === 1 ? 'is' : 'are'} known by now, on ${counted(sample.hosts.length, 'host')}; ${formatBasis(plan)}.`,
    ...(plan.noEndInSight === undefined
      ? []
      : [
          `No end in sight: the last pages of the sample still led to ${plan.noEndInSight.toFixed(1)} new URLs each. The likely figure is a guess; there may be`,
          `  several times as many pages. A larger sample knows more: --sample ${10 * sample.requests} --sample-time ${10 * sample.requests * SECONDS_PER_REQUEST}.`,
        ]),
    read === 0
      ? `Sitemaps: none ${settings.sitemaps === 'off' ? 'was asked for' : 'was found'}.`
      : `Sitemaps: ${counted(read, 'file')} read${waiting > 0 ? `, ${waiting} more announced` : ''}; ${writtenCount(listed)} URLs listed, and ${percent(
          sum((host) => host.both),
          linked,
        )} of the linked URLs are among them.`,
    `robots.txt: ${sample.forbidden === 0 ? 'no link was forbidden' : `${counted(sample.forbidden, 'link')} forbidden and left out`}${delayed > 0 ? `; ${counted(delayed, 'host')} with a Crawl-delay` : ''}.`,
    `Sample: ${sample.found} of ${counted(sample.asked, 'URL')} had a page, ${writtenBytes(sample.bytes.mean)} on average (deviation ${writtenBytes(sample.bytes.deviation)})${sample.failed > 0 ? `; ${sample.failed} failed` : ''}.`,
    ...(plan.limit === undefined ? [] : [`Limit: ${plan.limit} ends it before the web does.`]),
    ...(settings.scope === 'any' && !sample.finished
      ? ['Scope any has no end of its own: the figures are those of what is linked nearby.']
      : []),
  ];
}

function formatBasis({ basis }: CrawlPlan): string {
  switch (basis) {
    case 'everything was seen':
      return 'nothing else was left to be asked for, so this is all';
    case 'sitemaps':
      return 'the number follows from the sitemaps, and from how complete they are';
    case 'sitemaps and links':
      return 'the number follows from sitemaps where there are some, else from how fast links led to new URLs';
    case 'links':
      return 'the number follows from how fast links led to new URLs; without a sitemap it is a rough one (docs/plan.md)';
  }
}

function remedies({ plan, sample, settings }: ShownPlan): string[] {
  if (plan.ms.likely < LONG_MS || plan.bounds.length === 0) return [];
  const changes: string[] = [];
  const { hosts, found } = plan;
  if (plan.ms.likely > HOUR) {
    const pages = sentIn(hosts, HOUR) * found;
    changes.push(`--max-duration 1h: about ${writtenCount(pages)} pages (${percent(pages, plan.pages.likely)}).`);
  }
  const fewer = 10 ** Math.floor(Math.log10(Math.max(1, plan.pages.likely / 2)));
  if (fewer >= 10 && found > 0)
    changes.push(`--max-pages ${fewer}: about ${writtenDuration(msToSend(hosts, fewer / found))}.`);
  const [slowest] = plan.bounds;
  const host = sample.hosts.find((sampled) => sampled.group === slowest.host);
  const rest = (host?.everyMs ?? 0) - (host?.fetchMs ?? 0);
  if ((host?.crawlDelayMs ?? 0) >= rest && rest > 0) {
    changes.push(
      `${slowest.host} asks for ${writtenDuration(rest)} between requests in its robots.txt, which no setting shortens; --host-max-pages or --exclude leave some of it out.`,
    );
  } else if (settings.delay > 0 && rest <= settings.delay) {
    const halved = hosts.map((load) => ({ ...load, everyMs: Math.max(load.everyMs - settings.delay / 2, 1) }));
    changes.push(
      `--delay ${settings.delay / 2}ms: about ${writtenDuration(msToSend(halved, Number.POSITIVE_INFINITY))}; only for sites that bear it.`,
    );
  } else if (rest > 0) {
    changes.push(`${slowest.host} answers slowly and rests the longer for it (delay-factor ${settings.delayFactor}).`);
  }
  return changes;
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '0 %' : `${Math.round((100 * part) / whole)} %`;
}

function counted(count: number, noun: string): string {
  return `${writtenCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}
