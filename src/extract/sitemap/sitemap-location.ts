/** Resolves the addresses of one sitemap and judges their place. */
export class SitemapLocation {
  readonly #base: URL | undefined;
  /** Origin and path up to the last slash: where the pages of this sitemap may lie by the protocol. */
  readonly #folder: string;
  readonly #maxLength: number;

  constructor(url: string, maxLength: number) {
    this.#base = URL.parse(url) ?? undefined;
    const path = this.#base?.pathname ?? '/';
    this.#folder = (this.#base?.origin ?? '') + path.slice(0, path.lastIndexOf('/') + 1);
    this.#maxLength = maxLength;
  }

  /** The absolute http(s) address without its fragment, or undefined. */
  resolve(written: string, mayBeRelative: boolean): string | undefined {
    const text = written.trim();
    if (text === '' || text.length > this.#maxLength) return undefined;
    const parsed = /^https?:/i.test(text) ? URL.parse(text) : this.#resolveShort(text, mayBeRelative);
    if (parsed === null || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')) return undefined;
    if (parsed.hash !== '') parsed.hash = '';
    return parsed.href;
  }

  /** Whether the protocol lets this sitemap speak of the address. */
  covers(url: string): boolean {
    return url.startsWith(this.#folder);
  }

  #resolveShort(text: string, mayBeRelative: boolean): URL | null {
    const base = this.#base;
    if (base === undefined) return null;
    const host = /^[^/?#\s]+/.exec(text)?.[0].toLowerCase();
    // A host name without its scheme is a common slip; as a relative path it would lead nowhere.
    if (host !== undefined && (host.startsWith('www.') || host === base.host)) {
      return URL.parse(`${base.protocol}//${text}`);
    }
    return mayBeRelative ? URL.parse(text, base.href) : null;
  }
}
