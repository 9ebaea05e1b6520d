import { ADMIT, type Rule, refuse } from '../rule.ts';

const SLASH = 0x2f;
const QUESTION = 0x3f;
/** One name this many times more than the repeats that are allowed, in whatever order. */
const SCATTERED = 2;

export function createPathDepthRule(max: number): Rule {
  return {
    name: 'trap-path-depth',
    judge({ url }) {
      const depth = segmentCount(url);
      return depth <= max ? ADMIT : refuse('trap', `trap-path-depth ${max}: the path has ${depth} segments`);
    },
  };
}

/** Relative links that lack their first slash make paths grow by themselves: /a/b/a/b/a/b/. */
export function createRepeatsRule(repeats: number): Rule {
  return {
    name: 'trap-repeats',
    judge({ url }) {
      if (segmentCount(url) < repeats) return ADMIT;
      const segments = segmentsOf(url);
      const cycle = cycleOf(segments, repeats);
      if (cycle !== undefined) {
        return refuse('trap', `trap-repeats ${repeats}: the path holds /${cycle.join('/')} ${repeats} times in a row`);
      }
      const name = segments.length < repeats + SCATTERED ? undefined : mostRepeated(segments, repeats + SCATTERED);
      return name === undefined
        ? ADMIT
        : refuse('trap', `trap-repeats ${repeats}: the path holds /${name} ${repeats + SCATTERED} times or more`);
    },
  };
}

function segmentCount(url: string): number {
  let count = 0;
  for (let i = url.indexOf('/', 8); i < url.length; i++) {
    const code = url.charCodeAt(i);
    if (code === QUESTION) break;
    if (code === SLASH && i + 1 < url.length && url.charCodeAt(i + 1) !== QUESTION) count++;
  }
  return count;
}

function segmentsOf(url: string): string[] {
  const query = url.indexOf('?');
  const path = url.slice(url.indexOf('/', 8) + 1, query === -1 ? url.length : query);
  const segments = path.split('/');
  if (segments[segments.length - 1] === '') segments.pop();
  return segments;
}

/** The shortest sequence that stands this many times in a row, if it holds at least one name. */
function cycleOf(segments: readonly string[], repeats: number): readonly string[] | undefined {
  for (let period = 1; period * repeats <= segments.length; period++) {
    let same = 0;
    for (let i = period; i < segments.length; i++) {
      same = segments[i] === segments[i - period] ? same + 1 : 0;
      if (same < period * (repeats - 1)) continue;
      const cycle = segments.slice(i - period + 1, i + 1);
      if (cycle.some(isName) || (period > 1 && new Set(cycle).size > 1 && cycle.every(hasLetter))) return cycle;
    }
  }
  return undefined;
}

function mostRepeated(segments: readonly string[], times: number): string | undefined {
  for (let i = 0; i + times <= segments.length; i++) {
    if (!isName(segments[i])) continue;
    let seen = 1;
    for (let j = i + 1; j < segments.length; j++) if (segments[j] === segments[i]) seen++;
    if (seen >= times) return segments[i];
  }
  return undefined;
}

/** Letters that take turns are no shelves: an archive by letters has each of them once. */
function hasLetter(segment: string): boolean {
  return !/^\d*$/.test(segment);
}

/** Numbers and single letters repeat without meaning anything: the tiles of a map, the shelves of an archive. */
function isName(segment: string): boolean {
  if (segment.length < 2) return false;
  for (let i = 0; i < segment.length; i++) {
    const code = segment.charCodeAt(i);
    if (code < 0x30 || code > 0x39) return true;
  }
  return false;
}
