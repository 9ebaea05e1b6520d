import type { CanonicalUrl } from '../contracts/url.ts';
import { canonicalForm, isWeb } from './canonical-form.ts';
import { scanAbsolute, scanPath, scanQuery, scanRules } from './canonical-scan.ts';
import { originOf, pathOf } from './host-key.ts';
import type { UrlOptions } from './url-options.ts';

const hash = 0x23;
const dot = 0x2e;
const slash = 0x2f;
const colon = 0x3a;
const question = 0x3f;
const backslash = 0x5c;
const letterH = 0x68;

const none = 0;
const web = 1;
const other = 2;

/**
 * Makes links of one page canonical. The base is taken apart once; a link that is canonical as written is then joined
 * to the right piece of it without being parsed. Everything else takes the way of `canonicalForm`.
 */
class UrlResolver {
  readonly #options: UrlOptions;
  readonly #rules: number;
  readonly #base: string;
  /** "https:" or "http:"; undefined where the base is neither. */
  readonly #scheme: string | undefined;
  /** Links of other schemes may lead somewhere. */
  readonly #hasOthers: boolean;
  /** Canonical scheme://host[:port]. */
  readonly #origin: string = '';
  /** The base itself in canonical form, for "" and "#fragment". */
  readonly #self: CanonicalUrl | undefined;
  /** Path of the base up to its last slash. Undefined unless canonical as it stands: only then may "../" cut it. */
  readonly #folder: string | undefined;
  /** Origin and path, for "?query". Undefined unless canonical as it stands. */
  readonly #withoutQuery: string | undefined;

