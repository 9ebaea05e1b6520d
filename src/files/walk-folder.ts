import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileRules } from './file-rules.ts';

/** One folder, and what of it belongs to the crawl. */
export interface WalkedFolder {
  /** Empty for a root that is a single file. */
  readonly folder: string;
  /** Paths. */
  readonly files: readonly string[];
}

export interface WalkTrouble {
  /** Folders that may not be read, and names that are no text. */
  readonly unreadable: number;
  readonly examples: readonly string[];
}

const MOST_EXAMPLES = 3;

/**
 * Goes through the roots, folder by folder. Symbolic links are not followed, so that there are no loops and no way out; pipes,
 * sockets and devices are passed over. What cannot be read is left out and counted.
 */
export class FolderWalk {
  readonly #rules: FileRules;
  #unreadable = 0;
  readonly #examples: string[] = [];

  constructor(rules: FileRules) {
    this.#rules = rules;
  }

  get trouble(): WalkTrouble {
    return { unreadable: this.#unreadable, examples: this.#examples };
  }

  /** `from`: only what lies below this folder; it belongs to the crawl. */
  async *folders(from: readonly string[] = this.#rules.roots): AsyncGenerator<WalkedFolder> {
    const waiting = [...from].reverse();
    const seen = new Set(waiting);
    while (waiting.length > 0) {
      const path = waiting.pop() as string;
      const entries = await this.#entries(path);
      if (entries === undefined) continue;
      if (entries === 'file') {
        yield { folder: '', files: [path] };
        continue;
      }
      const files: string[] = [];
      // Last first, so that folders come in the order of their names.
      for (const entry of entries) {
        const below = join(path, entry.name);
        const kind = await this.#kindOf(entry, below);
        if (kind === undefined || this.#rules.refusal(below, kind) !== undefined) continue;
        if (kind === 'file') files.push(below);
        // A root within another is walked once.
        else if (!seen.has(below)) waiting.push(below);
      }
      yield { folder: path, files };
    }
  }

  /** Undefined where there is nothing to read. */
  async #entries(path: string): Promise<readonly Dirent[] | 'file' | undefined> {
    try {
      return await readdir(path, { withFileTypes: true });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOTDIR') return (await lstat(path).catch(() => undefined))?.isFile() === true ? 'file' : undefined;
      if (code !== 'ENOENT') this.#note(path);
      return undefined;
    }
  }

  async #kindOf(entry: Dirent, path: string): Promise<'file' | 'folder' | undefined> {
    // Bytes that are no UTF-8: there is no path that leads back to them.
    if (entry.name.includes('\ufffd')) {
      this.#note(path);
      return undefined;
    }
    if (entry.isDirectory()) return 'folder';
    if (entry.isFile()) return 'file';
    if (entry.isSymbolicLink() || entry.isFIFO() || entry.isSocket() || entry.isBlockDevice()) return undefined;
    if (entry.isCharacterDevice()) return undefined;
    // Some file systems do not say in their lists what an entry is.
    const found = await lstat(path).catch(() => undefined);
    return found?.isDirectory() === true ? 'folder' : found?.isFile() === true ? 'file' : undefined;
  }

  #note(path: string): void {
    this.#unreadable++;
    if (this.#examples.length < MOST_EXAMPLES) this.#examples.push(path);
  }
}
