import { sha1Base32 } from '../../archive/sha1-base32.ts';
import { utf8Of } from '../../base/bytes/utf8-text.ts';
import type { Clock } from '../../base/clock.ts';
import { type DirectiveSources, pageDirectives, type RobotsDirectives } from '../../base/robots-directives.ts';
import type { IndexFields } from '../../contracts/content/index-fields.ts';
import type { RenderedFacts } from '../../contracts/content/page-facts.ts';
import type { RenderedPage } from '../../contracts/content/renderer.ts';
import type { Claim, HostUse } from '../../contracts/crawl-task.ts';
import type { ResponseHead } from '../../contracts/fetcher.ts';
import type { PageFacts } from '../../contracts/page-store.ts';
import type { HostKey } from '../../contracts/url.ts';
import { indexFields } from '../../extract/index-fields.ts';
import { withSeen } from '../../extract/spam/seen-signs.ts';
import { pagePreferences } from '../../extract/usage-preferences/page-preferences.ts';
import { combineSigns } from '../../rank/spam/spam-score.ts';
import { isFileUrl } from '../../url/file-url.ts';
import { originOf } from '../../url/host-key.ts';
import type { ContentExtractor, ReadingOrder } from '../content/content-extractor.ts';
import { omissions, withLinksOf } from '../content/document-links.ts';
import type { ExtractedContent } from '../content/extracted-content.ts';
import { pageForms } from '../content/page-forms.ts';
import type { ReadPage } from '../content/page-reader.ts';
import type { PageReading } from '../content/page-reading.ts';
import { pageTopic } from '../content/page-topic.ts';
import { formerDigest } from '../content/text-digest.ts';
import { discoverHub } from '../notify/hub-discovery.ts';
import { isBrokenOff, signsOf, validatorsOf, wholeTextOf } from './body-signs.ts';
import type { CopyVerdict } from './exact-copies.ts';
import { recordDate, useOf } from './host-use.ts';
import type { Answer } from './page-request.ts';
import type { PageWork } from './page-work.ts';
import type { RobotsTurn } from './robots-turn.ts';
import { addressOf } from './spellings.ts';

/** A document with its links, of which its site lets us keep a copy. */
export interface ReadAnswer {
  readonly kind: 'document';
  readonly answer: Answer;
  readonly use: HostUse;
  readonly read: ReadPage;
  readonly directives: RobotsDirectives;
  /** The page's own words against following its links. */
  readonly nofollow?: string;
  /** Of the body, without and with its content coding. */
  readonly digest: string;
  readonly rawDigest: string;
  /** As a browser has shown it: then `read` and `digest` are of that. */
  readonly shown?: ShownPage;
}

/** What a browser made of an answer. */
export interface ShownPage {
  readonly facts: RenderedFacts;
  /** Absent where it came to no end there. */
  readonly page?: RenderedPage;
  /** Of the body of the answer. */
  readonly payloadDigest: string;
}

type Page = Extract<PageWork, { kind: 'page' }>;

/** What a document says, for the archive and for all that decide on it. */
export interface DescribedPage
  extends Pick<
    Page,
    'links' | 'contentSketch' | 'opening' | 'said' | 'outHosts' | 'hub' | 'topic' | 'rows' | 'extracted' | 'forms'
  > {
  readonly facts: Omit<PageFacts, 'location'>;
  /** Main text in UTF-8: it waits for the archive. */
  readonly text?: Uint8Array<ArrayBuffer>;
  /** A document that is not HTML as a page. */
  readonly html?: string;
  /** What the index is handed; absent where it reads the page from the archive. */
  readonly fields?: IndexFields;
}

export interface PageContentParts {
  readonly clock: Clock;
  /** Links become canonical URLs. */
  readonly reading: PageReading;
  /** For links of documents that are not HTML. */
  readonly resolver: (base: string) => (reference: string) => string | undefined;
  readonly extractor: Pick<ContentExtractor, 'of' | 'startBy'>;
  readonly agent: string;
  readonly followNofollow: boolean;
  readonly storeNoindex: boolean;
  /** Links of one document that are followed. */
  readonly maxLinks: number;
  /** The words of pages and links are wanted: a focused crawl. */
  readonly wantsTopic: boolean;
  /** Whether the forms of a host are filled in; absent where none are. */
  readonly isFormHost?: (host: HostKey) => boolean;
  /** Pages are visited again: what each says must be comparable. */
  readonly continuous: boolean;
  /** The kind of crawler that this run is, where it has a name. */
  readonly profile?: string;
  /** What the files of an origin say of the use of its pages; absent where robots.txt is ignored. */
  readonly robots: Pick<RobotsTurn, 'preferencesOf'> | undefined;
}

