import type { RobotsGroup } from '../model/web-model.ts';

export type DemoHost = 'spiders' | 'silk' | 'museum' | 'fieldguide' | 'blog';

/** A document of the demo web, its links still without host and port. */
export interface DemoDocument {
  readonly kind: 'document';
  readonly path: string;
  readonly title: string;
  /** HTML of the article, links made by `link`. */
  readonly article: string;
  /** content of META robots. */
  readonly robots?: string;
}

export type DemoPage =
  | DemoDocument
  /** The very bytes of another page of the site. */
  | { readonly kind: 'copy'; readonly path: string; readonly of: string }
  | { readonly kind: 'redirect'; readonly path: string; readonly status: 301 | 302; readonly to: string }
  /** Linked, but there is nothing. */
  | { readonly kind: 'missing'; readonly path: string; readonly status: 404 | 410 };

export interface DemoSite {
  readonly host: DemoHost;
  readonly title: string;
  readonly motto: string;
  readonly navigation: readonly (readonly [path: string, label: string])[];
  readonly robots: readonly RobotsGroup[];
  readonly pages: readonly DemoPage[];
}

/** A link to a page of any demo site; `@host` becomes an address when the page is written. */
export function link(host: DemoHost, path: string, text: string, rel?: 'nofollow'): string {
  return `<a href="@${host}${path}"${rel === undefined ? '' : ` rel="${rel}"`}>${text}</a>`;
}

export function picture(name: string, alt: string): string {
  return `<figure><img src="/pictures/${name}.svg" alt="${alt}" width="320" height="200"><figcaption>${alt}</figcaption></figure>`;
}

export function paragraphs(...texts: readonly string[]): string {
  return texts.map((text) => `<p>${text}</p>`).join('\n');
}

export function list(items: readonly string[]): string {
  return `<ul>\n${items.map((item) => `<li>${item}</li>`).join('\n')}\n</ul>`;
}

/** "a, b and c" */
export function enumerate(items: readonly string[]): string {
  if (items.length < 2) return items.join('');
  return `${items.slice(0, -1).join(', ')} and ${items[items.length - 1]}`;
}

/** A page written in prose. */
export function document(path: string, title: string, article: string, robots?: string): DemoDocument {
  return { kind: 'document', path, title, article, ...(robots === undefined ? {} : { robots }) };
}
