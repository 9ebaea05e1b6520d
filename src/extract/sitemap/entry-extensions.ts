import { parseFeedDate } from '../feed/parse-feed-date.ts';
import { attributeOf, type XmlAttributes } from '../xml/xml-attributes.ts';
import type { EntrySink } from './entry-sink.ts';
import type { SitemapEntry, SitemapImage, SitemapNews, SitemapVideo } from './sitemap-entry.ts';

/** Elements of the extensions whose text counts. */
const fields: Readonly<Record<string, ReadonlySet<string>>> = {
  image: new Set(['loc', 'caption', 'title']),
  video: new Set(['thumbnail_loc', 'title', 'description', 'content_loc', 'player_loc', 'publication_date']),
  news: new Set(['name', 'language', 'title', 'publication_date']),
};

/** Images, videos, news and translations of one entry. */
export class EntryExtensions {
  readonly #sink: EntrySink;
  readonly #alternates: { hreflang: string; url: string }[] = [];
  readonly #images: SitemapImage[] = [];
  readonly #videos: SitemapVideo[] = [];
  #news: SitemapNews | undefined;
  /** Of the image, video or news that is open. */
  #values: Map<string, string> | undefined;
  #kind = '';
  #used = false;

  constructor(sink: EntrySink) {
    this.#sink = sink;
  }

  get used(): boolean {
    return this.#used;
  }

  addAlternate(attributes: XmlAttributes): void {
    const hreflang = attributeOf(attributes, 'hreflang');
    const href = attributeOf(attributes, 'href');
    const rel = attributeOf(attributes, 'rel') ?? 'alternate';
    if (hreflang === undefined || href === undefined || rel.toLowerCase() !== 'alternate') return;
    const url = this.#sink.resolve(href);
    if (url === undefined || this.#alternates.length >= this.#sink.limits.maxExtensions) return;
    this.#alternates.push({ hreflang: hreflang.trim(), url });
    this.#used = true;
  }

  /** True where the text of the element is wanted. */
  open(kind: string, local: string): boolean {
    if (local === kind) {
      this.#kind = kind;
      this.#values = new Map();
      return false;
    }
    return this.#values !== undefined && this.#kind === kind && fields[kind].has(local);
  }

  set(kind: string, local: string, value: string): void {
    if (kind === this.#kind && value !== '' && this.#values?.has(local) === false) this.#values.set(local, value);
  }

  close(local: string): void {
    const values = this.#values;
    if (values === undefined || local !== this.#kind) return;
    this.#values = undefined;
    const most = this.#sink.limits.maxExtensions;
    if (this.#kind === 'image') {
      const url = this.#sink.resolve(values.get('loc') ?? '');
      if (url === undefined || this.#images.length >= most) return;
      this.#images.push(compact({ url, caption: values.get('caption'), title: values.get('title') }));
    } else if (this.#kind === 'video') {
      if (this.#videos.length >= most) return;
      this.#videos.push(
        compact({
          thumbnail: this.#sink.resolve(values.get('thumbnail_loc') ?? ''),
          title: values.get('title'),
          description: values.get('description'),
          content: this.#sink.resolve(values.get('content_loc') ?? ''),
          player: this.#sink.resolve(values.get('player_loc') ?? ''),
          published: parseFeedDate(values.get('publication_date') ?? ''),
        }),
      );
    } else {
      this.#news = compact({
        publication: values.get('name'),
        language: values.get('language'),
        title: values.get('title'),
        published: parseFeedDate(values.get('publication_date') ?? ''),
      });
    }
    this.#used = true;
  }

  result(): Pick<SitemapEntry, 'alternates' | 'images' | 'videos' | 'news'> {
    return compact({
      alternates: this.#alternates.length > 0 ? this.#alternates : undefined,
      images: this.#images.length > 0 ? this.#images : undefined,
      videos: this.#videos.length > 0 ? this.#videos : undefined,
      news: this.#news,
    });
  }
}

/** The object without its undefined members. */
function compact<T extends object>(object: T): T {
  for (const key of Object.keys(object) as (keyof T)[]) if (object[key] === undefined) delete object[key];
  return object;
}
