import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import createIgnore, { type Ignore } from 'ignore';
import { safeExclude } from './safe-excludes.ts';

export interface FileRuleOptions {
  /** Absolute paths without symbolic links in them, of folders and of single files. */
  readonly roots: readonly string[];
  /** Patterns as in a .gitignore at the top of every root. */
  readonly exclude: readonly string[];
  readonly gitignore: boolean;
  readonly hidden: boolean;
  readonly safe: boolean;
  /** The folder of the crawl itself. */
  readonly crawlFolder: string;
}

type FileKind = 'file' | 'folder';

/** What is known of a folder, and of those above it up to the root. */
interface FolderRules {
  /** Why nothing in it counts. */
  readonly excluded?: string;
  readonly matcher?: Ignore;
  readonly above?: FolderRules;
  readonly path: string;
}

const OWN_IGNORE = '.orbweaverignore';
const LARGEST_IGNORE_BYTES = 1024 * 1024;
const HAS_CASE = process.platform !== 'win32' && process.platform !== 'darwin';

/**
 * Which files below the roots belong to the crawl. Remembers what it has read of ignore files, so that one is good for a while
 * and not for ever. A symbolic link is no file here, wherever it leads: who judges a path has seen that it is none.
 */
export class FileRules {
  readonly #options: FileRuleOptions;
  readonly #own: Ignore | undefined;
  readonly #folders = new Map<string, FolderRules>();

  constructor(options: FileRuleOptions) {
    this.#options = options;
    if (options.exclude.length > 0) this.#own = matcherOf(options.exclude.join('\n'));
  }

  get roots(): readonly string[] {
    return this.#options.roots;
  }

  /** Why a path is left out; undefined where it belongs to the crawl. One root that takes it is enough. */
  refusal(path: string, kind: FileKind): string | undefined {
    const { crawlFolder } = this.#options;
    if (path === crawlFolder || isBelow(crawlFolder, path)) return 'it is the folder of a crawl';
    let why: string | undefined;
    for (const root of this.#options.roots) {
      if (path === root) return undefined;
      if (!isBelow(root, path)) continue;
      why = this.#refusalBelow(root, path, kind);
      if (why === undefined) return undefined;
    }
    return why ?? 'it lies in no folder of the crawl';
  }

  #refusalBelow(root: string, path: string, kind: FileKind): string | undefined {
    const parent = this.#folder(root, dirname(path));
    return parent.excluded ?? this.#judge(root, parent, path, kind);
  }

  #folder(root: string, path: string): FolderRules {
    const key = `${root}\0${path}`;
    const known = this.#folders.get(key);
    if (known !== undefined) return known;
    const rules = this.#readFolder(root, path);
    this.#folders.set(key, rules);
    return rules;
  }

  #readFolder(root: string, path: string): FolderRules {
    const above = path === root ? undefined : this.#folder(root, dirname(path));
    const excluded = above && (above.excluded ?? this.#judge(root, above, path, 'folder'));
    if (excluded !== undefined) return { path, excluded };
    const text = this.#ignoreText(path);
    return {
      path,
      ...(text === '' ? {} : { matcher: matcherOf(text) }),
      ...(above === undefined ? {} : { above }),
    };
  }

  #judge(root: string, parent: FolderRules, path: string, kind: FileKind): string | undefined {
    const { hidden, safe, crawlFolder } = this.#options;
    const name = path.slice(path.lastIndexOf(sep) + 1);
    const unsafe = safe ? safeExclude(name, kind, path) : undefined;
    if (unsafe !== undefined) return unsafe;
    if (!hidden && name.startsWith('.')) return 'files-hidden: its name begins with a dot';
    if (kind === 'folder' && (path === crawlFolder || isCrawlFolder(path))) return 'it is the folder of a crawl';
    if (this.#own?.test(written(root, path, kind)).ignored === true) return 'files-exclude';
    // The nearest word counts: a folder below may take back what one above has left out.
    for (let at: FolderRules | undefined = parent; at !== undefined; at = at.above) {
      const verdict = at.matcher?.test(written(at.path, path, kind));
      if (verdict?.unignored === true) return undefined;
      if (verdict?.ignored === true) return `an ignore file in ${at.path}`;
    }
    return undefined;
  }

  #ignoreText(folder: string): string {
    const names = this.#options.gitignore ? ['.gitignore', OWN_IGNORE] : [OWN_IGNORE];
    return names
      .map((name) => readIgnoreFile(join(folder, name)))
      .filter((text) => text !== '')
      .join('\n');
  }
}

/** Whether a change of this file changes what belongs to the crawl. */
export function isIgnoreFile(name: string): boolean {
  return name === '.gitignore' || name === OWN_IGNORE;
}

/** Whether a path lies below a folder. */
export function isBelow(folder: string, path: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** As patterns are matched: relative, with slashes, a folder with one at its end. */
function written(from: string, path: string, kind: FileKind): string {
  const below = relative(from, path);
  return (sep === '/' ? below : below.split(sep).join('/')) + (kind === 'folder' ? '/' : '');
}

function matcherOf(text: string): Ignore {
  return createIgnore({ ignorecase: !HAS_CASE, allowRelativePaths: true }).add(text);
}

/** '' where there is none that can be read. A pipe or device of that name is not opened. */
function readIgnoreFile(path: string): string {
  try {
    const found = lstatSync(path);
    return found.isFile() && found.size <= LARGEST_IGNORE_BYTES ? readFileSync(path, 'utf8') : '';
  } catch {
    return '';
  }
}

/** Also of another crawl: its pages would be found twice. */
/** Whether a path is the folder of a crawl, or lies in one. */
export function liesInCrawlFolder(path: string): boolean {
  return isCrawlFolder(path) || (dirname(path) !== path && liesInCrawlFolder(dirname(path)));
}

function isCrawlFolder(path: string): boolean {
  return existsSync(join(path, 'state.db')) && existsSync(join(path, 'archive'));
}
