import { sha1Base32 } from '../../archive/sha1-base32.ts';
import type { Clock } from '../../base/clock.ts';
import type { Archive, ArchiveEntry, ArchiveLocation } from '../../contracts/archive.ts';
import type { RenderedPage, RenderedResource } from '../../contracts/content/renderer.ts';
import type { Claim, HostUse } from '../../contracts/crawl-task.ts';
import type { PageFacts } from '../../contracts/page-store.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import type { CopyVerdict, ExactCopies } from './exact-copies.ts';
import { metadataOf, recordDate } from './host-use.ts';
import type { DescribedPage, ReadAnswer } from './page-content.ts';
import type { PageHandOver } from './page-hand-over.ts';
import type { Answer } from './page-request.ts';
import { leaseExpired, type PageEnding, type PageWork } from './page-work.ts';

export interface PageArchiveParts {
  readonly archive: Archive;
  readonly copies: Pick<ExactCopies, 'add'>;
  readonly clock: Clock;
  /** Absent where no index is filled beside the crawl. */
  readonly handOver?: PageHandOver;
}

const MOST_KEPT = 100_000;

/** The last stage in the page thread: what came back goes into the archive, as long as the lease lasts. */
export class PageArchive {
  readonly #parts: PageArchiveParts;
  /** Resources of pages that were written by this worker. */
  readonly #kept = new Set<string>();

  constructor(parts: PageArchiveParts) {
    this.#parts = parts;
  }

  async store(claim: Claim, document: ReadAnswer, copy: CopyVerdict, page: DescribedPage): Promise<PageWork> {
    const { answer, use, digest, rawDigest, read, shown } = document;
    const { facts, links, text, html, fields, ...found } = page;
    if (this.#isLate(claim)) return leaseExpired(use);
    const { url } = claim.task;
    await this.#storeResources(claim, shown?.page?.resources ?? []);
    const { start, ...location } = await this.#parts.archive.put({
      url,
      ...(claim.address === undefined ? {} : { address: claim.address }),
      result: answer,
      payloadDigest: shown?.payloadDigest ?? digest,
      rawDigest,
      mediaType: read.html.mediaType,
      ...(copy.revisitOf === undefined ? {} : { revisitOf: copy.revisitOf }),
      ...(text === undefined ? {} : { text }),
      ...(html === undefined ? {} : { converted: Buffer.from(html) }),
      ...renderedOf(shown?.page),
      metadata: metadataOf(claim, use, read.html.charset),
    });
    if (copy.original === undefined && !copy.unchanged)
      this.#parts.copies.add(digest, { url, at: recordDate(answer.exchange), rawDigest });
    if (fields !== undefined || copy.original !== undefined)
      this.#parts.handOver?.hand({ url, start, ...location }, fields, text);
    return {
      kind: 'page',
      ending: endingOf(copy),
      facts: { ...facts, location },
      location,
      links,
      ...(document.nofollow === undefined ? {} : { nofollow: document.nofollow }),
      use,
      ...found,
    };
  }

  /** What the page has loaded; each version once. Before the page itself, so that they are settled with it. */
  async #storeResources({ task, expiresAt }: Claim, resources: readonly RenderedResource[]): Promise<void> {
    for (const { url, result } of resources) {
      const payloadDigest = sha1Base32(result.body);
      const key = `${url} ${payloadDigest}`;
      if (this.#kept.has(key) || this.#parts.clock.now() >= expiresAt) continue;
      if (this.#kept.size >= MOST_KEPT) this.#kept.clear();
      this.#kept.add(key);
      await this.#parts.archive.put({
        ...{ url: url as CanonicalUrl, result, payloadDigest },
        mediaType: result.head.header('content-type') ?? '',
        metadata: { via: task.url },
      });
    }
  }

  /** An answer without a page of its own: kept all the same. Undefined where the lease has run out. */
  async storeAnswer(
    claim: Claim,
    answer: Answer,
    use: HostUse,
    unmodified?: ArchiveEntry['revisitOf'],
  ): Promise<{ readonly facts: PageFacts; readonly location: ArchiveLocation } | undefined> {
    if (this.#isLate(claim)) return undefined;
    const mediaType = answer.head.header('content-type') ?? '';
    const { start, ...location } = await this.#parts.archive.put({
      url: claim.task.url,
      ...(claim.address === undefined ? {} : { address: claim.address }),
      result: answer,
      payloadDigest: sha1Base32(answer.body),
      mediaType,
      ...(unmodified === undefined ? {} : { revisitOf: unmodified, profile: 'server-not-modified' as const }),
      metadata: metadataOf(claim, use),
    });
    // What has not changed says what the visit before it said, which is to be read.
    if (unmodified === undefined) this.#parts.handOver?.hand({ url: claim.task.url, start, ...location });
    const facts: PageFacts = {
      status: answer.head.status,
      mediaType,
      bytes: answer.body.byteLength,
      directives: [],
      noindex: false,
      linkCount: 0,
      location,
      address: answer.exchange.address,
      fetchMs: use.fetchMs,
      requestedAt: recordDate(answer.exchange),
    };
    return { facts, location };
  }

  #isLate({ expiresAt }: Claim): boolean {
    return this.#parts.clock.now() >= expiresAt;
  }
}

function renderedOf(page: RenderedPage | undefined): Pick<ArchiveEntry, 'rendered' | 'screenshot'> {
  if (page === undefined) return {};
  const { html, truncated, screenshot } = page;
  return { rendered: { html, truncated }, ...(screenshot === undefined ? {} : { screenshot }) };
}

function endingOf({ unchanged, original }: CopyVerdict): PageEnding {
  if (unchanged) return { kind: 'unchanged' };
  return original === undefined ? { kind: 'stored' } : { kind: 'duplicate', of: original.url };
}
