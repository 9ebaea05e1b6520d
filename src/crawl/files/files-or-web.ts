import type { Fetcher, FetchRequest, FetchResult } from '../../contracts/fetcher.ts';
import { isFileUrl } from '../../url/file-url.ts';

/** Gives file: URLs to the one, all others to the other. */
export class FilesOrWeb implements Fetcher {
  readonly #files: Fetcher;
  readonly #web: Fetcher;

  constructor(files: Fetcher, web: Fetcher) {
    this.#files = files;
    this.#web = web;
  }

  fetch(request: FetchRequest): Promise<FetchResult> {
    return (isFileUrl(request.url) ? this.#files : this.#web).fetch(request);
  }

  async close(): Promise<void> {
    await Promise.all([this.#files.close(), this.#web.close()]);
  }
}
