import type { LinkKind } from '../contracts/content/page.ts';
import { AnchorText } from './anchor-text.ts';
import type { ExtractOptions } from './extract-options.ts';
import type { HtmlScanner } from './html-scanner.ts';
import { type CommonLink, type LinkAttributes, LinkList } from './link-list.ts';
import { linkRole } from './link-role.ts';
import { parseRefresh, type Refresh } from './meta-refresh.ts';
import { parseSrcset } from './srcset.ts';
import { styleSheetUrls } from './style-sheet-urls.ts';
import { attributeName } from './tags/attribute-name.ts';
import { LINK_NOTE } from './tags/known-tag.ts';
import { collapse, detach } from './white-space.ts';

const ACTION = attributeName('action');
const ALT = attributeName('alt');
const CONTENT = attributeName('content');
const DATA = attributeName('data');
const HREF = attributeName('href');
const HREFLANG = attributeName('hreflang');
const HTTP_EQUIV = attributeName('http-equiv');
const LANG = attributeName('lang');
const METHOD = attributeName('method');
const NAME = attributeName('name');
const POSTER = attributeName('poster');
const REL = attributeName('rel');
const SRC = attributeName('src');
const SRCSET = attributeName('srcset');
const TITLE = attributeName('title');
const TYPE = attributeName('type');
const XLINK_HREF = attributeName('xlink:href');

/** Versions of a page in other languages; there are a few hundred languages with a code. */
const MAX_ALTERNATES = 1000;
/** Characters of a rel attribute. */
const MAX_REL = 1000;

/** What the elements of a document say. Every reference stays as written: the base may come last. */
export class ElementReader {
  base: string | undefined;
  title: string | undefined;
  lang: string | undefined;
  description: string | undefined;
  canonical: string | undefined;
  refresh: Refresh | undefined;
  readonly alternates: [hreflang: string, reference: string][] = [];
  readonly metaRobots: [name: string, content: string][] = [];
  readonly links: LinkList;
  readonly anchor = new AnchorText();
  inNoscript = false;

  readonly #scanner: HtmlScanner;
  readonly #options: ExtractOptions;
  #inForm = false;
  #inFrameset = false;

  constructor(scanner: HtmlScanner, options: ExtractOptions) {
    this.#scanner = scanner;
    this.#options = options;
    this.links = new LinkList(options.maxLinks);
  }

