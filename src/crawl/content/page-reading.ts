import type { DocumentConverter } from './document-converter.ts';
import type { DocumentReader } from './document-reader.ts';
import { LARGE_PAGE } from './large-pages.ts';
import { type PageOrder, type ReadingOptions, type ReadPage, readPage } from './page-reader.ts';

/** So much is read here of a page that the other thread failed at. */
const RISKED = 2 ** 19;
/** So much of a page is read here where the other thread has too many to read: it takes a third of a second at most. */
const READ_HERE = 4 * 2 ** 20;

/** Hop 7 for pages of any size. */
export class PageReading {
  readonly #reader: DocumentReader;
  readonly #converter: Pick<DocumentConverter, 'read'>;
  readonly #options: ReadingOptions;
  readonly #mostHere: number;

  constructor(
    reader: DocumentReader,
    converter: Pick<DocumentConverter, 'read'>,
    options: ReadingOptions,
    mostHere = LARGE_PAGE,
  ) {
    this.#reader = reader;
    this.#converter = converter;
    this.#options = options;
    this.#mostHere = mostHere;
  }

  /**
   * Where the other thread has no time, or fails, the beginning of the page is read here: without any links it would be an end of
   * the crawl, and all of it would keep every host of this thread waiting. Of a page that a thread failed at, less is risked.
   */
  async read(order: PageOrder, startBy: number): Promise<ReadPage> {
    if (order.body.byteLength <= this.#mostHere) return readPage(this.#reader, order);
    const read = await this.#converter.read({ ...order, options: this.#options }, startBy);
    if (!('kind' in read)) return read;
    const body = order.body.subarray(0, read.why === 'busy' ? READ_HERE : RISKED);
    const unread = order.body.byteLength - body.byteLength;
    return { ...readPage(this.#reader, { ...order, body, isPart: unread > 0 }), ...(unread === 0 ? {} : { unread }) };
  }
}
