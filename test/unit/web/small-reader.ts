import type { WebCopy, WebReader, WebVersion } from '../../../src/web/web-reader.ts';

export interface SmallCopy {
  readonly url: string;
  readonly date: number;
  readonly body: string | Uint8Array;
  readonly contentType?: string;
  readonly text?: string;
  readonly closed?: true;
  /** 200 where it is not said. */
  readonly status?: number;
}

/** Copies in memory, oldest first. */
export class SmallReader implements WebReader {
  readonly #copies: readonly SmallCopy[];

  constructor(copies: readonly SmallCopy[]) {
    this.#copies = copies;
  }

  async closed(url: string): Promise<boolean> {
    return this.#of(url).at(-1)?.closed === true;
  }

  shownCopyOf(url: string): string | undefined {
    const copy = this.#of(url).at(-1);
    return copy === undefined || copy.closed === true ? undefined : url;
  }

  async versions(url: string): Promise<readonly WebVersion[]> {
    return this.#of(url).map(({ date, status = 200, contentType = 'text/html' }, at) => ({
      date,
      status,
      mediaType: contentType.split(';')[0],
      changed: at === 0 ? 'first' : 'changed',
    }));
  }

  async copy(url: string, at?: number): Promise<WebCopy | undefined> {
    const copy = this.#nearest(url, at);
    if (copy === undefined) return undefined;
    const { date, body, contentType = 'text/html; charset=utf-8' } = copy;
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    return { url, date, status: 200, contentType, headers: [['content-type', contentType]], body: bytes };
  }

  copiesAt(at: number): (url: string) => Promise<WebCopy | undefined> {
    return async (url) => (this.shownCopyOf(url) === undefined ? undefined : this.copy(url, at));
  }

  async text(url: string, at?: number): Promise<string | undefined> {
    const copy = this.#nearest(url, at);
    return copy === undefined ? undefined : (copy.text ?? String(copy.body).replace(/<[^>]*>/g, ''));
  }

  comparedText(url: string, at?: number): Promise<string | undefined> {
    return this.text(url, at);
  }

  #of(url: string): readonly SmallCopy[] {
    return this.#copies.filter((copy) => copy.url === url);
  }

  #nearest(url: string, at: number | undefined): SmallCopy | undefined {
    const copies = this.#of(url);
    if (at === undefined) return copies.at(-1);
    return copies.toSorted((one, other) => Math.abs(one.date - at) - Math.abs(other.date - at))[0];
  }
}
