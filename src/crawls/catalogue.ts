import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../base/clock.ts';
import { OrbweaverError } from '../base/errors.ts';
import { loadSettingsFile } from '../base/settings/load-settings-file.ts';
import type { CrawlFacts, FolderSize, LibraryCrawl } from '../contracts/crawl-library.ts';
import { settingsPath } from '../crawl/crawl-folder.ts';
import { isFolderLocked } from '../engines/folder-lock.ts';
import { hasState } from '../engines/state-folder.ts';
import { conditionOf, type Seen } from './condition.ts';
import type { RunActivity } from './crawl-runs.ts';
import { folderSize } from './folder-size.ts';
import { crawlFolder, crawlNames, hasIndex, holdsCrawl } from './library-folder.ts';
import { readFacts } from './read-facts.ts';
import { readRun } from './run-file.ts';

/** What was read of a folder stays good for so long while a crawl changes it. */
const FACTS_MS = 1000;
/** Going through all files of a crawl is no matter for every look. */
const SIZE_MS = 5000;
/** So long a list waits for sizes; the rest comes with the next one. */
const SIZES_WAIT_MS = 300;

interface Known {
  /** Times of the files that the facts come from. */
  readonly key: string;
  readonly at: number;
  readonly facts?: CrawlFacts;
  readonly fault?: string;
  readonly continuous: boolean;
}

export interface CatalogueOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly activity: (folder: string) => RunActivity;
}

/**
 * Looks at the folders of a library beside the crawls that run in them. What did not change is not read again. One folder after the
 * other, and others have their turn between two: a server that shows the list answers everybody else meanwhile.
 */
export class CrawlCatalogue {
  readonly #library: string;
  readonly #options: CatalogueOptions;
  readonly #known = new Map<string, Known>();
  readonly #sizes = new Map<string, { readonly size: FolderSize; readonly at: number; readonly key: string }>();
  #measuring: Promise<void> | undefined;

  constructor(library: string, options: CatalogueOptions) {
    this.#library = library;
    this.#options = options;
  }

  /** In the order of their names; schedules come from elsewhere. */
  async list(): Promise<LibraryCrawl[]> {
    const names = crawlNames(this.#library);
    const folders = new Map(names.map((name) => [join(this.#library, name), name]));
    for (const folder of this.#known.keys()) if (!folders.has(folder)) this.forget(folder);
    for (const folder of folders.keys()) {
      if (await this.#refresh(folder)) await nextTurn();
    }
    await this.#measure([...folders.keys()]);
    return [...folders.keys()].map((folder) => this.#entry(folder));
  }

  /** One of them; undefined where there is no such folder. */
  async get(name: string): Promise<LibraryCrawl | undefined> {
    const folder = crawlFolder(this.#library, name);
    if (folder === undefined) return undefined;
    await this.#refresh(folder);
    await this.#measure([folder]);
    return this.#entry(folder);
  }

  forget(folder: string): void {
    this.#known.delete(folder);
    this.#sizes.delete(folder);
  }

  /** True where it had to be read. */
  async #refresh(folder: string): Promise<boolean> {
    const now = this.#options.clock.now();
    const known = this.#known.get(folder);
    const key = keyOf(folder);
    if (known !== undefined && (known.key === key || Math.abs(now - known.at) < FACTS_MS)) return false;
    this.#known.set(folder, { key, at: now, ...(await read(folder)) });
    return true;
  }

  /** Sizes that are not known or old are found in the background, and waited for a little. */
  async #measure(folders: readonly string[]): Promise<void> {
    const now = this.#options.clock.now();
    const due = folders.filter((folder) => {
      const size = this.#sizes.get(folder);
      return size === undefined || (size.key !== this.#known.get(folder)?.key && Math.abs(now - size.at) >= SIZE_MS);
    });
    if (due.length > 0) this.#measuring ??= this.#measureAll(due).finally(() => (this.#measuring = undefined));
    if (this.#measuring === undefined) return;
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([this.#measuring, new Promise((resolve) => (timer = setTimeout(resolve, SIZES_WAIT_MS)))]);
    clearTimeout(timer);
  }

  async #measureAll(folders: readonly string[]): Promise<void> {
    for (const folder of folders) {
      const key = this.#known.get(folder)?.key ?? '';
      this.#sizes.set(folder, { size: await folderSize(folder), at: this.#options.clock.now(), key });
    }
  }

  #entry(folder: string): LibraryCrawl {
    const { facts, fault, continuous = false } = this.#known.get(folder) ?? {};
    const size = this.#sizes.get(folder)?.size;
    const run = readRun(folder);
    const seen: Seen = {
      holds: hasState(folder) ? 'crawl' : hasIndex(folder) ? 'documents' : holdsCrawl(folder) ? 'settings' : 'nothing',
      ...{ facts, fault, run, activity: this.#options.activity(folder) },
      locked: isFolderLocked(folder),
    };
    return {
      name: basename(folder),
      folder,
      ...conditionOf(seen),
      continuous,
      ...(facts !== undefined && { facts }),
      ...(size !== undefined && { size }),
      ...(run !== undefined && { run }),
    };
  }
}

async function read(folder: string): Promise<Omit<Known, 'key' | 'at'>> {
  let continuous = false;
  try {
    continuous = (await loadSettingsFile(settingsPath(folder), { optional: true })).continuous === true;
    return hasState(folder) ? { continuous, facts: await readFacts(folder) } : { continuous };
  } catch (error) {
    const remedy = error instanceof OrbweaverError && error.remedy !== undefined ? ` ${error.remedy}` : '';
    return { continuous, fault: `${(error as Error).message}${remedy}` };
  }
}

function keyOf(folder: string): string {
  return ['state.db', 'state.db-wal', 'control.db', 'orbweaver.yaml']
    .map((name) => {
      const found = statSync(join(folder, name), { throwIfNoEntry: false });
      // Whoever reads a state leaves an empty log beside it, which tells of no change.
      return found === undefined || (found.size === 0 && name === 'state.db-wal')
        ? '-'
        : `${found.mtimeMs}:${found.size}`;
    })
    .join(' ');
}
