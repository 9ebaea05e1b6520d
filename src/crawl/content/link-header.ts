import type { Link } from '../../contracts/content/page.ts';
import { linkRole } from '../../extract/link-role.ts';

/** A link of a Link header field (RFC 8288), as written. */
export interface HeaderLink {
  readonly target: string;
  /** In lower case, separated by single spaces; never blank. */
  readonly rel: string;
  readonly title?: string;
  readonly type?: string;
}

const MOST_LINKS = 50;
const LONGEST_FIELD = 16_384;

/** A target in angle brackets, then parameters. No two neighbours match the same white space: no quadratic time. */
const LINK = /<([^<>]{1,4000})>((?:\s*;\s*[\w!#$%&'*+.^`|~-]+(?:\s*=\s*(?:"(?:[^"\\]|\\.){0,1000}"|[^\s",;]*))?)*)/g;
const PARAMETER = /;\s*([\w!#$%&'*+.^`|~-]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",;]*)))?/g;

/** The links of all Link fields of an answer, in their order. Those without a relation say nothing. */
export function parseLinkHeaders(fields: readonly string[]): HeaderLink[] {
  return fields.flatMap(parseField).slice(0, MOST_LINKS);
}

function parseField(field: string): HeaderLink[] {
  return [...field.slice(0, LONGEST_FIELD).matchAll(LINK)].flatMap(([, target, parameters]) => {
    const values = new Map<string, string>();
    for (const [, name, quoted, plain = ''] of parameters.matchAll(PARAMETER)) {
      // Of parameters that are repeated the first counts.
      const key = name.toLowerCase();
      if (!values.has(key)) values.set(key, quoted?.replace(/\\(.)/g, '$1') ?? plain);
    }
    const rel = (values.get('rel') ?? '').toLowerCase().trim().replace(/\s+/g, ' ');
    // With an anchor it is the link of another document.
    if (rel === '' || values.has('anchor')) return [];
    const [title, type] = [values.get('title'), values.get('type')];
    return [{ target: target.trim(), rel, ...(title && { title }), ...(type && { type }) }];
  });
}

/** Follows the rules of `<link>`: hints to browsers lead nowhere, parts of the page only where they are wanted. */
export function followedLinks(
  links: readonly HeaderLink[],
  resolve: (reference: string) => string | undefined,
  resources: boolean,
): Link[] {
  return links.flatMap(({ target, rel, title, type }): Link[] => {
    const { kind } = linkRole(rel);
    const url = kind === 'link' || (kind !== undefined && resources) ? resolve(target) : undefined;
    if (kind === undefined || url === undefined) return [];
    const tokens = rel.split(' ');
    const [nofollow, ugc, sponsored] = ['nofollow', 'ugc', 'sponsored'].map((token) => tokens.includes(token));
    return [{ url, kind, text: '', rel, nofollow, ugc, sponsored, ...(title && { title }), ...(type && { type }) }];
  });
}
