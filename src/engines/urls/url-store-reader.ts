import { join } from 'node:path';
import { diskError } from '../../base/disk-error.ts';
import { OrbweaverError } from '../../base/errors.ts';
import type { UrlStore, UrlStoreFacts } from '../../contracts/state/url-store.ts';
import type { CanonicalUrl, HostKey } from '../../contracts/url.ts';
import { damagedUrls } from './damaged-urls.ts';
import { mergeKeys } from './merge-keys.ts';
import { RunReader } from './run-reader.ts';
import { type ListedRun, readRunList } from './store-files.ts';
import { domainPrefix, hostPrefix, keyOfUrl, urlOfKey } from './url-key.ts';

/** A writer may replace runs between the reading of their list and the opening of their files. */
const TRIES = 5;

/** Reads a store of URLs as it was when it was opened, also while somebody adds to it. */
export class UrlStoreReader implements UrlStore {
  readonly folder: string;
  readonly #runs: readonly RunReader[];

  constructor(folder: string) {
    this.folder = folder;
    this.#runs = openedRuns(folder);
  }

  get size(): number {
    return this.#runs.reduce((sum, { foot }) => sum + foot.urls, 0);
  }

  facts(): UrlStoreFacts {
    const sum = (of: (run: RunReader) => number): number => this.#runs.reduce((total, run) => total + of(run), 0);
    return {
      urls: this.size,
      bytes: sum(({ bytes }) => bytes),
      textBytes: sum(({ foot }) => foot.textBytes),
      runs: this.#runs.length,
      memory: sum(({ memory }) => memory),
    };
  }

  has(url: string): boolean {
    const key = keyOfUrl(url);
    return this.#runs.some((run) => run.has(key));
  }

  *urls({ host, domain, prefix }: { host?: HostKey; domain?: string; prefix?: string } = {}): Generator<CanonicalUrl> {
    const start =
      host !== undefined
        ? hostPrefix(host)
        : domain !== undefined
          ? domainPrefix(domain)
          : prefix !== undefined
            ? keyOfUrl(prefix)
            : '';
    for (const key of this.keys(start)) yield urlOfKey(key);
  }

  /** Sort keys instead of URLs, for merges and comparisons. */
  keys(prefix?: string): Iterable<string> {
    return mergeKeys(this.#runs.map((run) => run.keys(prefix)));
  }

  check(): void {
    for (const run of this.#runs) run.check();
  }

  [Symbol.dispose](): void {
    for (const run of this.#runs) run[Symbol.dispose]();
  }
}

function openedRuns(folder: string): RunReader[] {
  for (let tries = 1; ; tries++) {
    const list = readRunList(folder);
    if (list === undefined) {
      throw new OrbweaverError('INPUT_INVALID', `${folder} is no store of URLs.`, {
        remedy: 'Name the folder of one; orbweaver urls add FOLDER LIST makes it.',
      });
    }
    try {
      return openRuns(folder, list.runs);
    } catch (cause) {
      const isGone = ((cause as Error).cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';
      if (!isGone) throw cause;
      if (tries < TRIES && readRunList(folder)?.next !== list.next) continue;
      throw damagedUrls(folder, 'a file of it is missing', cause);
    }
  }
}

/** Opens all, or none. */
export function openRuns(folder: string, runs: readonly ListedRun[]): RunReader[] {
  const opened: RunReader[] = [];
  try {
    for (const { file, urls, bytes } of runs) {
      const run = new RunReader(join(folder, file));
      opened.push(run);
      if (run.bytes !== bytes || run.foot.urls !== urls) {
        throw damagedUrls(run.path, 'it is another file than the one that the store lists');
      }
    }
    return opened;
  } catch (cause) {
    for (const run of opened) run[Symbol.dispose]();
    throw diskError(cause, `the URLs in ${folder}`);
  }
}
