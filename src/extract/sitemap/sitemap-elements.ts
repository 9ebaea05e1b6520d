import type { ChangeFrequency } from '../../contracts/content/page.ts';
import { readFeedDate } from '../feed/parse-feed-date.ts';
import { attributeOf, type XmlAttributes } from '../xml/xml-attributes.ts';
import type { XmlHandler, XmlName } from '../xml/xml-reader.ts';
import { EntryExtensions } from './entry-extensions.ts';
import type { EntrySink } from './entry-sink.ts';
import type { SitemapFormat } from './sitemap-entry.ts';
import { extensionOf, isFeedName, isSitemapNamespace } from './sitemap-names.ts';

const frequencies: ReadonlySet<string> = new Set<ChangeFrequency>([
  'always',
  'hourly',
  'daily',
  'weekly',
  'monthly',
  'yearly',
  'never',
]);

const formats: ReadonlyMap<string, SitemapFormat> = new Map([
  ['urlset', 'xml'],
  ['sitemapindex', 'index'],
  ['rss', 'rss'],
  ['rdf', 'rss'],
  ['feed', 'atom'],
]);

/** Elements that hold one entry, by format, and those whose text says something of it. */
const entryElements: Readonly<Record<SitemapFormat, readonly string[]>> = {
  xml: ['url', 'sitemap'],
  index: ['sitemap', 'url'],
  rss: ['item'],
  atom: ['entry'],
  text: [],
};
const sitemapFields: ReadonlySet<string> = new Set(['loc', 'lastmod', 'changefreq', 'priority']);
const feedFields: ReadonlySet<string> = new Set([
  'link',
  'guid',
  'pubDate',
  'updated',
  'modified',
  'published',
  'issued',
]);

const longestValue = 16_384;

/** Turns the elements of a sitemap, sitemap index or feed into entries. */
export class SitemapElements implements XmlHandler {
  readonly #sink: EntrySink;
  readonly #strictNamespace: boolean;
  /** References that stayed as written so far: an address that holds one is none. */
  readonly #unexpanded: () => number;
  #format: SitemapFormat | undefined;
  #refusal: 'unknown-format' | 'wrong-namespace' | undefined;
  #rootName = '';
  #rootNamespace = '';
  #rootPrefix = '';
  #depth = 0;
  /** Name and depth of the open entry; 0 outside of entries. */
  #entry = '';
  #entryDepth = 0;
  /** Depth of an open element of an unknown namespace; what is in it is not ours. */
  #foreignDepth = 0;
  /** The element whose text is being gathered. */
  #field = '';
  #fieldDepth = 0;
  #fieldExtension = '';
  #fieldUnexpanded = 0;
  #value = '';
  #loose = '';
  #facts: Map<string, string> = new Map();
  #extensions: EntryExtensions;

  constructor(sink: EntrySink, strictNamespace: boolean, unexpanded: () => number) {
    this.#sink = sink;
    this.#strictNamespace = strictNamespace;
    this.#unexpanded = unexpanded;
    this.#extensions = new EntryExtensions(sink);
  }

  get format(): SitemapFormat | undefined {
    return this.#format;
  }

  /** Why there is no point in reading on. */
  get refusal(): 'unknown-format' | 'wrong-namespace' | undefined {
    return this.#refusal;
  }

  /** What the root element is, for messages. */
  get root(): string {
    return this.#rootName;
  }

  open(name: XmlName, attributes: XmlAttributes): void {
    const depth = ++this.#depth;
    if (depth === 1) {
      this.#openRoot(name);
    } else if (this.#format === undefined || this.#field !== '' || this.#foreignDepth !== 0) {
      // Elements within an address are passed over: <loc><url>…</url></loc>.
    } else if (this.#isOurs(name)) {
      this.#openOurs(name.local, attributes);
    } else if (this.#entry !== '') {
      this.#openForeign(name, attributes);
    }
  }

