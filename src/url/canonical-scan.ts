import { hexDigit, isUnreserved, standsInQuery } from './percent-escapes.ts';
import { ambiguousSessionParameters, isSessionName, sessionParameters, sessionPrefixes } from './session-ids.ts';
import { isTrackingParameter, trackingParameters, trackingPrefixes } from './tracking-parameters.ts';
import type { UrlOptions } from './url-options.ts';

/**
 * Recognises text that is canonical as it stands, by one look at each character. Most links of real pages are; only the
 * others need a parser. Every doubt is answered with -1, "not surely canonical": the scan may miss, never mistake.
 * Host and path are matched by sticky patterns (compiled code that is twice as fast as a loop over character codes);
 * their only state, `lastIndex`, is set before every use.
 */

/** The options as bits, for one test each. */
const stripSlash = 1;
const addSlash = 2;
const sortQuery = 4;
const tidyQuery = 32;
const strips = 8;
const stripWww = 16;
const oneScheme = 64;

export function scanRules(options: UrlOptions): number {
  return (
    (options.trailingSlash === 'strip' ? stripSlash : options.trailingSlash === 'add' ? addSlash : 0) |
    (options.sortQuery ? sortQuery : 0) |
    (options.tidyQuery ? tidyQuery : 0) |
    (options.stripTracking || options.stripSessionIds ? strips : 0) |
    (options.www === 'strip' ? stripWww : 0) |
    (options.plainHttp === 'https' ? oneScheme : 0)
  );
}

// A segment begins with no dot (it might be a dot segment), no parenthesis (it might be a session) and holds no
// semicolon (likewise); none is empty. Such paths exist but are rare enough for the parser.
const neededEscape = '%(?:[01][0-9A-F]|2[0-9A-CF]|3[A-F]|40|5[B-E]|60|7[B-DF]|[89A-F][0-9A-F])';
const further = "[A-Za-z0-9\\-._~!$&'()*+,=:@]*";
const segment = `(?:[A-Za-z0-9\\-_~!$&'*+,=:@]|${neededEscape})${further}(?:${neededEscape}${further})*`;
const path = `(?:${segment}(?:/${segment})*/?)?`;
// Punycode is left to the parser, which checks it, as is a last label that begins like a number.
const name = '(?:(?!xn--)[a-z0-9_-]+\\.)*(?!xn--)[a-z_-][a-z0-9_-]*';
const octet = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
const address = `${octet}(?:\\.${octet}){3}`;
const port = '(?::(?!(?:80|443)/)(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}))?';

const absolutePattern = new RegExp(`https?://(?:${name}|${address})${port}/${path}`, 'y');
const pathPattern = new RegExp(path, 'y');

/** The patterns keep a way back for every character, which on a text of megabytes would be the end of their stack. */
const longest = 16_384;

const ampersand = 0x26;
const percent = 0x25;
const hash = 0x23;
const slash = 0x2f;
const colon = 0x3a;
const semicolon = 0x3b;
const equalsSign = 0x3d;
const question = 0x3f;

/** 0: not canonical here. 1: plain. 2: stands, but needs a second look. */
const queryKinds = Uint8Array.from(standsInQuery);
for (const code of [ampersand, semicolon, percent, hash]) queryKinds[code] = 2;

/** Marks the first two letters of every parameter name that may have to go. */
const suspects = new Uint8Array(128 * 128);
for (const name of [
  ...trackingParameters,
  ...trackingPrefixes,
  ...sessionParameters,
  ...ambiguousSessionParameters,
  ...sessionPrefixes,
]) {
  suspects[suspectIndex(name.charCodeAt(0), name.charCodeAt(1))] = 1;
}

function suspectIndex(first: number, second: number): number {
  return (((first | 0x20) & 0x7f) << 7) | ((second | 0x20) & 0x7f);
}

/** An absolute URL: where it ends (at its fragment or the end of the text), or -1. */
export function scanAbsolute(text: string, rules: number): number {
  if (text.length > longest) return -1;
  absolutePattern.lastIndex = 0;
  if (!absolutePattern.test(text)) return -1;
  if ((rules & stripWww) !== 0 && text.startsWith('://www.', text.charCodeAt(4) === 0x73 ? 5 : 4)) return -1;
  if ((rules & oneScheme) !== 0 && text.charCodeAt(4) === colon) return -1;
  return scanRest(text, absolutePattern.lastIndex, rules);
}

