import { OrbweaverError } from '../../base/errors.ts';
import { shellWord } from '../../base/shell-word.ts';
import { CrawlReader } from '../../crawl/report/crawl-reader.ts';
import { formatOutcome, type UrlReport } from '../../crawl/report/url-report.ts';
import { time } from '../commands/status.ts';
import { type CrawlResult, isEmpty } from './crawl-summary.ts';
import { terminalText } from './terminal-text.ts';
import { counted } from './written-amount.ts';

/** Seeds to name; `explain` tells of the rest. */
const NAMED = 5;
const MOST_REDIRECTS = 10;
/** Ends after which nothing more comes. */
const OVER: ReadonlySet<string> = new Set(['finished', 'held-back', 'parked']);

/** What became of a seed: told, and by what it can be helped. */
interface Fate {
  readonly told: string;
  readonly help?: string;
}

/** Why a crawl that is over holds no page, seed by seed; undefined where it holds one, or may yet. */
export async function nothingStored(
  summary: Pick<CrawlResult, 'ended' | 'pages' | 'copiesHeld'>,
  folder: string,
): Promise<OrbweaverError | undefined> {
  if (!isEmpty(summary) || !OVER.has(summary.ended)) return undefined;
  const { lines, helps } = await fatesOfSeeds(folder);
  const remedy = [...helps, `The whole story of a URL: orbweaver explain URL --dir ${shellWord(folder)}`].join('\n  ');
  const message = ['No page was stored. What became of the seeds:', ...lines].join('\n  ');
  return new OrbweaverError('NOTHING_STORED', message, { remedy });
}

/** What became of the seeds, of each in a line, and what may help. */
export async function fatesOfSeeds(folder: string): Promise<{ readonly lines: string[]; readonly helps: string[] }> {
  using reader = new CrawlReader(folder);
  const seeds = (await reader.status(0)).run?.seeds ?? [];
  const fates: Fate[] = [];
  for (const seed of seeds.slice(0, NAMED)) fates.push(await fateOfSeed(seed, reader));
  const more = seeds.length - fates.length;
  const lines = [...fates.map(({ told }) => told), ...(more > 0 ? [`and ${counted(more, 'more seed')}`] : [])];
  return { lines: lines.map(terminalText), helps: [...new Set(fates.flatMap(({ help }) => help ?? []))] };
}

/** Of the seed, or of what it redirects to. */
async function fateOfSeed(seed: string, reader: CrawlReader): Promise<Fate> {
  let report = await reader.explain(seed);
  const way = new Set([report.url]);
  for (let redirects = 0; redirects < MOST_REDIRECTS; redirects++) {
    const { outcome } = report.page ?? {};
    if (outcome?.kind !== 'redirected') break;
    report = await reader.explain(outcome.to);
    if (way.has(report.url)) return { told: `${[...way, report.url].join(' redirects to ')}`, help: LOOP };
    way.add(report.url);
  }
  return fateOf(report);
}

function fateOf({ url, page, robots, host, forgotten }: UrlReport): Fate {
  const outcome = page?.outcome;
  if (outcome === undefined && forgotten !== undefined && forgotten.allowedAt === undefined)
    return {
      told: `${url}: forgotten on ${time(forgotten.at)}`,
      help: `To allow it again: orbweaver forget --allow ${shellWord(forgotten.asked)}`,
    };
  if (outcome?.kind === 'refused') {
    const help = HELP_IF_REFUSED[outcome.by];
    return { told: `${url}: ${formatOutcome(outcome)}`, ...(help === undefined ? {} : { help }) };
  }
  // A host that nobody reaches keeps its URLs for another time.
  const unreachable = host?.parked === undefined ? undefined : (robots?.record.why ?? host.parked);
  if (unreachable !== undefined) return { told: `${url}: unreachable, ${unreachable}`, ...helpFor(unreachable) };
  if (outcome === undefined) return { told: `${url}: not visited` };
  const told = `${url}: ${formatOutcome(outcome)}`;
  return outcome.kind === 'failed' ? { told, ...helpFor(outcome.code) } : { told };
}

function helpFor(code: string): { help?: string } {
  const help = HELP_IF_FAILED.find(([start]) => code.startsWith(start))?.[1];
  return help === undefined ? {} : { help };
}

const LOOP =
  'These redirects lead round in a circle. Where the server wants a cookie or a login first: --cookies, --header, --credentials; where it leads from https to http: --plain-http keep';

const HELP_IF_REFUSED: Readonly<Record<string, string>> = {
  address: 'Addresses that are not public need --allow-private, or --allow-hosts with their names.',
  robots: 'What robots.txt closes stays closed; for a site of your own there is --no-robots.',
  scope: '--scope, --include, --exclude and --exclude-extensions decide on what is in scope.',
  'media-type': '--media-types decides on the kinds of documents that are kept.',
  directive: '--store-noindex keeps pages that ask not to be indexed.',
  mirror: 'Hosts taken for copies of each other: orbweaver mirrors',
};

/** By how the code of a failure begins. */
const HELP_IF_FAILED: readonly (readonly [start: string, help: string])[] = [
  ['dns-not-found', 'There is no such name: is it spelt right? --hosts gives addresses to names outside the DNS.'],
  ['dns-', 'Names cannot be looked up: is this machine online? --dns-servers names other name servers.'],
  [
    'connect-',
    'Nobody answers there: is it the right port, does the server speak http:// alone, and does the way out need a --proxy?',
  ],
  ['proxy-failed', 'None of the proxies can be used: --proxy names them, with a user and a password where they ask.'],
  ['tls-invalid', 'The certificate is not valid; for a server of your own there is --no-tls-verify.'],
  ['http-401', 'The server wants to know who asks: --credentials'],
  ['http-403', 'The server does not want this crawler: --contact tells it whom to ask, --credentials who asks.'],
  ['http-407', 'The proxy wants to know who asks: --proxy takes a user and a password.'],
  ['http-429', 'The server asks for patience: try later, with a longer --delay.'],
  ['http-5', 'The server cannot answer now: try later.'],
  ['redirect-chain', '--max-redirects bounds how many redirects are followed in a row.'],
  ['redirect-loop', LOOP],
  ['redirect-invalid', 'The server redirects to what is no http or https URL: the seed may be reached in another way.'],
  ['headers-timeout', 'The server is slow: --headers-timeout gives it longer.'],
];
