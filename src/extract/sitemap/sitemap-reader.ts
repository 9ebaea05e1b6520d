import { createXmlDecoder, type XmlDecoder, xmlCharset } from '../xml/xml-charset.ts';
import type { XmlLimits } from '../xml/xml-limits.ts';
import { XmlReader } from '../xml/xml-reader.ts';
import { EntrySink } from './entry-sink.ts';
import { GzipInflater, isGzip } from './gzip-inflater.ts';
import { SitemapElements } from './sitemap-elements.ts';
import type { SitemapOutcome } from './sitemap-entry.ts';
import type { SitemapOptions } from './sitemap-options.ts';
import { TextLines } from './text-lines.ts';

/** Enough for byte order mark and XML declaration. */
const prefixLength = 1_024;
const xmlLimits: XmlLimits = { maxDepth: 64, maxText: 65_536, maxTag: 16_384 };

/**
 * Reads one sitemap of any format from its bytes as they arrive, compressed or not, and hands out its entries in
 * batches. It holds one batch and one piece of text, however large the sitemap; never throws for what the bytes are.
 */
export class SitemapReader {
  readonly #options: SitemapOptions;
  readonly #sink: EntrySink;
  readonly #xml: XmlReader;
  readonly #elements: SitemapElements;
  readonly #lines: TextLines;
  #inflater: GzipInflater | undefined;
  /** The first bytes until there are enough of them to tell format and encoding; undefined afterwards. */
  #prefix: Uint8Array | undefined = new Uint8Array(0);
  #rawPrefix: Uint8Array | undefined = new Uint8Array(0);
  #decoder: XmlDecoder | undefined;
  #kind: 'xml' | 'text' | undefined;
  #bytes = 0;
  #cut = false;
  #ended = false;

  constructor(options: SitemapOptions) {
    this.#options = options;
    this.#sink = new EntrySink(options);
    this.#elements = new SitemapElements(this.#sink, options.strictNamespace === true, () => this.#xml.unknownEntities);
    this.#xml = new XmlReader(this.#elements, xmlLimits);
    this.#lines = new TextLines(this.#sink);
  }

  /** Takes the next bytes. False when nothing more is wanted: the caller may stop the transfer. */
  push(bytes: Uint8Array): boolean {
    if (this.#ended || !this.#wantsMore()) return false;
    if (this.#rawPrefix === undefined) return this.#pushRaw(bytes);
    this.#rawPrefix = joined(this.#rawPrefix, bytes);
    return this.#rawPrefix.length < 2 ? true : this.#startRaw();
  }

  /** The bytes are over: what became of them. */
  end(): SitemapOutcome {
    if (!this.#ended) {
      if (this.#rawPrefix !== undefined) this.#startRaw();
      this.#inflater?.end();
      if (this.#prefix !== undefined) this.#startDecoding();
      // A character that a limit of ours cut off is none.
      if (this.#wantsMore()) this.#pushText(this.#decoder?.decode() ?? '');
      if (this.#kind === 'xml') this.#xml.end();
      // A line that a limit of ours cut off is no address.
      if (this.#kind === 'text' && !this.#cut) this.#lines.end();
      this.#sink.flush();
      this.#ended = true;
    }
    return this.#outcome();
  }

  #wantsMore(): boolean {
    return !this.#cut && this.#elements.refusal === undefined;
  }

  #startRaw(): boolean {
    const start = this.#rawPrefix!;
    this.#rawPrefix = undefined;
    if (isGzip(start)) this.#inflater = new GzipInflater((bytes) => this.#pushPlain(bytes));
    return this.#pushRaw(start);
  }

  #pushRaw(bytes: Uint8Array): boolean {
    return this.#inflater === undefined ? this.#pushPlain(bytes) : this.#inflater.push(bytes);
  }

  #pushPlain(bytes: Uint8Array): boolean {
    const room = this.#sink.limits.maxBytes - this.#bytes;
    const taken = bytes.length > room ? bytes.subarray(0, room) : bytes;
    this.#bytes += taken.length;
    if (this.#prefix !== undefined) {
      this.#prefix = joined(this.#prefix, taken);
      if (this.#prefix.length >= prefixLength) this.#startDecoding();
    } else {
      this.#pushText(this.#decoder!.decode(taken, { stream: true }));
    }
    if (bytes.length > room) this.#cut = true;
    return this.#wantsMore();
  }

  #startDecoding(): void {
    const start = this.#prefix!;
    this.#prefix = undefined;
    const { encoding } = xmlCharset(start.subarray(0, prefixLength), this.#options.contentType);
    this.#decoder = createXmlDecoder(encoding);
    this.#pushText(this.#decoder.decode(start, { stream: true }));
  }

  #pushText(decoded: string): void {
    let text = decoded;
    if (this.#kind === undefined) {
      // Not by a regular expression: megabytes of blanks would exhaust its stack.
      text = text.trimStart();
      if (text === '') return;
      this.#kind = text.charCodeAt(0) === 0x3c ? 'xml' : 'text';
    }
    if (this.#kind === 'xml') this.#xml.push(text);
    else this.#lines.push(text);
  }

  #outcome(): SitemapOutcome {
    const bytes = this.#bytes;
    const unreadable = (why: Extract<SitemapOutcome, { kind: 'unreadable' }>['why'], detail: string) =>
      ({ kind: 'unreadable', why, detail, bytes }) as const;
    const gzipFault = this.#inflater?.fault;
    if (this.#kind === undefined) {
      return gzipFault === undefined ? unreadable('empty', 'there is nothing in it') : unreadable('broken', gzipFault);
    }
    const xmlFault = this.#kind === 'xml' && !this.#cut ? this.#xml.brokenRule : undefined;
    const fault = gzipFault ?? xmlFault;
    const { refusal } = this.#elements;
    if (refusal === 'unknown-format') return unreadable(refusal, `the root element is <${this.#elements.root}>`);
    if (refusal !== undefined) return unreadable(refusal, `<${this.#elements.root}> is not of the sitemap namespace`);
    const format = this.#kind === 'text' ? 'text' : this.#elements.format;
    if (format === undefined) return unreadable('unknown-format', 'neither a sitemap nor a feed');
    if (format === 'text' && this.#sink.entries + this.#sink.skipped.location === 0) {
      return unreadable('unknown-format', 'neither XML nor a list of addresses');
    }
    if (fault !== undefined && this.#options.strictSyntax === true) return unreadable('broken', fault);
    const skipped = this.#sink.skipped;
    const cut = this.#cut ? 'bytes' : skipped.limit > 0 ? 'entries' : undefined;
    return {
      kind: 'read',
      format,
      entries: this.#sink.entries,
      sitemaps: this.#sink.sitemaps,
      skipped,
      bytes,
      wellFormed: fault === undefined,
      ...(fault === undefined ? {} : { fault }),
      unexpandedEntities: this.#xml.unknownEntities,
      ...(cut === undefined ? {} : { cut }),
    };
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second;
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
