import { isFileUrl, pathOfFileUrl } from '../../url/file-url.ts';

/** Addresses within this server. Everything is escaped for a query string here, and for HTML by the template. */
export function ownLink(path: string, parameters: Readonly<Record<string, string | number | undefined>>): string {
  let query = '';
  for (const name in parameters) {
    const value = parameters[name];
    if (value !== undefined) query += `${query === '' ? '?' : '&'}${name}=${formEncoded(String(value))}`;
  }
  return path + query;
}

/** As forms are sent. A page of results has a hundred links, and for nearly all the engine's encoding of parts is the same. */
function formEncoded(value: string): string {
  if (ENCODED_OTHERWISE.test(value)) return new URLSearchParams([['', value]]).toString().slice(1);
  return encodeURIComponent(value).replaceAll('%20', '+');
}

/** What the two encodings write differently, and what may be half a character. */
const ENCODED_OTHERWISE = /[!'()~\ud800-\udfff]/;

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

/** A link to a file of this machine as this server shows it: browsers follow no file: links of pages. */
export function fileLink(url: string | undefined): string | undefined {
  return url !== undefined && isFileUrl(url) ? ownLink('/file', { url }) : undefined;
}

/** Marks that turn or hide text could make an address look like another one. */
const MISLEADING = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** An address as people read it: host and the parts of its path. */
export function readableAddress(url: string): { readonly host: string; readonly path: readonly string[] } {
  const parsed = URL.parse(url);
  const local = parsed?.protocol === 'file:' ? pathOfFileUrl(parsed.href) : undefined;
  if (local !== undefined)
    return {
      host: 'file',
      path: local
        .split(/[/\\]/)
        .filter((part) => part !== '')
        .map(withoutMisleading),
    };
  if (parsed === null || parsed.host === '') return { host: url.replace(MISLEADING, '\ufffd'), path: [] };
  const scheme = parsed.protocol === 'https:' ? '' : `${parsed.protocol}//`;
  const path = parsed.pathname.split('/').filter((part) => part !== '');
  if (parsed.search !== '') path.push(parsed.search);
  return { host: scheme + parsed.host, path: path.map(readable) };
}

/** Without marks that turn or hide text. */
export function withoutMisleading(text: string): string {
  return text.replace(MISLEADING, '\ufffd');
}

function readable(part: string): string {
  try {
    return decodeURIComponent(part).replace(MISLEADING, '\ufffd');
  } catch {
    return part;
  }
}

/** Characters of the end of an address that stay in sight where there is no room for all. */
const TAIL = 14;

/** An address cut in two: where there is no room, the end of the first part gives way, so that host and last step stay in sight. */
export function splitAddress(text: string): { readonly start: string; readonly end: string } {
  const characters = [...text];
  const cut = characters.length > 3 * TAIL ? characters.length - TAIL : characters.length;
  return { start: characters.slice(0, cut).join(''), end: characters.slice(cut).join('') };
}