  constructor(base: string, options: UrlOptions) {
    this.#options = options;
    this.#rules = scanRules(options);
    this.#base = base;
    this.#hasOthers = options.schemes !== undefined && options.schemes !== '';
    const parts = canonicalParts(base, this.#rules) ?? parsedParts(base, options);
    if (parts === undefined) return;
    const { self, scheme, path } = parts;
    this.#self = self;
    this.#scheme = scheme;
    this.#origin = originOf(self);
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    // The options on trailing slashes speak of whole paths, not of the folder a link is appended to.
    const folderRules = scanRules({ ...options, trailingSlash: 'keep' });
    if (scanPath(folder, 1, folderRules) === folder.length) this.#folder = folder;
    const canonicalPath = pathOf(this.#self);
    if (canonicalPath.startsWith(path) && scanPath(path, 1, this.#rules) === path.length) {
      this.#withoutQuery = this.#origin + path;
    }
  }

  /**
   * What bases have in common of which all links mean the same that begin with something else than a fragment, a query or white space;
   * undefined where that is not known.
   */
  get folder(): string | undefined {
    return this.#folder === undefined ? undefined : `${this.#scheme}${this.#origin}${this.#folder}`;
  }

  /** The link in canonical form, or undefined where it does not lead to an http(s) URL, nor to one that a plug-in fetches. */
  resolve(link: string): CanonicalUrl | undefined {
    const first = link.charCodeAt(0);
    if (first === letterH) {
      const end = scanAbsolute(link, this.#rules);
      if (end !== -1) return cut(link, end);
    }
    if (this.#scheme === undefined) return this.#parsed(link);
    if (first === slash) return this.#fromRoot(link);
    if (first === question) return this.#fromQuery(link);
    if (first === hash || link === '') return this.#self;
    switch (schemeOf(link)) {
      case none:
        return this.#fromFolder(link);
      case web:
        return this.#parsed(link);
      case other:
        return this.#hasOthers ? this.#parsed(link) : undefined;
    }
  }

  /** "/path" and "//host/path". */
  #fromRoot(link: string): CanonicalUrl | undefined {
    const second = link.charCodeAt(1);
    if (second === slash) {
      const absolute = this.#scheme + link;
      const end = scanAbsolute(absolute, this.#rules);
      return end === -1 ? this.#parsed(link) : cut(absolute, end);
    }
    const end = second === backslash ? -1 : scanPath(link, 1, this.#rules);
    return end === -1 ? this.#parsed(link) : ((this.#origin + cut(link, end)) as CanonicalUrl);
  }

  #fromQuery(link: string): CanonicalUrl | undefined {
    const end = this.#withoutQuery === undefined ? -1 : scanQuery(link, 1, this.#rules);
    return end === -1 ? this.#parsed(link) : ((this.#withoutQuery + cut(link, end)) as CanonicalUrl);
  }

  /** "path", "./path", "../path". */
  #fromFolder(link: string): CanonicalUrl | undefined {
    const folder = this.#folder;
    if (folder === undefined) return this.#parsed(link);
    let start = 0;
    let folderEnd = folder.length;
    while (link.charCodeAt(start) === dot) {
      if (link.charCodeAt(start + 1) === slash) start += 2;
      else if (link.charCodeAt(start + 1) === dot && link.charCodeAt(start + 2) === slash) {
        start += 3;
        folderEnd = folderEnd === 1 ? 1 : folder.lastIndexOf('/', folderEnd - 2) + 1;
      } else break;
    }
    const end = scanPath(link, start, this.#rules);
    if (end === -1) return this.#parsed(link);
    return (this.#origin + folder.slice(0, folderEnd) + link.slice(start, end)) as CanonicalUrl;
  }

  #parsed(link: string): CanonicalUrl | undefined {
    return canonicalForm(link, this.#options, this.#base) as CanonicalUrl | undefined;
  }
}

/** What a resolver needs of its base. */
interface BaseParts {
  readonly self: CanonicalUrl;
  /** "https:" or "http:" */
  readonly scheme: string;
  /** Without the query. */
  readonly path: string;
}

/** Of a base that is canonical as it stands, as those of visited pages are; they need no parser. */
function canonicalParts(base: string, rules: number): BaseParts | undefined {
  if (scanAbsolute(base, rules) !== base.length) return undefined;
  const self = base as CanonicalUrl;
  const path = pathOf(self);
  const query = path.indexOf('?');
  return {
    self,
    scheme: base.slice(0, base.charCodeAt(4) === colon ? 5 : 6),
    path: query === -1 ? path : path.slice(0, query),
  };
}

/** Undefined where the base is not of the web. A base is never a typed address: what it lacks is not to be guessed. */
function parsedParts(base: string, options: UrlOptions): BaseParts | undefined {
  const parsed = URL.parse(base);
  const self = parsed === null ? undefined : canonicalForm(base, { ...options, assumeHttp: false });
  if (parsed === null || self === undefined || !isWeb(parsed)) return undefined;
  return { self: self as CanonicalUrl, scheme: parsed.protocol, path: parsed.pathname };
}

export function createResolver(base: string, options: UrlOptions): UrlResolver {
  return new UrlResolver(base, options);
}

function cut(text: string, end: number): CanonicalUrl {
  return (end === text.length ? text : text.slice(0, end)) as CanonicalUrl;
}

/** The scheme a link begins with. Unless a plug-in fetches others, no scheme but http and https can lead to a page, so they need no parser. */
function schemeOf(link: string): typeof none | typeof web | typeof other {
  for (let at = 0; at < link.length; at++) {
    const code = link.charCodeAt(at);
    const lower = code | 0x20;
    if (lower >= 0x61 && lower <= 0x7a) continue;
    if (at === 0) return none;
    if (code === colon) return isWebScheme(link, at) ? web : other;
    const digitOrSign = (code >= 0x30 && code <= 0x39) || code === 0x2b || code === 0x2d || code === dot;
    if (!digitOrSign) return none;
  }
  return none;
}

function isWebScheme(link: string, length: number): boolean {
  if (length !== 4 && length !== 5) return false;
  const scheme = link.slice(0, length).toLowerCase();
  return scheme === 'http' || scheme === 'https';
}
