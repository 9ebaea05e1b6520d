import { readFileSync } from 'node:fs';
import type { RobotsGroup } from '../model/web-model.ts';

const HOSTS = ['spiders', 'silk', 'museum', 'fieldguide', 'blog'] as const;

export interface DemoDocument {
  readonly kind: 'document';
  readonly path: string;
  readonly title: string;
  /** Lines of HTML. `[text](@host/path)` is a link to a page of any demo site, `![text](name)` a picture. */
  readonly article: readonly string[];
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

/** A file of `sites/`. */
export interface DemoSite {
  readonly host: (typeof HOSTS)[number];
  readonly title: string;
  readonly motto: string;
  readonly navigation: readonly (readonly [path: string, label: string])[];
  readonly robots: readonly RobotsGroup[];
  readonly pages: readonly DemoPage[];
}

export function readDemoSites(): DemoSite[] {
  return HOSTS.map((host) => JSON.parse(readFileSync(new URL(`./sites/${host}.json`, import.meta.url), 'utf8')));
}

/** The HTML of an article; the `@host` of its links becomes an address when the page is written. */
export function articleHtml(article: readonly string[]): string {
  return article
    .join('\n')
    .replace(
      /!\[([^\]]*)\]\(([\w-]+)\)/g,
      '<figure><img src="/pictures/$2.svg" alt="$1" width="320" height="200"><figcaption>$1</figcaption></figure>',
    )
    .replace(
      /\[([^\]]*)\]\((@[^ )]*)( nofollow)?\)/g,
      (_, text, to, nofollow) => `<a href="${to}"${nofollow === undefined ? '' : ' rel="nofollow"'}>${text}</a>`,
    );
}
