import { existsSync, readdirSync, renameSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { OrbweaverError } from '../base/errors.ts';
import type { TrashedCrawl } from '../contracts/crawl-library.ts';
import { freeName, trashFolder } from './library-folder.ts';

/** When it was deleted, then the name of the folder. */
const ID = /^(\d{13,15})~([^/\\\0]+)$/;

/** Deleted crawls, until they are purged. Moving there and back is one rename: a crash leaves a crawl in one place or the other. */
export class Trash {
  readonly #library: string;

  constructor(library: string) {
    this.#library = library;
  }

  /** Newest first. */
  list(): TrashedCrawl[] {
    return readdirSync(trashFolder(this.#library))
      .flatMap((id): TrashedCrawl[] => {
        const [, time, name] = ID.exec(id) ?? [];
        return time === undefined ? [] : [{ id, name, deletedAt: Number(time) }];
      })
      .sort((one, other) => other.deletedAt - one.deletedAt);
  }

  take(name: string, now: number): void {
    let time = now;
    while (existsSync(this.#pathOf(`${time}~${name}`))) time++;
    renameSync(join(this.#library, name), this.#pathOf(`${time}~${name}`));
  }

  restore(id: string): string {
    const { name } = this.#find(id);
    const free = existsSync(join(this.#library, name)) ? freeName(this.#library, name) : name;
    renameSync(this.#pathOf(id), join(this.#library, free));
    return free;
  }

  async purge(id: string): Promise<void> {
    this.#find(id);
    // A link in its place is deleted, not what it leads to.
    await rm(this.#pathOf(id), { recursive: true, force: true, maxRetries: 3 });
  }

  /** What a request names is looked for among what is there: it becomes no path. */
  #find(id: string): TrashedCrawl {
    const found = this.list().find((trashed) => trashed.id === id);
    if (found !== undefined) return found;
    throw new OrbweaverError('FOLDER_NOT_A_CRAWL', 'This crawl is no longer in the trash.');
  }

  #pathOf(id: string): string {
    return join(trashFolder(this.#library), id);
  }
}