/** Path, query and fragment from behind a slash: where the query (or else the path) ends, or -1. */
export function scanPath(text: string, start: number, rules: number): number {
  if (text.length > longest) return -1;
  pathPattern.lastIndex = start;
  // It matches the empty path at least.
  pathPattern.test(text);
  return scanRest(text, pathPattern.lastIndex, rules);
}

/** What follows a canonical path that ends at `at`. */
function scanRest(text: string, at: number, rules: number): number {
  if ((rules & (stripSlash | addSlash)) !== 0) {
    const endsWithSlash = at === 0 || text.charCodeAt(at - 1) === slash;
    if ((rules & (endsWithSlash ? stripSlash : addSlash)) !== 0) return -1;
  }
  if (at === text.length) return at;
  const code = text.charCodeAt(at);
  return code === question ? scanQuery(text, at + 1, rules) : code === hash ? at : -1;
}

/** The query from behind its "?": where it ends, or -1. */
export function scanQuery(text: string, start: number, rules: number): number {
  const length = text.length;
  if (start === length || text.charCodeAt(start) === hash) return -1;
  const suspicious = (rules & strips) !== 0;
  if (suspicious && isSuspect(text, start)) return -1;
  const judged = rules & (sortQuery | tidyQuery);
  let before = -1;
  let parameter = start;
  let at = start;
  for (; at < length; at++) {
    const code = text.charCodeAt(at);
    const kind = code < 128 ? queryKinds[code] : 0;
    if (kind === 1) continue;
    if (kind === 0) return -1;
    if (code === hash) break;
    if (code === percent) {
      if (!isNeededEscape(text, at)) return -1;
      at += 2;
      continue;
    }
    if (suspicious && isSuspect(text, at + 1)) return -1;
    if (code === ampersand && judged !== 0) {
      if (!parameterStands(text, before, parameter, at, judged)) return -1;
      before = parameter;
      parameter = at + 1;
    }
  }
  return judged === 0 || parameterStands(text, before, parameter, at, judged) ? at : -1;
}

/** Whether the parameter [start, end) is tidy and in its place behind the one that begins at `before` (-1: none). */
function parameterStands(text: string, before: number, start: number, end: number, judged: number): boolean {
  if ((judged & tidyQuery) !== 0) {
    if (start === end || text.charCodeAt(start) === equalsSign) return false;
    // Only the first equals sign ends a name, but where the last one does not, the parser may as well look.
    if (text.charCodeAt(end - 1) === equalsSign) return false;
  }
  if ((judged & sortQuery) === 0 || before === -1) return true;
  for (let i = 0; ; i++) {
    const ours = start + i === end ? equalsSign : text.charCodeAt(start + i);
    const theirs = text.charCodeAt(before + i);
    const oursEnds = ours === equalsSign;
    const theirsEnds = theirs === equalsSign || theirs === ampersand;
    if (oursEnds || theirsEnds) return theirsEnds;
    if (ours !== theirs) return ours > theirs;
  }
}

/** Whether the parameter that begins here may have to go. Two letters clear most of them. */
function isSuspect(text: string, at: number): boolean {
  if (at + 1 >= text.length || suspects[suspectIndex(text.charCodeAt(at), text.charCodeAt(at + 1))] === 0) return false;
  let end = at;
  while (end < text.length && queryKinds[text.charCodeAt(end)] === 1 && text.charCodeAt(end) !== equalsSign) end++;
  const name = text.slice(at, end);
  return isTrackingParameter(name) || isSessionName(name);
}

/** An escape in upper case whose octet may not stand by itself. */
function isNeededEscape(text: string, at: number): boolean {
  const first = text.charCodeAt(at + 1);
  const second = text.charCodeAt(at + 2);
  const high = hexDigit(first);
  const low = hexDigit(second);
  return high >= 0 && low >= 0 && first < 0x60 && second < 0x60 && isUnreserved[high * 16 + low] !== 1;
}
