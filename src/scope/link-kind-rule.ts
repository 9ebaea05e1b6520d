import type { Settings } from '../base/settings/schema.ts';
import type { Link, LinkKind } from '../contracts/content/page.ts';
import type { FilterVerdict } from '../contracts/url-filter.ts';
import { ADMIT, type Rule, refuse } from './rule.ts';

const RESOURCE_KINDS = new Set<LinkKind>(['img', 'script', 'style', 'media', 'object']);
const RESOURCE_RELATIONS = new Set([
  ...[
    'stylesheet',
    'icon',
    'mask-icon',
    'apple-touch-icon',
    'apple-touch-icon-precomposed',
    'apple-touch-startup-image',
  ],
  ...['preload', 'modulepreload', 'manifest', 'image_src'],
]);
/** They name a server to warm up or a service to talk to, not something to read. */
const NO_DOCUMENT_RELATIONS = new Set([
  ...['preconnect', 'dns-prefetch', 'pingback', 'webmention', 'micropub', 'edituri', 'wlwmanifest', 'search'],
]);

/** Whether a link leads to a part of the page rather than to another page. */
export function isResource(link: Link): boolean {
  return RESOURCE_KINDS.has(link.kind) || (link.kind === 'link' && hasRelation(link, RESOURCE_RELATIONS));
}

/** Forms are recorded but never sent; parts of pages are fetched on request alone. */
export function createLinkKindRule({ resources, images }: Pick<Settings, 'resources' | 'images'>): Rule {
  const form = refuse('link-kind', 'link kind: forms are recorded, not sent');
  const noDocument = refuse('link-kind', 'link kind: its rel names a service, not a document');
  const verdicts = new Map<LinkKind, FilterVerdict>();
  return {
    name: 'link kind',
    judge(_task, link) {
      if (link === undefined || link.kind === 'a' || link.kind === 'sitemap' || link.kind === 'feed') return ADMIT;
      if (link.kind === 'form') return form;
      if (link.kind === 'link' && hasRelation(link, NO_DOCUMENT_RELATIONS)) return noDocument;
      if (resources || !isResource(link) || (link.kind === 'img' && images === 'fetch')) return ADMIT;
      let verdict = verdicts.get(link.kind);
      if (verdict === undefined) {
        verdict = refuse('link-kind', `link kind: ${link.kind} is part of the page, and resources is off`);
        verdicts.set(link.kind, verdict);
      }
      return verdict;
    },
  };
}

/** `nofollow` of the single link; that of a whole page is judged once, where the page is. */
export function createNofollowRule(): Rule {
  const verdict = refuse('directive', 'rel=nofollow');
  return { name: 'nofollow', judge: (_task, link) => (link?.nofollow ? verdict : ADMIT) };
}

function hasRelation(link: Link, relations: ReadonlySet<string>): boolean {
  if (link.rel === '') return false;
  if (relations.has(link.rel)) return true;
  return link.rel.includes(' ') && link.rel.split(' ').some((relation) => relations.has(relation));
}
