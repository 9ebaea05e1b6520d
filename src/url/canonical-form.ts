import { canonicalQuery } from './canonical-query.ts';
import { fileForm } from './file-url.ts';
import { canonicalEscapes, standsInPath, standsInQuery } from './percent-escapes.ts';
import { registrableDomain } from './public-suffix.ts';
import { stripPathSessionIds } from './session-ids.ts';
import type { UrlOptions } from './url-options.ts';

/**
 * The reference: the canonical form by way of the platform's URL parser. `canonical-scan` recognises the same form
 * without parsing; the tests hold the two together. Undefined for whatever is not an http(s) URL, nor of a scheme that a plug-in
 * fetches, nor a file where `files` says so.
 */
export function canonicalForm(
  input: string,
  options: UrlOptions,
  base?: string,
  note?: (step: string) => void,
): string | undefined {
  const parsed = parse(input, options, base);
  if (parsed === null) return undefined;
  if (parsed.protocol === 'file:') return namesFile(options, base) ? fileForm(parsed) : undefined;
  if (!isWeb(parsed)) return hasScheme(options, parsed.protocol) ? otherForm(parsed, options, note) : undefined;
  const host = canonicalHost(parsed.hostname, options, note);
  const port = parsed.port === '' ? '' : `:${parsed.port}`;
  const path = canonicalPath(parsed.pathname, options, note);
  const search = parsed.search === '' ? '' : canonicalSearch(parsed.search, options, note);
  return `${canonicalScheme(parsed, options, note)}//${host}${port}${path}${search}`;
}

/** A port says which server is meant, and that one speaks one of them. */
function canonicalScheme({ protocol, port }: URL, { plainHttp }: UrlOptions, note?: (step: string) => void): string {
  if (plainHttp !== 'https' || protocol === 'https:' || port !== '') return protocol;
  note?.('http taken for https');
  return 'https:';
}

/** A base that is no URL itself counts as none: absolute links on such a page are still good. */
export function parse(input: string, options: UrlOptions, base?: string): URL | null {
  if (base !== undefined) {
    const resolved = URL.parse(input, base);
    if (resolved !== null || URL.canParse(base)) return resolved;
  }
  return URL.parse(options.assumeHttp ? withAssumedScheme(input) : input);
}

/** Whether a plug-in fetches it. `protocol` with its colon. */
export function hasScheme({ schemes }: UrlOptions, protocol: string): boolean {
  return schemes?.split(' ').includes(protocol) === true;
}

/** The parser leaves hosts of other schemes as they are written, and paths empty: they get the forms that web URLs have. */
function otherForm(parsed: URL, options: UrlOptions, note?: (step: string) => void): string | undefined {
  const host = URL.parse(`http://${parsed.hostname}/`)?.hostname;
  if (parsed.hostname === '' || host === undefined) return undefined;
  const port = parsed.port === '' ? '' : `:${parsed.port}`;
  const path = canonicalPath(parsed.pathname || '/', options, note);
  const search = parsed.search === '' ? '' : canonicalSearch(parsed.search, options, note);
  return `${parsed.protocol}//${canonicalHost(host, options, note)}${port}${path}${search}`;
}

/** Whoever speaks for the user may name a file; of pages, those that are files themselves. */
function namesFile({ files }: UrlOptions, base: string | undefined): boolean {
  return files === true && (base === undefined || URL.parse(base)?.protocol === 'file:');
}

export function isWeb(url: URL): boolean {
  return url.protocol === 'http:' || url.protocol === 'https:';
}

/** "example.com:8080/x" looks like a scheme to a parser; digits behind the colon tell that it is a port. */
export function withAssumedScheme(input: string): string {
  const text = input.trim();
  if (/^(?:https?:|[a-z][a-z0-9+.-]*:(?!\d{1,5}(?:[/?#]|$)))/i.test(text)) return input;
  if (text.startsWith('//')) return `http:${text}`;
  return /^[\p{L}\p{N}[]/u.test(text) ? `http://${text}` : input;
}

function canonicalHost(hostname: string, options: UrlOptions, note?: (step: string) => void): string {
  let host = hostname;
  if (host.endsWith('.')) {
    // What is left may be a number or nothing at all, which the parser has not yet judged. Where it is no host by
    // itself, as with "http://../", the name stays: no resolver will know it.
    const bare = URL.parse(`http://${withoutTrailing('.', host)}/`);
    if (bare === null) return host;
    host = bare.hostname;
    note?.('trailing dot of host removed');
  }
  if (host.startsWith('[::ffff:')) return mappedAddress(host);
  if (options.www === 'strip') {
    let rest = host;
    while (rest.startsWith('www.') && registrableDomain(rest.slice(4)) !== undefined) rest = rest.slice(4);
    if (rest !== host) note?.('www. removed');
    host = rest;
  }
  return host;
}

/** IPv4-mapped addresses show their IPv4 part, as RFC 5952 recommends. */
function mappedAddress(host: string): string {
  const groups = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(host);
  if (groups === null) return host;
  const high = Number.parseInt(groups[1], 16);
  const low = Number.parseInt(groups[2], 16);
  return `[::ffff:${high >> 8}.${high & 255}.${low >> 8}.${low & 255}]`;
}

/** Escapes first, so that what follows sees one spelling. Dot segments are gone; no step below can make a new one. */
function canonicalPath(pathname: string, options: UrlOptions, note?: (step: string) => void): string {
  let path = canonicalEscapes(pathname, standsInPath);
  if (path !== pathname) note?.('escapes of path made canonical');
  if (options.stripSessionIds && (path.includes(';') || path.includes('/('))) {
    const stripped = stripPathSessionIds(path);
    if (stripped !== path) note?.('session id in path removed');
    path = stripped;
  }
  if (options.duplicateSlashes === 'collapse' && path.includes('//')) {
    // Those behind a colon belong to an address within the path, as web archives and redirectors have it.
    const collapsed = path.replace(/(?<!:|%3A)\/{2,}/g, '/');
    if (collapsed !== path) note?.('duplicate slashes collapsed');
    path = collapsed;
  }
  if (options.trailingSlash === 'strip' && path.length > 1 && path.endsWith('/')) {
    path = withoutTrailing('/', path) || '/';
    note?.('trailing slash removed');
  } else if (options.trailingSlash === 'add' && !path.endsWith('/') && !path.includes('.', path.lastIndexOf('/'))) {
    path += '/';
    note?.('trailing slash added');
  }
  return path;
}

/** `search` begins with "?" and is longer. */
function canonicalSearch(search: string, options: UrlOptions, note?: (step: string) => void): string {
  const raw = search.slice(1);
  const escaped = canonicalEscapes(raw, standsInQuery);
  if (escaped !== raw) note?.('escapes of query made canonical');
  const query = canonicalQuery(escaped, options, note);
  return query === '' ? '' : `?${query}`;
}

/** A loop, because a pattern would look at every run of the character again from each of its members. */
function withoutTrailing(character: string, text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}
