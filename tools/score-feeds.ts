/**
 * How many of the values that feedparser's tests expect our feed reader gives: `npx node tools/score-feeds.ts [--verbose]`.
 *
 * Mapped (see `viewOf`): bozo, encoding, version; of the feed, of entries and of their sources: title, subtitle (tagline),
 * description, summary, info, content, rights (copyright) with value, type, base and language; link and links, id (guid),
 * dates written and parsed, authors, contributors, publisher, tags (category), enclosures, comments, language, generator,
 * icon, logo, docs, ttl, image, guidislink.
 * Skipped, with counts: everything else (geographic places, iTunes ratings, media ratings and licences, podcast chapters,
 * comment APIs, threading, cloud, text input, validity), expectations written as Python, and the values in
 * wellformed/sanitize, since making markup safe is not the reader's task (their `bozo` counts).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { charsetOf } from '../src/convert/charset.ts';
import type { Feed, FeedChannel, FeedDate, FeedEntry, FeedPerson, FeedText } from '../src/extract/feed/feed.ts';
import { parseFeedDate } from '../src/extract/feed/parse-feed-date.ts';
import { readFeed } from '../src/extract/feed/read-feed.ts';

export interface FeedCase {
  readonly name: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly body_b64?: string;
  readonly expect: readonly Expectation[];
}

interface Expectation {
  readonly path?: readonly (string | number)[];
  readonly value?: unknown;
  readonly falsy?: boolean;
  readonly truthy?: boolean;
  readonly python?: string;
}

export type Verdict = 'right' | 'wrong' | 'unmapped' | 'python' | 'sanitizing';

/** Where the test server of the corpus gave out the cases that speak of their own address. */
const testServer = 'http://127.0.0.1:8097/';
const formatNames: Readonly<Record<string, string>> = {
  'rss-0.90': 'rss090',
  'rss-0.91': 'rss091u',
  'rss-0.91-netscape': 'rss091n',
  'rss-0.92': 'rss092',
  'rss-0.93': 'rss093',
  'rss-0.94': 'rss094',
  'rss-1.0': 'rss10',
  'rss-2.0': 'rss20',
  'atom-0.3': 'atom03',
  'atom-1.0': 'atom10',
};

type View = { readonly [key: string]: unknown };