const LONGEST_TITLE = 500;
/** Pages with more are read from the archive: which of their links count depends on limits that differ. */
const MOST_HANDED_LINKS = 10_000;

/** Two stages: bytes to document and links, and, of a body that is not held already, what the document says. */
export class PageContent {
  readonly #parts: PageContentParts;

  constructor(parts: PageContentParts) {
    this.#parts = parts;
  }

  /** A document that may not be kept ends the visit, but its links count. */
  async read(claim: Claim, answer: Answer): Promise<ReadAnswer | PageWork> {
    const { agent, followNofollow, storeNoindex, extractor, maxLinks, wantsTopic, clock } = this.#parts;
    // Links count from where the page lies.
    const url = addressOf(claim);
    const { head, body, raw } = answer;
    const use = useOf(answer.exchange, raw.byteLength);
    const order = orderOf(claim);
    const said = { contentType: head.header('content-type'), linkHeaders: headerValues(head, 'link') };
    const read = await this.#parts.reading.read(
      { body, url, ...said, wantsText: wantsTopic },
      extractor.startBy(order),
    );
    const { html } = read;
    const xRobotsTag = headerValues(head, 'x-robots-tag');
    // What a page says to crawlers of the web is not said to the owner of the file.
    const metaRobots = isFileUrl(url) ? [] : (html.page?.metaRobots ?? []);
    const directives = directivesAt(clock.now(), { agent, metaRobots, xRobotsTag });
    const nofollow = directives.follow || followNofollow ? {} : { nofollow: directives.said.join('; ') };
    if (!directives.index && !storeNoindex) {
      // Sitemaps and feeds often say so, for they are no pages; what they list counts.
      const lists = html.page === undefined ? await extractor.of(html, body, url, order) : undefined;
      const { links } = withLinksOf(lists, read.links, this.#parts.resolver(url), maxLinks);
      return { kind: 'refused', by: 'directive', rule: directives.said.join('; '), use, links, ...nofollow };
    }
    const digest = sha1Base32(body);
    const rawDigest = raw === body ? digest : sha1Base32(raw);
    return { kind: 'document', answer, use, read, directives, ...nofollow, digest, rawDigest };
  }

  /** What a copy says was read when its original came; but what it is compared with at its next visit must be its own. */
  async describe(claim: Claim, document: ReadAnswer, copy: CopyVerdict): Promise<DescribedPage> {
    const { extractor, resolver, maxLinks, continuous, wantsTopic } = this.#parts;
    const { url } = claim.task;
    const base = addressOf(claim);
    const { answer, read } = document;
    const isRead = copy.original === undefined || (continuous && !copy.unchanged);
    const body = document.shown?.page?.html ?? answer.body;
    const said = isRead ? await extractor.of(read.html, body, base, orderOf(claim), read.linkCount) : undefined;
    const extracted = copy.original === undefined ? said : undefined;
    const { links, omitted } = withLinksOf(extracted, read.links, resolver(base), maxLinks);
    const text = extracted?.text;
    return {
      facts: {
        ...this.#factsOf(base, document, extracted),
        linkCount: links.fingerprints.length,
        ...omissions(omitted, read.unread),
        ...this.#textDigests(claim, document, copy, said),
        ...this.#usageOf(claim, answer.head, extracted?.usageMetas ?? read.html.page?.metaRobots),
      },
      links,
      ...(text === undefined ? {} : { text: utf8Of(text), opening: extracted?.opening, said: extracted?.said }),
      ...(extracted?.html === undefined ? {} : { html: extracted.html }),
      ...this.#fieldsOf(url, document, extracted?.headings),
      ...(extracted?.contentSketch === undefined ? {} : { contentSketch: extracted.contentSketch }),
      outHosts: read.outHosts,
      ...hubOf(answer.head, extracted, base),
      ...(wantsTopic ? { topic: pageTopic(read.html, extracted, links) } : {}),
      ...this.#formsOf(claim, document, extracted),
    };
  }

  #formsOf({ task }: Claim, document: ReadAnswer, extracted: ExtractedContent | undefined): Pick<Page, 'forms'> {
    if (this.#parts.isFormHost?.(task.host) !== true || document.nofollow !== undefined) return {};
    const { answer, read } = document;
    const forms = pageForms(read.html, answer.body, extracted?.text, this.#parts.resolver);
    return forms === undefined ? {} : { forms };
  }

  /** Of large pages, which were read elsewhere, the links have not come along. */
  #fieldsOf(url: string, { read }: ReadAnswer, headings: string | undefined): Pick<DescribedPage, 'fields'> {
    const { page, mediaType } = read.html;
    if (page === undefined || headings === undefined || read.linkCount > MOST_HANDED_LINKS) return {};
    if (page.links.length !== read.linkCount || page.omittedLinks > 0 || read.unread !== undefined) return {};
    return { fields: indexFields(page, { headings, url, mediaType }) };
  }

