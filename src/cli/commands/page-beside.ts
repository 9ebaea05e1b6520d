import { OrbweaverError } from '../../base/errors.ts';
import { openSearchPage, type SearchPage, type ServeFlags } from './search-page.ts';

const LOOK_EVERY_MS = 300;

/** The search page of a crawl that is running: served from its start, so that the dashboard tells why nothing is stored yet. */
export class PageBeside implements AsyncDisposable {
  readonly #flags: ServeFlags;
  readonly #onOpen: (page: SearchPage) => void;
  readonly #ended = new AbortController();
  #opening: Promise<void> | undefined;
  #page: SearchPage | undefined;

  constructor(flags: ServeFlags, onOpen: (page: SearchPage) => void) {
    this.#flags = flags;
    this.#onOpen = onOpen;
  }

  /** Where it is; undefined as long as it is not. */
  get url(): string | undefined {
    return this.#page?.url;
  }

  /** The crawl has been opened. */
  begin(): void {
    this.#opening ??= this.#open();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    await this.#opening;
    await this.#page?.[Symbol.asyncDispose]();
  }

  async #open(): Promise<void> {
    const { signal } = this.#ended;
    while (!signal.aborted && this.#page === undefined) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS).unref());
      this.#page = await this.#tryToOpen();
    }
    if (this.#page !== undefined && !signal.aborted) this.#onOpen(this.#page);
  }

  /** A port that is taken is reported when the crawl is over. */
  async #tryToOpen(): Promise<SearchPage | undefined> {
    try {
      return await openSearchPage({ ...this.#flags, mayBeEmpty: true });
    } catch (error) {
      if (error instanceof OrbweaverError && error.code === 'USAGE') this.#ended.abort();
    }
    return undefined;
  }
}
