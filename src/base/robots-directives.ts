import { englishMonth, fullYear, timeOf } from './dates/calendar.ts';
import { zoneMinutes } from './dates/time-zone.ts';
import { robotsNames } from './robots-names.ts';

/** What META robots tags and X-Robots-Tag headers say of one page: the strictest of all that address us. */
export interface RobotsDirectives {
  readonly index: boolean;
  readonly follow: boolean;
  readonly archive: boolean;
  readonly snippet: boolean;
  /** ms since the epoch. */
  readonly unavailableAfter?: number;
  /** Everything that was said, e.g. "X-Robots-Tag: noindex"; for `explain`. */
  readonly said: readonly string[];
}

export interface DirectiveSources {
  /** Our product token, or several with commas between them. */
  readonly agent: string;
  /** Name and content of META tags; names other than `robots` and our own are passed over. */
  readonly metaRobots: readonly (readonly [string, string])[];
  /** The values of each header field apart: once they are joined, nobody can tell where an agent's part ends. */
  readonly xRobotsTag: readonly string[];
}

interface Findings {
  index: boolean;
  follow: boolean;
  archive: boolean;
  snippet: boolean;
  unavailableAfter?: number;
}

/** More than this of one tag is not shown; its directives count all the same. */
const SAID_MAX = 200;

const PLAIN: Readonly<Record<string, (found: Findings) => void>> = {
  noindex: (found) => {
    found.index = false;
  },
  nofollow: (found) => {
    found.follow = false;
  },
  none: (found) => {
    found.index = false;
    found.follow = false;
  },
  noarchive: (found) => {
    found.archive = false;
  },
  nocache: (found) => {
    found.archive = false;
  },
  nosnippet: (found) => {
    found.snippet = false;
  },
};

/** Directives that permit or concern nothing we do. Named, so that a colon after one does not make it an agent. */
const WITHOUT_EFFECT = new Set(
  'all index follow archive snippet indexifembedded noimageindex notranslate noodp noydir nositelinkssearchbox'.split(
    ' ',
  ),
);
const WITH_VALUE = new Set(['max-snippet', 'max-image-preview', 'max-video-preview']);

/**
 * The strictest of everything that addresses us: a directive can only take away, so order does not matter. The
 * earliest `unavailable_after` counts; whoever indexes compares it with the time. Never throws.
 */
export function pageDirectives(sources: DirectiveSources): RobotsDirectives {
  const agent = sources.agent.toLowerCase();
  const found: Findings = { index: true, follow: true, archive: true, snippet: true };
  const said: string[] = [];
  for (const [name, content] of sources.metaRobots) {
    if (!addresses(name.trim().toLowerCase(), agent)) continue;
    if (read(content, undefined, found)) said.push(shown(`META ${name.trim()}: ${content.trim()}`));
  }
  for (const value of sources.xRobotsTag) {
    if (read(value, agent, found)) said.push(shown(`X-Robots-Tag: ${value.trim()}`));
  }
  return { ...found, said };
}

/** Reads one tag; returns whether anything was for us. In headers "name:" hands what follows to that agent. */
function read(text: string, agent: string | undefined, found: Findings): boolean {
  const word = /[^\s,;:"']+/g;
  let ours = true;
  let heard = false;
  for (let match = word.exec(text); match !== null; match = word.exec(text)) {
    const name = match[0].toLowerCase();
    const colon = colonAfter(text, word.lastIndex);
    if (name === 'unavailable_after' && colon > 0) {
      const date = readDate(text, colon);
      word.lastIndex = date.end;
      if (ours && date.time !== undefined) {
        found.unavailableAfter = Math.min(date.time, found.unavailableAfter ?? date.time);
      }
    } else if (WITH_VALUE.has(name) && colon > 0) {
      const value = /[^\s,;"']*/y;
      value.lastIndex = skipSpace(text, colon);
      const [limit] = value.exec(text) ?? [''];
      word.lastIndex = value.lastIndex;
      if (ours && name === 'max-snippet' && limit === '0') found.snippet = false;
    } else if (Object.hasOwn(PLAIN, name)) {
      if (ours) PLAIN[name](found);
    } else if (colon > 0 && agent !== undefined && !WITHOUT_EFFECT.has(name)) {
      ours = addresses(name, agent);
      continue;
    }
    heard ||= ours;
  }
  return heard;
}

function addresses(name: string, agent: string): boolean {
  return name === 'robots' || name === '*' || (name !== '' && robotsNames(agent).includes(name));
}

/** The position after a colon that follows here, or 0. */
function colonAfter(text: string, at: number): number {
  const next = skipSpace(text, at);
  return text[next] === ':' ? next + 1 : 0;
}

function skipSpace(text: string, at: number): number {
  let next = at;
  while (next < text.length && (text[next] === ' ' || text[next] === '\t')) next++;
  return next;
}

function shown(text: string): string {
  return text.length <= SAID_MAX ? text : `${text.slice(0, SAID_MAX)}…`;
}

const TIME = String.raw`(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:\.\d+)?)?`;
const ZONE = String.raw`(?: ?(?<zone>z|gmt|utc?|[ecmp][sd]t|[+-]\d{2}:?\d{2})(?![a-z]))?`;
const DATES = [
  // ISO 8601: 2030-06-25T15:00:00+02:00, 2030-06-25
  String.raw`\s*(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?:(?:t| )${TIME})?${ZONE}`,
  // RFC 822 and 850: Tue, 25 Jun 2030 15:00:00 PST, Tuesday, 25-Jun-30 15:00:00 GMT; the day's name may lack
  String.raw`\s*(?:[a-z]{3,9},? )?(?<day>\d{1,2})[ -](?<month>[a-z]{3})[a-z]{0,6}[ -](?<year>\d{4}|\d{2})(?: ${TIME})?${ZONE}`,
  // asctime: Tue Jun 25 15:00:00 2030
  String.raw`\s*[a-z]{3} (?<month>[a-z]{3}) {1,2}(?<day>\d{1,2}) ${TIME} (?<year>\d{4})`,
].map((source) => new RegExp(source, 'iy'));

/** The date at `from` and where it ends; what is no date ends at the next comma. No zone means UTC. */
function readDate(text: string, from: number): { readonly time?: number; readonly end: number } {
  for (const pattern of DATES) {
    const date = new RegExp(pattern);
    date.lastIndex = from;
    const parts = date.exec(text)?.groups;
    if (parts !== undefined) return { time: writtenTime(parts), end: date.lastIndex };
  }
  const comma = text.indexOf(',', from);
  return { end: comma < 0 ? text.length : comma };
}

function writtenTime(parts: Record<string, string | undefined>): number | undefined {
  const { year = '', month = '', day, hour = 0, minute = 0, second = 0, zone } = parts;
  return timeOf({
    year: fullYear(year),
    month: /^\d/.test(month) ? Number(month) : englishMonth(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    zone: zone === undefined ? undefined : zoneMinutes(zone),
  });
}
