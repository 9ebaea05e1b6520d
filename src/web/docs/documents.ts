import { globSync, readFileSync } from 'node:fs';
import { posix, sep } from 'node:path';
import { OrbweaverError } from '../../base/errors.ts';

/** A page of the documentation, as it is written. */
export interface DocumentFile {
  /** Below the folder of the package: docs/how-to/keep-fresh.md. */
  readonly file: string;
  /** Below the site: how-to/keep-fresh.html. */
  readonly path: string;
  readonly markdown: string;
}

/** Of a checkout and of the installed package alike: this module lies as deep in src/ as in dist/. */
const PACKAGE = new URL('../../../', import.meta.url);
/** Beside docs/. */
const MORE = ['README.md', 'CHANGELOG.md'];

/** All pages of the documentation, in the order of their paths. */
export function readDocuments(root: URL = PACKAGE): DocumentFile[] {
  const files = [...globSync('docs/**/*.md', { cwd: root }).map((file) => file.replaceAll(sep, '/')), ...MORE].sort();
  if (files.length === MORE.length) {
    throw new OrbweaverError('USAGE', 'The documentation is not part of this installation.', {
      remedy: 'Install the package again: the folder docs/ comes with it.',
    });
  }
  return files.map((file) => ({
    file,
    path: sitePath(file) ?? file,
    markdown: readFileSync(new URL(file, root), 'utf8'),
  }));
}

/** Where the site has a file of the repository; undefined for what is no page of it. */
export function sitePath(file: string): string | undefined {
  if (MORE.includes(file)) return file.replace(/\.md$/, '.html').toLowerCase();
  if (!file.startsWith('docs/') || !file.endsWith('.md')) return undefined;
  return file
    .slice('docs/'.length)
    .replace(/(^|\/)README\.md$/, '$1index.md')
    .replace(/\.md$/, '.html');
}

/** A link from one page to another, or to a file beside them, without its anchor: `../audit.md` on docs/how-to/crawl-one-site.md is docs/audit.md. */
export function linkedFile(from: string, target: string): string {
  return posix.normalize(posix.join(posix.dirname(from), target)).replace(/\/$/, '/README.md');
}

/** From a page of the site to another, so that the site works wherever it is put. */
export function relativeLink(from: string, to: string): string {
  return posix.relative(posix.dirname(from), to) || posix.basename(to);
}
