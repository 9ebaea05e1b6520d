import type { LinkShares } from '../model/web-spec.ts';

/** The page a link stands on, as far as its spelling depends on it. */
export interface SpellingContext {
  readonly host: number;
  /** Folder against which relative links resolve: that of the page, or of its <base>. Begins and ends with "/". */
  readonly folder: string;
  /** Whether the page is in UTF-8, so that raw bytes mean what they should. */
  readonly utf8: boolean;
}

export interface SpellingTarget {
  readonly host: number;
  /** scheme://authority */
  readonly origin: string;
  /** Path and query in canonical form. */
  readonly target: string;
}

const ODD = [
  'relative',
  'relative',
  'dots',
  'dots',
  'fragment',
  'fragment',
  'escape',
  'escape',
  'shout',
  'scheme-relative',
  'entity',
  'spaces',
  'torn',
  'accent',
] as const;

/** An href as people write it: HTML-escaped, fit for double quotes. However it is spelled, it leads to `to`. */
export function spellLink(
  shares: Pick<LinkShares, 'oddSpelling' | 'tracking'>,
  from: SpellingContext,
  to: SpellingTarget,
  flavour: number,
): string {
  const sameHost = from.host === to.host;
  const choice = (flavour >>> 8) & 0xffff;
  const bits = flavour & 0xff;
  const absolute = to.origin;
  const plainPrefix = sameHost && (bits & 3) !== 0 ? '' : absolute;
  const tracked = choice / 0x10000 < shares.tracking;
  if (tracked) return plainPrefix + escapeAmpersands(withTracking(to.target, bits), bits);
  if ((0xffff - choice) / 0x10000 >= shares.oddSpelling) {
    return plainPrefix + escapeAmpersands(to.target, bits);
  }
  const target = escapeAmpersands(to.target, bits);
  switch (ODD[(flavour >>> 24) % ODD.length]) {
    case 'relative':
      return sameHost ? relativeTo(from.folder, target) : absolute + target;
    case 'dots':
      return plainPrefix + ((bits & 8) === 0 ? `/.${target}` : `/elsewhere/deep/../..${target}`);
    case 'fragment':
      return `${plainPrefix}${target}#${(bits & 8) === 0 ? 'top' : 'part-2/b?c'}`;
    case 'escape':
      return plainPrefix + needlessEscape(target, bits);
    case 'shout':
      return `${absolute.toUpperCase()}${target}`;
    case 'scheme-relative':
      return `${absolute.slice(absolute.indexOf('/'))}${target}`;
    case 'entity':
      return plainPrefix + ((bits & 8) === 0 ? target.replace('-', '&#45;') : target.replace('/', '&#x2F;'));
    case 'spaces':
      return ` ${plainPrefix}${target}${(bits & 8) === 0 ? '\n' : '  '}`;
    case 'torn':
      return plainPrefix + target.replace('-', (bits & 8) === 0 ? '-\n' : '\t-');
    case 'accent':
      return plainPrefix + target.replace('%C3%A9', accent(bits, from.utf8));
  }
}

/** The address of `target` as seen from a folder of the same host. */
function relativeTo(folder: string, target: string): string {
  if (target.startsWith(folder)) return target.length === folder.length ? './' : target.slice(folder.length);
  let ups = '';
  for (let at = 1; at < folder.length; at++) if (folder.charCodeAt(at) === 47) ups += '../';
  return ups + target.slice(1);
}

/** "&amp;" mostly, and "&" as it is where nothing else can be meant: "&view" is no character reference. */
function escapeAmpersands(target: string, bits: number): string {
  return (bits & 0x30) === 0 || !target.includes('&') ? target : target.replaceAll('&', '&amp;');
}

function needlessEscape(target: string, bits: number): string {
  if ((bits & 8) === 0) return target.replace('-', (bits & 4) === 0 ? '%2D' : '%2d');
  return target.replace(/[a-z](?=[a-z]*[-/])/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
}

/** Escapes in lower case, the raw bytes of UTF-8, or a character reference. */
function accent(bits: number, utf8: boolean): string {
  if ((bits & 8) === 0) return '%c3%a9';
  return (bits & 4) === 0 && utf8 ? '\xc3\xa9' : '&eacute;';
}

function withTracking(target: string, bits: number): string {
  const parameter = (bits & 4) === 0 ? 'utm_source=letter&utm_medium=mail' : 'gclid=x93k';
  const mark = target.indexOf('?');
  if (mark < 0) return `${target}?${parameter}${(bits & 8) === 0 ? '' : '#top'}`;
  return (bits & 8) === 0
    ? `${target}&${parameter}`
    : `${target.slice(0, mark + 1)}${parameter}&${target.slice(mark + 1)}`;
}