  #factsOf(
    url: string,
    { answer, use, read, directives, digest, rawDigest, shown }: ReadAnswer,
    extracted: ExtractedContent | undefined,
  ): Omit<PageFacts, 'location' | 'linkCount'> {
    const { html } = read;
    // The same answer may show something else tomorrow: whether a rendered page has changed, no validator tells.
    const isShown = shown?.page !== undefined;
    const signs = isShown ? undefined : signsOf(answer);
    const title = html.page?.title || extracted?.about.title;
    const spam = extracted?.spam === undefined ? [] : withSeen(extracted.spam, shown?.page?.seen, url);
    return {
      status: answer.head.status,
      mediaType: html.mediaType,
      ...(html.charset === undefined ? {} : { charset: html.charset }),
      bytes: answer.body.byteLength,
      ...(answer.truncated === undefined ? {} : { truncated: answer.truncated }),
      digest,
      rawDigest,
      ...(isShown ? {} : validatorsOf(answer)),
      ...(shown === undefined ? {} : { rendered: shown.facts }),
      ...(signs === undefined ? {} : { signs }),
      ...(title ? { title: title.slice(0, LONGEST_TITLE) } : {}),
      ...(read.canonical === undefined ? {} : { canonical: read.canonical }),
      directives: directives.said,
      noindex: !directives.index,
      ...(directives.snippet ? {} : { nosnippet: true as const }),
      ...(directives.archive ? {} : { noarchive: true as const }),
      ...(extracted === undefined ? {} : { about: extracted.about }),
      ...(spam.length === 0 ? {} : { spam: combineSigns(spam) }),
      ...(this.#parts.profile === undefined ? {} : { profile: this.#parts.profile }),
      address: answer.exchange.address,
      fetchMs: use.fetchMs,
      requestedAt: recordDate(answer.exchange),
    };
  }

  /** By which the next visit tells whether the page has changed. */
  #textDigests(
    { earlier }: Claim,
    { answer }: ReadAnswer,
    { unchanged }: CopyVerdict,
    said: ExtractedContent | undefined,
  ): Partial<PageFacts> {
    return {
      ...(said?.textDigest === undefined ? {} : { textDigest: said.textDigest }),
      ...(isBrokenOff(answer) ? { ...wholeTextOf(earlier), ...(unchanged ? { repeated: true as const } : {}) } : {}),
      ...formerDigest(earlier?.textDigest, said?.text),
    };
  }

  /** What robots.txt, tdmrep.json, header fields and META tags say of the use of the document. */
  #usageOf(
    claim: Claim,
    head: ResponseHead,
    metas: readonly (readonly [name: string, content: string])[] | undefined,
  ): Pick<PageFacts, 'usage'> {
    const usage = pagePreferences({
      url: addressOf(claim),
      agent: this.#parts.agent,
      rawHeaders: head.rawHeaders,
      ...this.#parts.robots?.preferencesOf(originOf(claim.task.url)),
      ...(metas === undefined ? {} : { metas }),
    });
    return usage.said.length === 0 ? {} : { usage };
  }
}

function orderOf({ task, expiresAt }: Claim): ReadingOrder {
  return { isSitemap: task.discovery.how === 'sitemap-file', leaseEndsAt: expiresAt };
}

/** What the directives of a page mean now: a date of `unavailable_after` that has passed is a `noindex`. */
function directivesAt(now: number, sources: DirectiveSources): RobotsDirectives {
  const directives = pageDirectives(sources);
  return (directives.unavailableAfter ?? Number.POSITIVE_INFINITY) <= now
    ? { ...directives, index: false }
    : directives;
}

function hubOf(head: ResponseHead, extracted: ExtractedContent | undefined, url: string): Pick<Page, 'hub'> {
  const linkHeaders = headerValues(head, 'link');
  if (linkHeaders.length === 0 && extracted?.hubs === undefined) return {};
  const hub = discoverHub(linkHeaders, extracted, url);
  return hub === undefined ? {} : { hub };
}

function headerValues({ rawHeaders }: ResponseHead, name: string): string[] {
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    // Lengths first: few names are as long, and lower case is rebuilt for each of them.
    if (rawHeaders[at].length === name.length && rawHeaders[at].toLowerCase() === name) values.push(rawHeaders[at + 1]);
  }
  return values;
}
