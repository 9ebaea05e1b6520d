import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';

export interface FolderWatchParts {
  /** Something has happened to what lies, or lay, at this path. A hint: it may be nothing, and may be told late or never. */
  readonly onChange: (path: string) => void;
  /** No more folders can be watched, or one cannot. Told once. */
  readonly onLimit: (reason: string) => void;
  /** Of the system; another one for tests. */
  readonly watch?: typeof watch;
}

/** Where the system itself sees to what lies below, one watch of a root is enough. */
const IS_RECURSIVE = process.platform === 'darwin' || process.platform === 'win32';

/**
 * Watches folders that the walk has found, one by one: what is left out costs nothing, and no file has a watch of its own. What is
 * told are hints; the sweep is the truth.
 */
export class FolderWatch implements Disposable {
  readonly #parts: FolderWatchParts;
  readonly #watchers = new Map<string, FSWatcher>();
  #isFull = false;

  constructor(parts: FolderWatchParts) {
    this.#parts = parts;
  }

  get size(): number {
    return this.#watchers.size;
  }

  has(folder: string): boolean {
    return this.#watchers.has(folder);
  }

  /** `isRoot`: a folder that the user has named. */
  add(folder: string, isRoot: boolean): void {
    if (this.#watchers.has(folder) || this.#isFull || (IS_RECURSIVE && !isRoot)) return;
    try {
      const begin = this.#parts.watch ?? watch;
      const watcher = begin(folder, { recursive: IS_RECURSIVE, persistent: false }, (_, name) =>
        this.#parts.onChange(name === null ? folder : join(folder, name)),
      );
      watcher.on('error', () => this.#gone(folder));
      this.#watchers.set(folder, watcher);
    } catch (error) {
      const { code = '', message } = error as NodeJS.ErrnoException;
      // It went away, or may not be read: the sweep sees to it.
      if (code !== 'ENOSPC' && code !== 'EMFILE' && code !== 'ENFILE') return;
      this.#isFull = true;
      this.#parts.onLimit(
        `${this.#watchers.size} folders are watched, and the system allows no more (${code || message})`,
      );
    }
  }

  /** Lets go of folders that are no longer there. */
  keep(folders: ReadonlySet<string>): void {
    for (const folder of this.#watchers.keys()) if (!folders.has(folder)) this.remove(folder);
  }

  remove(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }

  [Symbol.dispose](): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #gone(folder: string): void {
    this.remove(folder);
    this.#parts.onChange(folder);
  }
}
