import type { CanonicalUrl } from './url.ts';

/**
 * Who says no. 'scope' and 'url' look at the URL alone; 'depth', 'directive' and 'budget' may be overcome by another link
 * or at another time, as 'topic' may by a link from a page on topic and 'duplicate' by one from a page that is no copy; 'trap' and 'mirror' are learned by the crawl and may be reversed, so what they hold is kept;
 * 'archive': a crawl that is answered from archives does not find it there;
 * 'link-kind' is about the link only (a form, an image) and is not recorded.
 */
export type RefusedBy =
  | 'robots'
  | 'address'
  | 'scope'
  | 'depth'
  | 'link-kind'
  | 'url'
  | 'media-type'
  | 'directive'
  | 'budget'
  | 'trap'
  | 'mirror'
  | 'topic'
  | 'duplicate'
  | 'archive';

/** The closed list of endings of a visit. */
export type Outcome =
  | { readonly kind: 'stored' }
  /** `by`: it was asked for with HEAD, and this of the answer was as before. */
  | { readonly kind: 'unchanged'; readonly by?: 'digest' | 'length' }
  | { readonly kind: 'duplicate'; readonly of: CanonicalUrl }
  | { readonly kind: 'redirected'; readonly to: string }
  | { readonly kind: 'refused'; readonly by: RefusedBy; readonly rule: string }
  /** `soft`: the status says otherwise, and why we do not believe it. */
  | { readonly kind: 'gone'; readonly status: number; readonly soft?: string }
  | { readonly kind: 'failed'; readonly code: string; readonly detail?: string }
  /** Not an ending: the host's turn went into its robots.txt; the URL keeps its place. `address`: what is to be asked for instead. */
  | { readonly kind: 'deferred'; readonly why: string; readonly address?: string };
