import { OrbweaverError } from '../../base/errors.ts';

export interface UrlBoost {
  /** `*` stands for any run of characters; without one it is a beginning. Held against the path where it begins with `/`,
   * against the whole URL where it begins with a star or has a scheme, otherwise against host and path. */
  readonly pattern: string;
  /** In doublings: 1 counts like twice as many links; below 0 it comes later. */
  readonly boost: number;
}

const LARGEST = 100;

/** Patterns of URLs and what each adds; of several that match, all count. */
export class UrlBoosts {
  readonly #boosts: readonly { matches: (url: string) => boolean; boost: number }[];

  constructor(boosts: readonly UrlBoost[]) {
    this.#boosts = boosts.map(({ pattern, boost }) => {
      if (pattern === '' || !Number.isFinite(boost) || Math.abs(boost) > LARGEST) {
        throw new OrbweaverError('SETTING_INVALID', `The boost ${boost} for '${pattern}' cannot be used.`, {
          remedy: `Give a pattern such as example.org/news/* and a number from -${LARGEST} to ${LARGEST}.`,
        });
      }
      return { matches: matcher(pattern), boost };
    });
  }

  of(url: string): number {
    let sum = 0;
    for (const { matches, boost } of this.#boosts) if (matches(url)) sum += boost;
    return sum;
  }
}

function matcher(pattern: string): (url: string) => boolean {
  const start = startOf(pattern);
  const pieces = pattern.split('*');
  return (url) => covers(url, start(url), pieces);
}

/** The first piece stands at the start, the last at the end unless there is but one, the others in turn between them. */
function covers(url: string, start: number, pieces: readonly string[]): boolean {
  if (!url.startsWith(pieces[0], start)) return false;
  if (pieces.length === 1) return true;
  let at = start + pieces[0].length;
  for (let piece = 1; piece < pieces.length - 1; piece++) {
    const found = url.indexOf(pieces[piece], at);
    if (found < 0) return false;
    at = found + pieces[piece].length;
  }
  const last = pieces[pieces.length - 1];
  return url.length - last.length >= at && url.endsWith(last);
}

function startOf(pattern: string): (url: string) => number {
  const hostStart = (url: string): number => url.indexOf('://') + 3;
  if (pattern.startsWith('/')) return (url) => url.indexOf('/', hostStart(url));
  return pattern.startsWith('*') || pattern.includes('://') ? () => 0 : hostStart;
}
