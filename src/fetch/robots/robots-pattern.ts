import { escapedOctet, isUnreserved, normalizeRobotsPath } from './robots-path.ts';

/** Parts up to this length are searched natively: at worst this many steps per octet of the path. */
const NATIVE_SEARCH_MAX = 16;

/** A rule's pattern, ready to be matched. */
export interface RobotsPattern {
  /** Octets of the pattern; the longest matching pattern decides. 0 matches nothing that counts. */
  readonly priority: number;
  /** What stands between the wildcards; the first part is bound to the start of the path. */
  readonly parts: readonly SearchPart[];
  /** The pattern ends in `$`. */
  readonly anchored: boolean;
}

interface SearchPart {
  readonly text: string;
  /** Long parts alone: for each length, the longest proper prefix that is also a suffix (Knuth, Morris and Pratt). */
  readonly borders?: Uint32Array;
}

/** Counts the steps of a match, for proof that they are bounded. Native searches are charged at their worst case. */
export interface StepMeter {
  steps: number;
}

/** `*` is any run of octets, `$` at the end is the end of the path; both can be written literally as %2A and %24. */
export function compileRobotsPattern(value: string): RobotsPattern {
  const anchored = value.endsWith('$');
  const written = (anchored ? value.slice(0, -1) : value).split('*');
  const parts = [{ text: normalizeRobotsPath(written[0]) }, ...written.slice(1).map(searchPart)];
  // Wildcards in a row are one; a wildcard at the end says nothing unless `$` follows, which then says nothing either.
  const last = parts.length - 1;
  const endsWild = last > 0 && parts[last].text === '';
  return {
    priority: octetsOf(value),
    parts: parts.filter((part, at) => at === 0 || part.text !== ''),
    anchored: anchored && !endsWild,
  };
}

/** Linear in the length of path and pattern, whatever both hold. `path` is in normal form. */
export function matchesRobotsPattern(pattern: RobotsPattern, path: string, meter?: StepMeter): boolean {
  const { parts, anchored } = pattern;
  const first = parts[0].text;
  if (meter !== undefined) meter.steps += first.length;
  if (!path.startsWith(first)) return false;
  let at = first.length;
  const last = parts.length - 1;
  if (last === 0) return !anchored || at === path.length;
  // The leftmost place for each part leaves the most room for the rest, so nothing is ever tried twice.
  const searched = anchored ? last - 1 : last;
  for (let i = 1; i <= searched; i++) {
    at = endOf(parts[i], path, at, meter);
    if (at < 0) return false;
  }
  if (!anchored) return true;
  const tail = parts[last].text;
  if (meter !== undefined) meter.steps += tail.length;
  return path.length - tail.length >= at && path.endsWith(tail);
}

/** Where the first occurrence of the part at or after `from` ends, or -1. */
function endOf(part: SearchPart, path: string, from: number, meter: StepMeter | undefined): number {
  const { text, borders } = part;
  if (borders === undefined) {
    const found = path.indexOf(text, from);
    if (meter !== undefined) meter.steps += ((found < 0 ? path.length : found) - from + 1) * text.length;
    return found < 0 ? -1 : found + text.length;
  }
  let matched = 0;
  for (let at = from; at < path.length; ) {
    if (meter !== undefined) meter.steps++;
    if (path.charCodeAt(at) === text.charCodeAt(matched)) {
      at++;
      if (++matched === text.length) return at;
    } else if (matched > 0) {
      matched = borders[matched];
    } else {
      at++;
    }
  }
  return -1;
}

function searchPart(written: string): SearchPart {
  const text = normalizeRobotsPath(written);
  if (text.length <= NATIVE_SEARCH_MAX) return { text };
  const borders = new Uint32Array(text.length + 1);
  for (let length = 2, border = 0; length <= text.length; length++) {
    while (border > 0 && text.charCodeAt(length - 1) !== text.charCodeAt(border)) border = borders[border];
    if (text.charCodeAt(length - 1) === text.charCodeAt(border)) border++;
    borders[length] = border;
  }
  return { text, borders };
}

/**
 * The octets of a pattern as Google counts them (characters past ASCII in their percent-encoded form), but escapes
 * that were not needed as the one octet they stand for: `/%7Ejoe` is no more specific than `/~joe`.
 */
function octetsOf(value: string): number {
  let octets = 0;
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i);
    if (code >= 128) {
      const char = String.fromCodePoint(value.codePointAt(i) as number);
      i += char.length - 1;
      octets += 3 * Buffer.byteLength(char);
      continue;
    }
    octets++;
    if (code === 0x25 && isUnreserved(escapedOctet(value, i))) i += 2;
  }
  return octets;
}
