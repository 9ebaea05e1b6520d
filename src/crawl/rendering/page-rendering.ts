import type { RenderedFacts } from '../../contracts/content/page-facts.ts';
import type {
  PageRenderer,
  RenderedPage,
  RenderGain,
  RenderJudge,
  RenderSigns,
} from '../../contracts/content/renderer.ts';
import type { Claim, HostUse } from '../../contracts/crawl-task.ts';
import { hiddenWords } from '../../extract/spam/seen-signs.ts';
import { ReceivedHead } from '../../fetch/response-head.ts';
import { renderSigns, visibleWords } from '../../render/render-signs.ts';
import { isFileUrl } from '../../url/file-url.ts';
import type { PageArchive } from '../visit/page-archive.ts';
import type { PageContent, ReadAnswer } from '../visit/page-content.ts';
import type { Answer } from '../visit/page-request.ts';
import { leaseExpired, type PageWork } from '../visit/page-work.ts';
import { addressOf } from '../visit/spellings.ts';
import { NO_LINKS, type PackedLinks, placesOfKinds } from '../workers/packed-links.ts';

/** Who shows pages, and who says which; in this thread or another. */
export type RenderService = PageRenderer & RenderJudge;

export interface PageRenderingParts {
  readonly mode: 'auto' | 'always';
  readonly service: RenderService;
  readonly content: Pick<PageContent, 'read'>;
  readonly archive: Pick<PageArchive, 'storeAnswer'>;
  /** When a page that came to no end in the browser gets its second chance. */
  readonly retryMs: number;
}

/** Larger pages are no shells of applications; a browser would take long, and find what is there already. */
const LARGEST = 4 * 2 ** 20;
/** With more words a page that leads elsewhere has something to say itself. */
const WORDS_OF_A_REDIRECT = 50;
const LEADING = ['a', 'area', 'frame', 'iframe', 'refresh', 'form'] as const;

/** Between reading an answer and judging it: pages that need it are shown in a browser, and read again as it shows them. */
export class PageRendering {
  readonly #parts: PageRenderingParts;

  constructor(parts: PageRenderingParts) {
    this.#parts = parts;
  }

