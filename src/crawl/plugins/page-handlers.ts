import type { Claim } from '../../contracts/crawl-task.ts';
import type { HandledPage, HandlerRows, PageHandler, Row } from '../../contracts/plugin.ts';
import { describePluginFault, type Part } from '../../plugins/plugins.ts';
import type { CopyVerdict } from '../visit/exact-copies.ts';
import type { DescribedPage, ReadAnswer } from '../visit/page-content.ts';
import type { PageWork } from '../visit/page-work.ts';
import { writtenLinks } from '../workers/packed-links.ts';

const NO_TEXT = new Uint8Array(0);

/** The stage of plug-ins: every page with new content goes to all page handlers, one after the other. */
export class PageHandlers {
  readonly #handlers: readonly Part<PageHandler>[];
  readonly #maxMs: number;

  /** Each handler has `maxMs` for a page. */
  constructor(handlers: readonly Part<PageHandler>[], maxMs: number) {
    this.#handlers = handlers;
    this.#maxMs = maxMs;
  }

  /** The page with their rows. The first handler that throws, or does not end in time, ends the visit. */
  async handle(
    { task: { url } }: Claim,
    { answer, use }: ReadAnswer,
    copy: CopyVerdict,
    page: DescribedPage,
  ): Promise<DescribedPage | PageWork> {
    if (copy.unchanged || copy.original !== undefined) return page;
    const { facts, text = NO_TEXT, links } = page;
    const { status, mediaType, about = { textLength: 0, words: 0 } } = facts;
    const handled: HandledPage = {
      url,
      status,
      mediaType,
      // A copy: the archive writes the body itself.
      bytes: new Uint8Array(answer.body),
      text: Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString(),
      about,
      links: writtenLinks(links),
    };
    const rows: Row[] = [];
    for (const { plugin, call } of this.#handlers) {
      try {
        for (const row of (await inTime(call(handled), this.#maxMs)) ?? []) rows.push(JSON.parse(JSON.stringify(row)));
      } catch (cause) {
        return { kind: 'failed', code: 'plugin-failed', detail: describePluginFault(plugin, cause), use };
      }
    }
    return { ...page, rows };
  }
}

async function inTime(rows: HandlerRows | Promise<HandlerRows>, maxMs: number): Promise<HandlerRows> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no end after ${maxMs} ms`)), maxMs);
  try {
    return await Promise.race([rows, promise]);
  } finally {
    clearTimeout(timer);
  }
}
