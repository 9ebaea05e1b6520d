import { OrbweaverError } from '../../base/errors.ts';
import type { WebSpec } from './web-parameters.ts';

/** Refuses names that are no parameters, also inside the groups of shares, and values of another shape than theirs. */
export function refuseUnknownParameters(given: object, known: object, prefix = ''): void {
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(known, name)) {
      throw new OrbweaverError('SETTING_UNKNOWN', `The synthetic web has no parameter "${prefix}${name}".`, {
        remedy: `Parameters here: ${Object.keys(known).join(', ')}.`,
      });
    }
    if (value === undefined) continue;
    const expected = (known as Record<string, unknown>)[name];
    if (isGroup(expected)) {
      if (!isGroup(value)) throw noGroup(`${prefix}${name}`, value, Object.keys(expected));
      refuseUnknownParameters(value, expected, `${prefix}${name}.`);
    } else if (Array.isArray(expected) && !(Array.isArray(value) && value.length === expected.length)) {
      const what = `${prefix}${name} of a synthetic web is a pair [least, most], not ${JSON.stringify(value)}.`;
      throw new OrbweaverError('SETTING_INVALID', what, { remedy: `By default it is ${JSON.stringify(expected)}.` });
    }
  }
}

function noGroup(name: string, value: unknown, members: readonly string[]): OrbweaverError {
  const what = `${name} of a synthetic web is a group of shares, not ${JSON.stringify(value)}.`;
  const number = name === 'pages' ? ' How many pages there are is said by hosts and pagesPerHost.' : '';
  return new OrbweaverError('SETTING_INVALID', what, {
    remedy: `Such as {"${name}": {"${members[0]}": 0.1}}, with any of ${members.join(', ')}.${number}`,
  });
}

/** Refuses values that make no web. */
export function checkWebSpec(spec: WebSpec): void {
  checkRange('seed', spec.seed, 0, 0xffffffff, true);
  checkRange('hosts', spec.hosts, 1, 1_000_000, true);
  checkRange('pagesPerHost', spec.pagesPerHost, 1, 100_000_000, true);
  // Sitemaps and feeds are numbered after the pages; all of them must fit into 31 bits.
  checkRange('hosts × pagesPerHost', spec.hosts * spec.pagesPerHost, 1, 0x3fffffff, true);
  checkRange('linksPerPage', spec.linksPerPage, 0, 10_000, true);
  checkRange('zipfExponent', spec.zipfExponent, 0, 10);
  for (const name of ['malformedShare', 'charsetShare', 'changingShare', 'gzipShare'] as const) {
    checkRange(name, spec[name], 0, 1);
  }
  checkRange('crawlDelaySeconds', spec.crawlDelaySeconds, 0, 86_400);
  checkRange('slowRobotsMs', spec.slowRobotsMs, 0, 600_000);
  checkRange('retryAfterSeconds', spec.retryAfterSeconds, 0, 86_400, true);
  checkRange('changesSince', spec.changesSince, 0, 4e12, true);
  checkRange('sitemapEntries', spec.sitemapEntries, 1, 50_000, true);
  checkRange('tarpitBytesPerSecond', spec.tarpitBytesPerSecond, 1, 1e9);
  checkRange('bombBytes', spec.bombBytes, 1, 1e9, true);
  checkPair('pageBytes', spec.pageBytes, 500, 20_000_000);
  checkPair('latencyMs', spec.latencyMs, 0, 600_000);
  checkPair('bytesPerSecond', spec.bytesPerSecond, 0, 1e10);
  checkPair('changesPerDay', spec.changesPerDay, 1e-6, 1e7);
  checkShares('pages', spec.pages, Object.values(spec.pages));
  checkShares('links', spec.links, [spec.links.area, spec.links.iframe]);
  const { crawlDelay, slow, namedGroup, ...kinds } = spec.robots;
  checkShares('robots', spec.robots, Object.values(kinds));
  checkShares('sites', spec.sites, []);
  checkShares('traps', spec.traps, []);
  const { linkFarm, webRing, ...spamPages } = spec.spam;
  checkShares('spam', spec.spam, Object.values(spamPages));
  checkRange('spam.linkFarm + spam.webRing', linkFarm + webRing, 0, 1);
  checkChoice('hostNames', spec.hostNames, ['numbered', 'domains']);
  checkChoice('trapStyle', spec.trapStyle, ['plain', 'disguised']);
  checkRange('mazeBytesPerSecond', spec.mazeBytesPerSecond, 0, 1e9);
  // Mirrors are drawn among the hosts that lead to no further host.
  checkRange('sites.mirror', spec.sites.mirror, 0, 0.5);
}

function isGroup(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function checkRange(name: string, value: unknown, min: number, max: number, whole = false): void {
  if (typeof value !== 'number' || !(value >= min && value <= max) || (whole && !Number.isInteger(value))) {
    const kind = whole ? 'a whole number' : 'a number';
    throw new OrbweaverError(
      'SETTING_INVALID',
      `${name} of a synthetic web is ${kind} from ${min} to ${max}, not ${value}.`,
    );
  }
}

function checkChoice(name: string, value: unknown, choices: readonly string[]): void {
  if (typeof value !== 'string' || !choices.includes(value)) {
    throw new OrbweaverError(
      'SETTING_INVALID',
      `${name} of a synthetic web is one of ${choices.join(', ')}, not ${value}.`,
    );
  }
}

function checkPair(name: string, pair: readonly [number, number], min: number, max: number): void {
  checkRange(`${name}[0]`, pair[0], min, max);
  checkRange(`${name}[1]`, pair[1], pair[0], max);
}

function checkShares(name: string, shares: object, exclusive: readonly number[]): void {
  for (const [key, share] of Object.entries(shares)) checkRange(`${name}.${key}`, share, 0, 1);
  const sum = exclusive.reduce((total, share) => total + share, 0);
  if (sum > 1 + 1e-9) {
    throw new OrbweaverError(
      'SETTING_INVALID',
      `The shares of ${name} exclude each other and add up to ${sum}, over 1.`,
    );
  }
}