  /** The document as it counts from here on; or what ends the visit. */
  async show(claim: Claim, document: ReadAnswer): Promise<ReadAnswer | PageWork> {
    const { answer, read } = document;
    // Scripts of a file could send what it holds to anybody: what is local stays here.
    if (isFileUrl(claim.task.url)) return document;
    if (read.html.page === undefined || answer.body.byteLength > LARGEST || claim.task.discovery.how === 'sitemap-file')
      return document;
    const markup = read.html.source ?? Buffer.from(answer.body).toString();
    const signs = renderSigns(claim.task.url, markup);
    const verdict = await this.#verdict(signs);
    if (!verdict.render) return document;
    const result = await this.#parts.service.render({
      url: addressOf(claim),
      address: answer.exchange.address,
      status: answer.head.status,
      rawHeaders: answer.head.rawHeaders,
      body: answer.body,
      leaseEndsAt: claim.expiresAt,
    });
    if (result.kind === 'failed') {
      if (signs !== undefined) this.#parts.service.fail(signs);
      if (result.code === 'no-browser' || result.code === 'closed') return document;
      // The machine may have been busy: the page gets another chance, and counts as it was answered only after that.
      const { retryMs } = this.#parts;
      if (claim.tries === 0)
        return { kind: 'failed', code: 'render-failed', detail: result.detail, use: document.use, retryMs };
      const facts = { why: verdict.why, failed: `${result.code}: ${result.detail}` };
      return { ...document, shown: { facts, payloadDigest: document.digest } };
    }
    const words = signs?.words ?? visibleWords(markup);
    return await this.#take(claim, document, result, { why: verdict.why, words, signs });
  }

  async #verdict(signs: RenderSigns | undefined): Promise<{ readonly render: boolean; readonly why: string }> {
    if (this.#parts.mode === 'always') return { render: true, why: signs?.strong || 'render is always' };
    if (signs === undefined) return { render: false, why: 'it has no scripts' };
    return await this.#parts.service.judge(signs);
  }

  async #take(
    claim: Claim,
    document: ReadAnswer,
    page: RenderedPage,
    before: { readonly why: string; readonly words: number; readonly signs: RenderSigns | undefined },
  ): Promise<ReadAnswer | PageWork> {
    const { content, service } = this.#parts;
    const shownAnswer = answerOf(document.answer, page);
    const again = await content.read(claim, shownAnswer);
    const words = visibleWords(Buffer.from(page.html).toString());
    const found = again.kind === 'document' ? again.read.links.links : NO_LINKS;
    const links = newLinks(document.read.links.links, found);
    // Who says something, or leads to anything else, is a page.
    const isRedirect = page.redirect !== undefined && words < WORDS_OF_A_REDIRECT && leading(found).length <= 1;
    const gain: RenderGain = { links, words: words - before.words, ...(isRedirect ? { redirect: true } : {}) };
    if (before.signs !== undefined) service.learn(before.signs, gain);
    const facts: RenderedFacts = {
      why: before.why,
      ms: page.ms,
      ...{ links, words: gain.words, requests: page.requests.sent },
      ...(Object.keys(page.requests.refused).length === 0 ? {} : { refused: page.requests.refused }),
      ...(isRedirect ? { redirect: page.redirect } : {}),
      ...seenFacts(page),
    };
    const use = withSubRequests(document.use, page);
    if (isRedirect) return await this.#redirected(claim, document, use, facts, page.redirect as string);
    // Its scripts may have said what its answer did not: that it is not to be kept.
    if (again.kind !== 'document') return 'use' in again ? { ...again, use } : again;
    return {
      ...again,
      ...{ answer: document.answer, use, rawDigest: document.rawDigest },
      shown: { facts, page, payloadDigest: document.digest },
    };
  }

  async #redirected(
    claim: Claim,
    { answer }: ReadAnswer,
    use: HostUse,
    rendered: RenderedFacts,
    to: string,
  ): Promise<PageWork> {
    const kept = await this.#parts.archive.storeAnswer(claim, answer, use);
    if (kept === undefined) return leaseExpired(use);
    const facts = { ...kept.facts, rendered };
    return { kind: 'page', ending: { kind: 'redirected', to }, ...kept, facts, links: NO_LINKS, use };
  }
}

/** The answer as if its server had built the page. */
function answerOf(answer: Answer, { html, truncated }: RenderedPage): Answer {
  const { head } = answer;
  const { rawHeaders } = head;
  const kept = rawHeaders.filter((_, at) => !/^content-(?:type|encoding|length)$/i.test(rawHeaders[at & ~1]));
  const headers = [...kept, 'Content-Type', 'text/html; charset=utf-8'];
  return {
    ...answer,
    head: new ReceivedHead(head.httpVersion, head.status, head.statusText, headers),
    ...{ raw: html, body: html },
    ...(truncated ? { truncated: 'length' as const } : {}),
  };
}

function seenFacts({ seen, loadMs }: RenderedPage): Partial<RenderedFacts> {
  const load = loadMs === undefined ? {} : { loadMs };
  if (seen === undefined) return load;
  const { width, height, overlays } = seen;
  const hidden = hiddenWords(seen);
  return {
    ...load,
    width,
    height,
    ...(overlays === 0 ? {} : { overlays }),
    ...(hidden === 0 ? {} : { hiddenWords: hidden }),
  };
}

/** Links to follow that only the rendered page has. */
function newLinks(before: PackedLinks, after: PackedLinks): number {
  const known = new Set(before.fingerprints);
  return leading(after).filter((place) => !known.has(after.fingerprints[place])).length;
}

function leading(links: PackedLinks): readonly number[] {
  const places = placesOfKinds(links, LEADING);
  return places === 'all' ? [...links.fingerprints.keys()] : places;
}

/** What the page has asked of its host besides counts as one longer request. */
function withSubRequests(use: HostUse, { requests }: RenderedPage): HostUse {
  const { ownBytes, ownMs, ownEndedAt } = requests;
  return {
    ...use,
    fetchMs: use.fetchMs + ownMs,
    bytes: use.bytes + ownBytes,
    endedAt: Math.max(use.endedAt, ownEndedAt === 0 ? 0 : ownEndedAt + 1),
  };
}