  /** Reads the start tag at hand. */
  read(): void {
    const scanner = this.#scanner;
    switch (scanner.name) {
      case 'a':
        this.#openAnchor();
        break;
      case 'area':
        this.#link('area', scanner.attribute(HREF), scanner.attribute(ALT));
        break;
      case 'img':
      case 'image':
        this.#readImage();
        break;
      case 'link':
        this.#readLinkElement();
        break;
      case 'meta':
        this.#readMeta();
        break;
      case 'iframe':
        this.#link('iframe', scanner.attribute(SRC));
        break;
      case 'frame':
        if (this.#inFrameset) this.#link('frame', scanner.attribute(SRC));
        break;
      case 'form':
        this.#readForm();
        break;
      case 'base':
        this.base ??= scanner.attribute(HREF);
        break;
      case 'html':
        this.lang ??= scanner.attribute(LANG);
        break;
      case 'noscript':
        this.inNoscript = true;
        break;
      case 'frameset':
        this.#inFrameset = true;
        break;
      default:
        if (this.#options.resources === true) this.#readResource();
    }
  }

  /** Reads the end tag at hand. */
  readEnd(): void {
    switch (this.#scanner.name) {
      case 'a':
        this.anchor.close();
        break;
      case 'noscript':
        this.inNoscript = false;
        break;
      case 'form':
        this.#inForm = false;
        break;
    }
  }

  /** Takes the text at hand as the title. */
  readTitle(): void {
    this.title ??= detach(collapse(this.#scanner.text().replaceAll('\0', '\ufffd')));
  }

  /** Takes the text at hand as a style sheet. */
  readStyleSheet(): void {
    if (this.#options.resources !== true) return;
    for (const { url, isImport } of styleSheetUrls(this.#scanner.text()))
      if (!url.startsWith('#')) this.#link(isImport ? 'style' : 'object', detach(url));
  }

  #link(kind: LinkKind, reference: string | undefined, text?: string): void {
    if (reference === undefined || this.links.omit()) return;
    const scanner = this.#scanner;
    this.links.add(kind, reference, relOf(scanner.attribute(REL)), {
      text: text === undefined ? '' : collapse(text),
      hreflang: scanner.attribute(HREFLANG),
      title: scanner.attribute(TITLE),
      type: scanner.attribute(TYPE),
    });
  }

  #openAnchor(): void {
    const scanner = this.#scanner;
    const { tag } = scanner;
    this.anchor.close();
    const noted = tag?.notes[LINK_NOTE] as WrittenAnchor | undefined;
    const reference = noted === undefined ? scanner.attribute(HREF) : noted.reference;
    if (reference === undefined || this.links.omit()) return;
    const written = noted ?? writtenAnchor(scanner, reference);
    if (noted === undefined && tag !== undefined) tag.notes[LINK_NOTE] = written;
    this.anchor.open(this.links.add('a', reference, written.rel, written, tag === undefined ? undefined : written));
  }

  /** An anchor of SVG; it takes over the text of an HTML anchor around it. */
  readForeignAnchor(): void {
    const scanner = this.#scanner;
    const reference = scanner.attribute(HREF) ?? scanner.attribute(XLINK_HREF);
    if (reference === undefined || this.links.omit()) return;
    this.anchor.open(
      this.links.add('a', reference, relOf(scanner.attribute(REL)), { title: scanner.attribute(TITLE) }),
    );
  }

  #readForm(): void {
    if (this.#inForm) return;
    this.#inForm = true;
    const method = this.#scanner.attribute(METHOD)?.toLowerCase();
    if (method !== 'post' && method !== 'dialog') this.#link('form', this.#scanner.attribute(ACTION));
  }

  #readImage(): void {
    const scanner = this.#scanner;
    const alt = this.anchor.isOpen || this.#options.resources === true ? scanner.attribute(ALT) : undefined;
    if (this.anchor.isOpen && alt !== undefined) this.anchor.addAlternative(alt);
    if (this.#options.resources !== true) return;
    this.#link('img', scanner.attribute(SRC), alt);
    this.#readSrcset(alt);
  }

  #readSrcset(alt?: string): void {
    const srcset = this.#scanner.attribute(SRCSET);
    if (srcset === undefined) return;
    for (const candidate of parseSrcset(srcset)) this.#link('img', detach(candidate.url), alt);
  }

  #readResource(): void {
    const scanner = this.#scanner;
    switch (scanner.name) {
      case 'script':
        this.#link('script', scanner.attribute(SRC));
        break;
      case 'source':
        this.#readSrcset();
        this.#link('media', scanner.attribute(SRC));
        break;
      case 'video':
        this.#link('img', scanner.attribute(POSTER));
        this.#link('media', scanner.attribute(SRC));
        break;
      case 'audio':
      case 'track':
        this.#link('media', scanner.attribute(SRC));
        break;
      case 'embed':
        this.#link('object', scanner.attribute(SRC));
        break;
      case 'object':
        this.#link('object', scanner.attribute(DATA));
        break;
    }
  }

  #readLinkElement(): void {
    const scanner = this.#scanner;
    const reference = scanner.attribute(HREF);
    const rel = relOf(scanner.attribute(REL));
    if (reference === undefined || rel === '') return;
    const role = linkRole(rel);
    if (role.canonical) this.canonical ??= reference;
    const hreflang = scanner.attribute(HREFLANG);
    if (role.alternate && hreflang !== undefined && this.alternates.length < MAX_ALTERNATES)
      this.alternates.push([hreflang.toLowerCase(), reference]);
    if (role.kind === 'link' || (role.kind !== undefined && this.#options.resources === true))
      this.#link(role.kind, reference);
  }

  #readMeta(): void {
    const scanner = this.#scanner;
    const content = scanner.attribute(CONTENT);
    if (content === undefined) return;
    if (scanner.attribute(HTTP_EQUIV)?.toLowerCase() === 'refresh') {
      const refresh = parseRefresh(content);
      if (refresh === undefined) return;
      if (refresh.url !== '' && !this.links.omit()) this.links.add('refresh', refresh.url, '');
      // Where scripts run, a refresh in <noscript> does nothing: it is a way to a page for other readers.
      if (!this.inNoscript) this.refresh ??= refresh;
    }
    const name = scanner.attribute(NAME)?.trim().toLowerCase();
    if (name === undefined) return;
    if (name === 'description') this.description ??= collapse(content);
    else if (name === 'robots' || CRAWLER_NAME.test(name) || this.#options.agents?.includes(name))
      this.metaRobots.push([name, content]);
  }
}

const CRAWLER_NAME = /bot|crawler|spider|slurp/;

/** What an anchor says of where it leads. */
interface WrittenAnchor extends LinkAttributes, CommonLink {
  readonly reference: string;
  readonly rel: string;
}

function writtenAnchor(scanner: HtmlScanner, reference: string): WrittenAnchor {
  return {
    reference,
    rel: relOf(scanner.attribute(REL)),
    hreflang: scanner.attribute(HREFLANG),
    title: scanner.attribute(TITLE),
    type: scanner.attribute(TYPE),
    folder: undefined,
    url: undefined,
  };
}

function relOf(rel: string | undefined): string {
  return rel === undefined || rel === '' ? '' : collapse(rel.slice(0, MAX_REL)).toLowerCase();
}
