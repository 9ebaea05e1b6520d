import type { LinkKind } from '../contracts/content/page.ts';
import { hasToken } from './link-list.ts';

export interface LinkRole {
  /** Undefined where the link leads to nothing that can be fetched, such as a host to connect to early. */
  readonly kind: LinkKind | undefined;
  readonly canonical: boolean;
  readonly alternate: boolean;
}

/** First match counts. */
const KINDS: readonly (readonly [token: string, kind: LinkKind | undefined])[] = [
  ['stylesheet', 'style'],
  ['icon', 'img'],
  ['apple-touch-icon', 'img'],
  ['apple-touch-icon-precomposed', 'img'],
  ['apple-touch-startup-image', 'img'],
  ['mask-icon', 'img'],
  ['image_src', 'img'],
  ['modulepreload', 'script'],
  ['preload', 'object'],
  ['manifest', 'object'],
  ['preconnect', undefined],
  ['dns-prefetch', undefined],
];

/** What `<link rel=…>` is for: a document, a part of the page, or a hint to browsers. `rel` in lower case. */
export function linkRole(rel: string): LinkRole {
  const match = KINDS.find(([token]) => hasToken(rel, token));
  return {
    kind: match === undefined ? 'link' : match[1],
    canonical: hasToken(rel, 'canonical'),
    alternate: hasToken(rel, 'alternate'),
  };
}
