import type { CanonicalUrl } from '../contracts/url.ts';

/**
 * The sort-friendly key of a URL in CDXJ files: `com,example)/path?query`.
 *
 * Web archives look pages up by this key, so it follows their custom rather than ours: scheme and `www.`, `www2.` …
 * dropped, labels reversed, everything in lower case, escapes undone as far as a key may hold them, parameters sorted,
 * no trailing slash. Different URLs can share a key: a reader must still compare the URL of the entry.
 */
export function surtOf(url: CanonicalUrl): string {
  const hostStart = url.indexOf('//') + 2;
  const pathStart = url.indexOf('/', hostStart);
  const queryMark = url.indexOf('?', pathStart);
  const pathEnd = queryMark === -1 ? url.length : queryMark;

  let path = unescaped(url.slice(pathStart, pathEnd)).toLowerCase();
  if (path.length > 1 && path.endsWith('/')) path = path.slice(0, -1);
  const key = `${reversedHost(url.slice(hostStart, pathStart))})${path}`;
  if (pathEnd + 1 >= url.length) return key;
  return `${key}?${sortedParameters(unescaped(url.slice(pathEnd + 1)).toLowerCase())}`;
}

/** `www.example.com:81` -> `com,example:81`. Addresses are not names: they keep their order. */
function reversedHost(host: string): string {
  if (host.startsWith('[')) return host;
  const colon = host.indexOf(':');
  const name = colon === -1 ? host : host.slice(0, colon);
  const port = colon === -1 ? '' : host.slice(colon);
  const last = name.charCodeAt(name.lastIndexOf('.') + 1);
  // In canonical form a last label that begins with a digit is the end of an IPv4 address or of no known domain.
  if (last >= 0x30 && last <= 0x39) return host;
  return (
    name
      .replace(/^www\d*\.(?=.)/, '')
      .split('.')
      .reverse()
      .join(',') + port
  );
}

/** By name, then by value: `a-b` comes after `a=1`, which a comparison of whole parameters would turn round. */
function sortedParameters(query: string): string {
  if (!query.includes('&')) return query;
  const parameters = query.split('&').map((text) => {
    const equals = text.indexOf('=');
    return equals === -1
      ? { text, name: text, value: '' }
      : { text, name: text.slice(0, equals), value: text.slice(equals + 1) };
  });
  parameters.sort((a, b) => compare(a.name, b.name) || compare(a.value, b.value));
  return parameters.map((parameter) => parameter.text).join('&');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Undoes escapes, also escaped ones, except those a key needs: spaces, controls, `#`, `%` and whatever is not ASCII.
 * Chains such as %252541 fall in one step, and every further level of nesting triples the length: few rounds suffice.
 */
function unescaped(text: string): string {
  let before: string;
  let after = text;
  do {
    before = after;
    after = before
      .replace(/%(?:25)+(?=[0-9A-Fa-f]{2})/g, '%')
      .replace(/%(?:2[124-9A-Fa-f]|[3-6][0-9A-Fa-f]|7[0-9A-Ea-e])/g, undoEscape);
  } while (after !== before);
  return after;
}

function undoEscape(escaped: string): string {
  return escaped === '%25' ? escaped : String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
}