  text(text: string): void {
    if (this.#field !== '') {
      if (this.#value.length < longestValue) this.#value += text;
    } else if (this.#entry !== '' && this.#depth === this.#entryDepth && this.#loose.length < longestValue) {
      this.#loose += text;
    }
  }

  close(name: XmlName): void {
    const depth = this.#depth--;
    if (depth === this.#foreignDepth) {
      this.#foreignDepth = 0;
    } else if (this.#field !== '') {
      if (depth === this.#fieldDepth) this.#endField();
    } else if (this.#entry !== '') {
      if (depth === this.#entryDepth) this.#endEntry();
      else this.#extensions.close(name.local);
    }
  }

  #openRoot(name: XmlName): void {
    // Whoever hands over pieces has stopped by now.
    if (this.#refusal !== undefined) return;
    this.#rootName = name.qualified.slice(0, 80);
    this.#rootNamespace = name.namespace;
    this.#rootPrefix = name.prefix;
    // A second root is read as if it belonged to the first.
    this.#format ??= formats.get(name.local.toLowerCase());
    if (this.#format === undefined) this.#refusal = 'unknown-format';
    const protocol = this.#format === 'xml' || this.#format === 'index';
    if (protocol && this.#strictNamespace && !isSitemapNamespace(name.namespace)) this.#refusal = 'wrong-namespace';
    if (this.#refusal !== undefined) this.#format = undefined;
  }

  #isOurs(name: XmlName): boolean {
    if (this.#format === 'rss') return isFeedName(name);
    // Without a namespace the prefix alone tells: `image:loc` is no `loc`, declared or not.
    if (name.namespace === '')
      return !this.#strictNamespace && (name.prefix === '' || name.prefix === this.#rootPrefix);
    if (name.namespace === this.#rootNamespace) return true;
    return !this.#strictNamespace && isSitemapNamespace(name.namespace);
  }

  #openOurs(local: string, attributes: XmlAttributes): void {
    if (entryElements[this.#format!].includes(local)) {
      // An entry within an entry: the end tag of the first is missing.
      if (this.#entry !== '') this.#endEntry();
      this.#entry = local;
      this.#entryDepth = this.#depth;
      return;
    }
    if (this.#entry === '') return;
    if (this.#format === 'rss' || this.#format === 'atom') {
      // Only children count: the source of an entry and its image have links of their own.
      if (this.#depth !== this.#entryDepth + 1 || !feedFields.has(local)) return;
      if (this.#format === 'atom' && local === 'link') {
        const rel = attributeOf(attributes, 'rel');
        const href = attributeOf(attributes, 'href');
        if ((rel === undefined || rel === 'alternate') && href !== undefined && !this.#facts.has('loc')) {
          this.#facts.set('loc', href);
        }
        return;
      }
      this.#startField(local, '');
    } else if (sitemapFields.has(local)) {
      // A second address in one entry is an entry of its own.
      if (local === 'loc' && this.#facts.has('loc')) this.#emit();
      this.#startField(local, '');
    }
  }

  #openForeign(name: XmlName, attributes: XmlAttributes): void {
    const extension = extensionOf(name);
    if (extension === '') {
      this.#foreignDepth = this.#depth;
    } else if (extension === 'xhtml') {
      this.#extensions.addAlternate(attributes);
    } else if (this.#extensions.open(extension, name.local)) {
      this.#startField(name.local, extension);
    }
  }

  #startField(field: string, extension: string): void {
    this.#field = field;
    this.#fieldDepth = this.#depth;
    this.#fieldExtension = extension;
    this.#fieldUnexpanded = this.#unexpanded();
    this.#value = '';
  }

  #endField(): void {
    const value = this.#unexpanded() === this.#fieldUnexpanded ? this.#value.trim() : '';
    if (this.#fieldExtension !== '') this.#extensions.set(this.#fieldExtension, this.#field, value);
    else if (value !== '' || this.#field === 'loc') this.#facts.set(this.#field, value);
    this.#field = '';
    this.#value = '';
  }

  #endEntry(): void {
    this.#emit();
    this.#entry = '';
    this.#entryDepth = 0;
  }

  #emit(): void {
    const facts = this.#facts;
    const loose = this.#loose.trim();
    const written = facts.get('loc') ?? facts.get('link') ?? facts.get('guid') ?? (/\s/.test(loose) ? '' : loose);
    if (written === '') this.#sink.skip();
    else if (this.#entry === 'sitemap') this.#sink.addSitemap(written, this.#lastModified());
    else this.#sink.addEntry(written, this.#factsOfEntry());
    if (facts.size > 0) this.#facts = new Map();
    this.#loose = '';
    if (this.#extensions.used) this.#extensions = new EntryExtensions(this.#sink);
  }

  #factsOfEntry(): Parameters<EntrySink['addEntry']>[1] {
    const facts: { lastModified?: number; changeFrequency?: ChangeFrequency; priority?: number } = {};
    const lastModified = this.#lastModified();
    if (lastModified !== undefined) facts.lastModified = lastModified;
    const frequency = this.#facts.get('changefreq')?.toLowerCase();
    if (frequency !== undefined && frequencies.has(frequency)) facts.changeFrequency = frequency as ChangeFrequency;
    const priority = this.#facts.get('priority');
    if (priority !== undefined) {
      const value = Number(priority.replace(',', '.'));
      if (value >= 0 && value <= 1) facts.priority = value;
    }
    return this.#extensions.used ? { ...facts, ...this.#extensions.result() } : facts;
  }

  #lastModified(): number | undefined {
    const facts = this.#facts;
    const protocol = facts.get('lastmod');
    if (protocol !== undefined) return readFeedDate(protocol)?.at;
    const written =
      facts.get('pubDate') ??
      facts.get('updated') ??
      facts.get('modified') ??
      facts.get('published') ??
      facts.get('issued');
    if (written === undefined) return undefined;
    const moment = readFeedDate(written);
    // A time of day without its zone may be off by half a day in either direction.
    return moment === undefined || (!moment.zoned && written.includes(':')) ? undefined : moment.at;
  }
}
