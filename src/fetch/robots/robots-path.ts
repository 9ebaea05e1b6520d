/** How a character of a path or pattern is written for comparison. */
const KEPT = 0;
const ENCODED = 1;
const ESCAPE = 2;

/** Unreserved and reserved characters (RFC 3986) stay as they are; everything else is percent-encoded. */
const TREATMENT = new Uint8Array(128).fill(ENCODED);
for (const char of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?#[]@!$&'()*+,;=") {
  TREATMENT[char.charCodeAt(0)] = KEPT;
}
TREATMENT[0x25] = ESCAPE;

/**
 * The form in which paths and patterns are compared (RFC 9309, 2.2.2): escapes of unreserved characters are undone,
 * other escapes are upper-cased, what may not stand in a URL is percent-encoded as UTF-8. `%24` and `%2A` are undone
 * too: that is how a rule names a literal `$` or `*`, and URLs hold them bare. A lone `%` stays, as on Google's side.
 * U+FFFD and lone surrogates stay as well: a URL that holds one has lost the octets it was made of, and equals no rule.
 */
export function normalizeRobotsPath(path: string): string {
  for (let i = 0; i < path.length; i++) {
    const code = path.charCodeAt(i);
    if (code >= 128 || TREATMENT[code] !== KEPT) return normalizeFrom(path, i);
  }
  return path;
}

function normalizeFrom(path: string, start: number): string {
  let out = path.slice(0, start);
  for (let i = start; i < path.length; i++) {
    const code = path.charCodeAt(i);
    if (code === 0x25) {
      const octet = escapedOctet(path, i);
      if (octet < 0) {
        out += '%';
        continue;
      }
      out += isComparedBare(octet) ? String.fromCharCode(octet) : path.slice(i, i + 3).toUpperCase();
      i += 2;
    } else if (code < 128) {
      out += TREATMENT[code] === KEPT ? path[i] : percent(code);
    } else {
      const char = String.fromCodePoint(path.codePointAt(i) as number);
      i += char.length - 1;
      if (char === '\ufffd' || !char.isWellFormed()) out += char;
      else for (const octet of Buffer.from(char)) out += percent(octet);
    }
  }
  return out;
}

/** The octet of the escape at `at`, or -1 where none stands there. */
export function escapedOctet(text: string, at: number): number {
  const high = hexDigit(text.charCodeAt(at + 1));
  const low = hexDigit(text.charCodeAt(at + 2));
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

export function isUnreserved(octet: number): boolean {
  const lower = octet | 0x20;
  if (lower >= 0x61 && lower <= 0x7a) return true;
  return (octet >= 0x30 && octet <= 0x39) || octet === 0x2d || octet === 0x2e || octet === 0x5f || octet === 0x7e;
}

/**
 * Path, parameters and query of a URL; always starts with a slash. Takes what Google's parser takes: absolute URLs,
 * `//host/path`, `host/path` and bare paths. The fragment is dropped, whatever is no URL is `/`.
 */
export function pathOfUrl(url: string): string {
  const start = url.startsWith('//') ? 2 : 0;
  let from = firstPathCode(url, start);
  // In "scheme://host/path" the first slash is the one after the colon; the path begins past the authority.
  if (from > start && url.charCodeAt(from - 1) === 0x3a && url.startsWith('//', from))
    from = firstPathCode(url, from + 2);
  if (from === url.length) return '/';
  const hash = url.indexOf('#', start);
  if (hash >= 0 && hash < from) return '/';
  const path = hash < 0 ? url.slice(from) : url.slice(from, hash);
  return url.charCodeAt(from) === 0x2f ? path : `/${path}`;
}

function firstPathCode(url: string, from: number): number {
  for (let i = from; i < url.length; i++) {
    const code = url.charCodeAt(i);
    if (code === 0x2f || code === 0x3f || code === 0x3b) return i;
  }
  return url.length;
}

function isComparedBare(octet: number): boolean {
  return isUnreserved(octet) || octet === 0x24 || octet === 0x2a;
}

function percent(octet: number): string {
  return octet < 16 ? `%0${octet.toString(16).toUpperCase()}` : `%${octet.toString(16).toUpperCase()}`;
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