/** Our reading of a case under the names of the corpus. */
export function viewOf(given: FeedCase): View {
  const bytes = given.body === undefined ? Buffer.from(given.body_b64 ?? '', 'base64') : Buffer.from(given.body);
  const headers = new Map(Object.entries(given.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
  const served = /\/http_|\/http\//.test(given.name);
  const location = headers.get('content-location');
  const outcome = readFeed(bytes, {
    url: served ? URL.parse(location ?? given.name, testServer)?.href : undefined,
    contentType: headers.get('content-type'),
    contentLanguage: headers.get('content-language'),
    guessEncoding: (unknown) => charsetOf(unknown).encoding,
  });
  if (outcome.kind === 'unreadable') return { bozo: true, feed: {}, entries: [] };
  const { feed } = outcome;
  return {
    bozo: feed.problems.length > 0,
    encoding: feed.encoding,
    version: formatNames[feed.format] ?? feed.format,
    feed: channelView(feed),
    entries: feed.entries.map(entryView),
  };
}

function channelView(channel: FeedChannel | Feed): View {
  const description = channel.subtitle ?? channel.summary;
  return {
    ...thingView(channel),
    ...textView('tagline', channel.subtitle),
    ...textView('description', description),
    ...textView('info', channel.info),
    generator: channel.generator?.name,
    generator_detail: {
      name: channel.generator?.name,
      url: channel.generator?.url,
      href: channel.generator?.url,
      version: channel.generator?.version,
    },
    icon: channel.icon,
    logo: channel.logo,
    docs: channel.docs,
    ttl: 'ttlMinutes' in channel ? String(channel.ttlMinutes) : undefined,
  };
}

function entryView(entry: FeedEntry): View {
  return {
    ...thingView(entry),
    ...textView('summary', entry.summary ?? entry.content[0]),
    ...textView('description', entry.summary ?? entry.content[0]),
    content: entry.content.map(detailView),
    enclosures: entry.enclosures.map((enclosure) => ({ ...enclosure, href: enclosure.url })),
    comments: entry.comments,
    ...dateView('expired', entry.expires),
    guidislink: entry.idIsLink,
    source: entry.source === undefined ? {} : channelView(entry.source),
  };
}

function thingView(thing: FeedChannel | FeedEntry): View {
  const author = thing.authors[0];
  return {
    ...textView('title', thing.title),
    ...textView('subtitle', thing.subtitle),
    ...textView('summary', thing.summary),
    ...textView('rights', thing.rights),
    ...textView('copyright', thing.rights),
    link: thing.link,
    links: thing.links.map(({ url, ...rest }) => ({ ...rest, href: url })),
    id: thing.id,
    guid: thing.id,
    language: thing.language,
    author: writtenPerson(author),
    author_detail: personView(author),
    authors: thing.authors.map(personView),
    contributors: thing.contributors.map(personView),
    publisher: writtenPerson(thing.publisher),
    publisher_detail: personView(thing.publisher),
    tags: thing.categories,
    category: thing.categories[0]?.term,
    image: { href: thing.image, url: thing.image },
    ...dateView('updated', thing.updated),
    ...dateView('published', thing.published),
    ...dateView('created', thing.created),
  };
}

function textView(name: string, text: FeedText | undefined): View {
  return { [name]: text?.value, [`${name}_detail`]: text === undefined ? {} : detailView(text) };
}

function detailView(text: FeedText): View {
  return { value: text.value, type: text.type, base: text.base, language: text.language };
}

function personView(person: FeedPerson | undefined): View {
  return { name: person?.name, email: person?.email, url: person?.url, href: person?.url };
}

function writtenPerson(person: FeedPerson | undefined): string | undefined {
  if (person?.name !== undefined && person.email !== undefined) return `${person.name} (${person.email})`;
  return person?.name ?? person?.email;
}

function dateView(name: string, date: FeedDate | undefined): View {
  return { [name]: date?.written, [`${name}_parsed`]: date?.at === undefined ? undefined : timeTuple(date.at) };
}

/** Python's struct_time: year to second, day of week from Monday, day of year, no daylight saving. */
function timeTuple(at: number): number[] {
  const date = new Date(at);
  const dayOfYear = Math.floor((at - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000) + 1;
  return [...partsOf(at), (date.getUTCDay() + 6) % 7, dayOfYear, 0];
}

function partsOf(at: number): number[] {
  const date = new Date(at);
  return [
    date.getUTCFullYear(),
    date.getUTCMonth() + 1,
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
  ];
}

export function judge(given: FeedCase, expected: Expectation, view: View): { verdict: Verdict; got?: unknown } {
  if (expected.path === undefined) return { verdict: 'python' };
  if (given.name.includes('/sanitize/') && expected.path[0] !== 'bozo') return { verdict: 'sanitizing' };
  let got: unknown = view;
  for (const key of expected.path) {
    if (Array.isArray(got) && (typeof key === 'number' || key === 'length')) {
      got = got[key as number];
    } else if (typeof got === 'object' && got !== null && key in got) {
      got = (got as View)[key];
    } else if (got === undefined) {
      break;
    } else {
      return { verdict: 'unmapped' };
    }
  }
  const right =
    expected.falsy === true
      ? !got
      : expected.truthy === true
        ? Boolean(got)
        : expected.path[0] === 'encoding'
          ? sameEncoding(String(got), String(expected.value))
          : sameValue(got, expected.value);
  return { verdict: right ? 'right' : 'wrong', got };
}

/** GBK and GB18030 have one decoder by the Encoding Standard, GB2312 is a label of it. */
function sameEncoding(one: string, other: string): boolean {
  return encodingName(one) === encodingName(other);
}

function encodingName(label: string): string {
  if (/^utf-32/i.test(label)) return label.toLowerCase();
  const name = new TextDecoder(label).encoding;
  return name === 'gb18030' ? 'gbk' : name;
}

/** Our persons and links have members under two names; of an expected object only what it has must be ours. */
function sameValue(got: unknown, expected: unknown): boolean {
  if (typeof expected !== 'object' || expected === null || Array.isArray(expected)) {
    return JSON.stringify(got ?? null) === JSON.stringify(expected);
  }
  if (typeof got !== 'object' || got === null) return false;
  return Object.entries(expected).every(([key, value]) => sameValue((got as View)[key], value));
}

function main(): void {
  const folder = fileURLToPath(new URL('../../shared/corpora/feeds', import.meta.url));
  const verbose = process.argv.includes('--verbose');
  const counts = new Map<Verdict, number>();
  const perPath = new Map<string, number[]>();
  const skipped = new Map<string, number>();
  for (const line of readFileSync(join(folder, 'feedparser.jsonl'), 'utf8').trim().split('\n')) {
    const given = JSON.parse(line) as FeedCase;
    const view = viewOf(given);
    for (const expected of given.expect) {
      const { verdict, got } = judge(given, expected, view);
      counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
      const path = (expected.path ?? ['(python)']).map((key) => (typeof key === 'number' ? 'N' : key)).join('.');
      if (verdict === 'right' || verdict === 'wrong') {
        const tally = perPath.get(path) ?? [0, 0];
        tally[verdict === 'right' ? 0 : 1]++;
        perPath.set(path, tally);
      } else {
        const why = verdict === 'sanitizing' ? '(values of wellformed/sanitize)' : path;
        skipped.set(why, (skipped.get(why) ?? 0) + 1);
      }
      if (verbose && verdict === 'wrong') {
        console.log(`${given.name} ${path}\n  ${JSON.stringify(got)}\n  ${JSON.stringify(expected)}`);
      }
    }
  }
  console.log('mapped (right/all):');
  for (const [path, [right, wrong]] of [...perPath].sort()) console.log(`  ${path} ${right}/${right + wrong}`);
  console.log('skipped:');
  for (const [path, count] of [...skipped].sort()) console.log(`  ${path} ${count}`);
  const right = counts.get('right') ?? 0;
  const mapped = right + (counts.get('wrong') ?? 0);
  const [bozoRight, bozoWrong] = perPath.get('bozo') ?? [0, 0];
  const others = mapped - bozoRight - bozoWrong;
  console.log(`feeds: ${right} of ${mapped} mapped values (${((100 * right) / mapped).toFixed(2)} %)`);
  console.log(
    `  without bozo: ${right - bozoRight} of ${others} (${((100 * (right - bozoRight)) / others).toFixed(2)} %)`,
  );
  console.log(
    `  skipped: ${counts.get('unmapped') ?? 0} unmapped, ${counts.get('python') ?? 0} in Python, ` +
      `${counts.get('sanitizing') ?? 0} of sanitizing`,
  );
  const dates = readFileSync(join(folder, 'dates.jsonl'), 'utf8').trim().split('\n');
  let datesRight = 0;
  for (const line of dates) {
    const { input, utc } = JSON.parse(line) as { input: string; utc: number[] | null };
    const at = parseFeedDate(input);
    if (JSON.stringify(at === undefined ? null : partsOf(at)) === JSON.stringify(utc)) datesRight++;
    else if (verbose) console.log(`date ${input}: ${at}`);
  }
  console.log(`dates: ${datesRight} of ${dates.length}`);
}

if (import.meta.main) main();
