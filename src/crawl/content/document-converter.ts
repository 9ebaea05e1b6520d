import { type Clock, systemClock } from '../../base/clock.ts';
import type { ConversionLimits } from '../../contracts/content/document.ts';
import { isOfficeDocument } from '../../convert/documents/document-types.ts';
import { ConversionLane, type Unreadable } from './conversion-lane.ts';
import type { ConverterPlugins, ThreadWork } from './conversion-thread.ts';
import type { ExtractedContent } from './extracted-content.ts';
import type { ReadList } from './list-reader.ts';
import type { ReadPage } from './page-reader.ts';

/** A reader that looks at the clock by itself has so long to notice; then its thread is ended. */
const GRACE_MS = 2000;
const GZIP_MAGIC = 0x1f;
/** Text of this size is read within a second or so, whatever it is. */
const QUICK = 2 * 2 ** 20;

/**
 * Converts documents in threads of their own: a PDF or a monstrous page takes its time, and other pages must not wait for it.
 * Two lanes, so that not even a large page waits for a monster: one for what is read quickly for sure, one for everything else.
 */
export class DocumentConverter implements AsyncDisposable {
  readonly #limits: ConversionLimits;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #quick: ConversionLane;
  readonly #slow: ConversionLane;

  constructor(limits: ConversionLimits, clock: Pick<Clock, 'now'> = systemClock, plugins?: ConverterPlugins) {
    this.#limits = limits;
    this.#clock = clock;
    this.#quick = new ConversionLane(limits.maxMs, GRACE_MS, plugins);
    this.#slow = new ConversionLane(limits.maxMs, GRACE_MS, plugins);
  }

  /** Never rejects. A document whose turn comes after `startBy` is not read: its lease would run out, without end. */
  convert(
    document: Omit<ThreadWork['text']['order'], 'kind' | 'limits'>,
    startBy: number,
  ): Promise<ExtractedContent | Unreadable> {
    const isQuick = document.bytes.byteLength <= QUICK && !isOfficeDocument(document.mediaType);
    return this.#inTurn<'text'>({ kind: 'text', ...document, limits: this.#limits }, isQuick, startBy);
  }

  /** A page with its links; the same promises. */
  read(page: Omit<ThreadWork['read']['order'], 'kind'>, startBy: number): Promise<ReadPage | Unreadable> {
    return this.#inTurn<'read'>({ kind: 'read', ...page }, page.body.byteLength <= QUICK, startBy);
  }

  /** What a page of HTML says; the same promises. */
  describe(page: Omit<ThreadWork['page']['order'], 'kind'>, startBy: number): Promise<ExtractedContent | Unreadable> {
    return this.#inTurn<'page'>({ kind: 'page', ...page }, page.source.length <= QUICK, startBy);
  }

  /** What a sitemap or feed lists; the same promises. One that is compressed as a file may grow. */
  list(
    document: Omit<ThreadWork['list']['order'], 'kind'>,
    startBy: number,
  ): Promise<ReadList | Unreadable | undefined> {
    const { bytes } = document;
    const isQuick = bytes.byteLength <= QUICK && bytes[0] !== GZIP_MAGIC;
    return this.#inTurn<'list'>({ kind: 'list', ...document }, isQuick, startBy);
  }

  /** How long one conversion may take at most. */
  get longestMs(): number {
    return this.#limits.maxMs + GRACE_MS;
  }

  /** What is being read is given up. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#quick[Symbol.asyncDispose]();
    await this.#slow[Symbol.asyncDispose]();
  }

  #inTurn<Kind extends keyof ThreadWork>(
    order: ThreadWork[Kind]['order'],
    isQuick: boolean,
    startBy: number,
  ): Promise<ThreadWork[Kind]['answer'] | Unreadable> {
    return (isQuick ? this.#quick : this.#slow).work<Kind>(order, () => this.#clock.now() > startBy);
  }
}
