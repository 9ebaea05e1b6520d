/** Marks the element that holds them, in the rendered page. */
export const SCRIPT_LINKS = 'data-orbweaver-links';

const MOST = 5000;
const LONGEST = 4000;

/** Addresses that only scripts know: of handlers, menus, routers, windows that were to be opened. */
export class ScriptLinks {
  readonly #page: string;
  readonly #found = new Map<string, string>();

  constructor(page: string) {
    this.#page = withoutFragment(page);
  }

  get list(): readonly (readonly [url: string, text: string])[] {
    return [...this.#found];
  }

  has(url: string): boolean {
    return this.#found.has(withoutFragment(url));
  }

  add(reference: string, text = ''): void {
    const url = URL.parse(reference, this.#page);
    if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.href.length > LONGEST) return;
    const address = withoutFragment(url.href);
    if (address === this.#page || this.#found.has(address) || this.#found.size >= MOST) return;
    this.#found.set(address, text);
  }

  addAll(links: readonly (readonly [url: string, text: string])[]): void {
    for (const [url, text] of links) this.add(url, text);
  }

  /** As links at the end of the page, where nobody sees them and every reader of HTML finds them. */
  appendTo(html: string): string {
    if (this.#found.size === 0) return html;
    const links = Array.from(this.#found, ([url, text]) => `<a href="${escaped(url)}">${escaped(text)}</a>`).join('\n');
    const block = `<nav hidden ${SCRIPT_LINKS}>${links}</nav>`;
    const end = html.lastIndexOf('</body>');
    return end === -1 ? html + block : html.slice(0, end) + block + html.slice(end);
  }
}

function withoutFragment(url: string): string {
  const hash = url.indexOf('#');
  return hash === -1 ? url : url.slice(0, hash);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
