import type { PageFacts } from '../../contracts/page-store.ts';
import type { HandledPage, HandlerRows, PageHandler, Row } from '../../contracts/plugin.ts';
import { describePluginFault, type Part } from '../../plugins/plugins.ts';
import type { ExtractedContent } from '../content/extracted-content.ts';
import { type PackedLinks, writtenLinks } from '../workers/packed-links.ts';

export type Handled = { readonly rows: readonly Row[] } | { readonly fault: string };

/** A page as its worker has it: URL, facts, body, what it says, links. */
export type StoredPage = readonly [
  url: string,
  facts: Pick<PageFacts, 'status' | 'mediaType'>,
  body: Uint8Array,
  content: Pick<ExtractedContent, 'text' | 'about'> | undefined,
  links: PackedLinks,
];

/** Gives pages to all handlers, one after the other. The first that throws, or does not end within `maxMs`, ends it. */
export function pageHandler(
  handlers: readonly Part<PageHandler>[],
  maxMs: number,
): (...page: StoredPage) => Promise<Handled> {
  return async (url, { status, mediaType }, bytes, content, links) => {
    const { text = '', about = { textLength: 0, words: 0 } } = content ?? {};
    const page: HandledPage = { url, status, mediaType, bytes, text, about, links: writtenLinks(links) };
    const rows: Row[] = [];
    for (const { plugin, call } of handlers) {
      try {
        for (const row of (await inTime(call(page), maxMs)) ?? []) rows.push(JSON.parse(JSON.stringify(row)));
      } catch (cause) {
        return { fault: describePluginFault(plugin, cause) };
      }
    }
    return { rows };
  };
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
