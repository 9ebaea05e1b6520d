/** Addresses within this server. Everything is escaped for a query string here, and for HTML by the template. */
export function ownLink(path: string, parameters: Readonly<Record<string, string | number | undefined>>): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) given.set(name, String(value));
  const query = given.toString();
  return query === '' ? path : `${path}?${query}`;
}

/** Results of a query. `exactWords` stays on all links of a page that was asked for with it. */
export function searchLink(
  query: string,
  exactWords: boolean,
  more: { readonly page?: number | undefined; readonly unfolded?: 1 | undefined } = {},
): string {
  return ownLink('/search', { q: query, ...more, exact: exactWords ? 1 : undefined });
}

/** An address that a page may lead to; undefined for `javascript:` and its like. */
export function outerLink(url: string | undefined): string | undefined {
  const parsed = url === undefined ? null : URL.parse(url);
  return parsed !== null && (parsed.protocol === 'http:' || parsed.protocol === 'https:') ? parsed.href : undefined;
}

/** Marks that turn or hide text could make an address look like another one. */
const MISLEADING = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** An address as people read it: host and the parts of its path. */
export function readableAddress(url: string): { readonly host: string; readonly path: readonly string[] } {
  const parsed = URL.parse(url);
  if (parsed === null || parsed.host === '') return { host: url.replace(MISLEADING, '\ufffd'), path: [] };
  const scheme = parsed.protocol === 'https:' ? '' : `${parsed.protocol}//`;
  const path = parsed.pathname.split('/').filter((part) => part !== '');
  if (parsed.search !== '') path.push(parsed.search);
  return { host: scheme + parsed.host, path: path.map(readable) };
}

function readable(part: string): string {
  try {
    return decodeURIComponent(part).replace(MISLEADING, '\ufffd');
  } catch {
    return part;
  }
}
