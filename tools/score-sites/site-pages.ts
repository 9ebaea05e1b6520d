import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DocumentationSite } from './documentation-sites.ts';

/** What the product says of a page, as a crawl keeps it. */
export interface ReadPage {
  readonly path: string;
  readonly title: string;
  readonly text: string;
  readonly published?: number;
  readonly authors: readonly string[];
  /** Path of the page that it is taken to be near to. */
  readonly nearTo?: string;
  readonly spam: number;
}

/** Answers what the product says of these pages of a folder. */
export type ReadSite = (folder: string, paths: readonly string[]) => Promise<readonly ReadPage[]>;

/** Paths of the HTML pages of a site, sorted; of more than `most` every n-th. Undefined where it is not installed. */
export function sitePages(root: string, site: DocumentationSite, most: number): readonly string[] | undefined {
  const folder = join(root, site.folder);
  if (!existsSync(folder)) return undefined;
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.html?$/.test(path) && site.skip?.test(path) !== true)
    .sort();
  const step = Math.max(1, paths.length / most);
  return Array.from({ length: Math.min(most, paths.length) }, (_, place) => paths[Math.floor(place * step)]);
}
