import type { FeedCategory, FeedDate, FeedLink, FeedPerson, FeedText, FeedThing } from './feed.ts';
import { readPerson } from './feed-person.ts';
import { attributeAt, childPlaces, type FeedPlace, linkTextAt, plainTextAt } from './feed-place.ts';
import { readFeedText } from './feed-text.ts';
import { parseFeedDate } from './parse-feed-date.ts';
import { resolveLink } from './resolve-link.ts';

/** More of a kind than any honest feed has in one place. */
const mostOfAKind = 200;

const longestKeywords = 10_000;

const htmlTypes: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml', '']);

/** Gathers what feeds, entries and sources have in common, from elements in any order. */
export class ThingReader {
  readonly isAtom: boolean;
  readonly links: FeedLink[] = [];
  readonly authors: FeedPerson[] = [];
  readonly contributors: FeedPerson[] = [];
  readonly categories: FeedCategory[] = [];
  id: string | undefined;
  link: string | undefined;
  title: FeedText | undefined;
  subtitle: FeedText | undefined;
  summary: FeedText | undefined;
  rights: FeedText | undefined;
  published: FeedDate | undefined;
  updated: FeedDate | undefined;
  created: FeedDate | undefined;
  publisher: FeedPerson | undefined;
  language: string | undefined;
  image: string | undefined;
  /** Whether the title is the format's own: one of a module never replaces it. */
  #ownTitle = false;
  #ownUpdate = false;

  constructor(isAtom: boolean) {
    this.isAtom = isAtom;
  }

  /** Takes what an element says; false where it is not one that all these things have. */
  take(place: FeedPlace): boolean {
    switch (place.name) {
      case 'title':
        if (!this.#ownTitle) this.title = this.text(place, 'text/plain') ?? this.title;
        this.#ownTitle = true;
        return true;
      case 'dc:title':
      case 'media:title':
        this.title ??= this.text(place, 'text/plain');
        return true;
      case 'link':
      case 'itunes:link':
        this.#takeLink(place);
        return true;
      case 'rights':
      case 'copyright':
      case 'dc:rights':
        this.rights = this.text(place, this.isAtom ? 'text/plain' : 'text/html') ?? this.rights;
        return true;
      case 'author':
      case 'managingeditor':
      case 'dc:creator':
      case 'dc:author':
      case 'itunes:author':
        add(this.authors, readPerson(place));
        return true;
      case 'contributor':
      case 'dc:contributor':
        add(this.contributors, readPerson(place));
        return true;
      case 'webmaster':
      case 'dc:publisher':
      case 'itunes:owner':
        this.publisher ??= readPerson(place);
        return true;
      case 'category':
      case 'dc:subject':
      case 'keywords':
      case 'itunes:keywords':
      case 'itunes:category':
      case 'media:category':
        this.#takeCategory(place);
        return true;
      case 'language':
      case 'dc:language':
        this.language = plainTextAt(place) || this.language;
        return true;
      case 'itunes:image':
        this.image = this.#address(attributeAt(place, 'href') ?? attributeAt(place, 'url'), place) ?? this.image;
        return true;
      default:
        return this.#takeDate(place);
    }
  }

  text(place: FeedPlace, defaultType: string): FeedText | undefined {
    const text = readFeedText(place, defaultType, this.isAtom);
    return text.value === '' ? undefined : text;
  }

  thing(): FeedThing {
    return {
      ...(this.id === undefined ? {} : { id: this.id }),
      ...(this.title === undefined ? {} : { title: this.title }),
      ...(this.link === undefined ? {} : { link: this.link }),
      links: this.links,
      ...(this.published === undefined ? {} : { published: this.published }),
      ...(this.updated === undefined ? {} : { updated: this.updated }),
      ...(this.created === undefined ? {} : { created: this.created }),
      authors: this.authors,
      contributors: this.contributors,
      ...(this.publisher === undefined ? {} : { publisher: this.publisher }),
      categories: this.categories,
      ...(this.rights === undefined ? {} : { rights: this.rights }),
      ...(this.subtitle === undefined ? {} : { subtitle: this.subtitle }),
      ...(this.summary === undefined ? {} : { summary: this.summary }),
      ...(this.language === undefined ? {} : { language: this.language }),
      ...(this.image === undefined ? {} : { image: this.image }),
    };
  }

  addLink(link: FeedLink): void {
    add(this.links, link);
  }

  #takeLink(place: FeedPlace): void {
    const href = attributeAt(place, 'href');
    const written = href === undefined ? plainTextAt(place) : href.trim();
    if (written === '') return;
    const url = resolveLink(written, place.base);
    const rel = attributeAt(place, 'rel')?.trim().toLowerCase() || 'alternate';
    const type = attributeAt(place, 'type')?.trim().toLowerCase();
    if (place.name === 'itunes:link') {
      if (rel === 'image') this.image = url;
      return;
    }
    const title = attributeAt(place, 'title');
    const hreflang = attributeAt(place, 'hreflang');
    const length = attributeAt(place, 'length');
    this.addLink({
      url,
      rel,
      ...(type === undefined ? {} : { type }),
      ...(title === undefined ? {} : { title }),
      ...(hreflang === undefined ? {} : { hreflang }),
      ...(length === undefined ? {} : { length }),
    });
    if (rel === 'alternate' && htmlTypes.has(type ?? '')) this.link ??= url;
  }

  #takeCategory(place: FeedPlace): void {
    if (place.name.endsWith('keywords')) {
      for (const term of plainTextAt(place).slice(0, longestKeywords).split(','))
        this.#addCategory({ term: term.trim() });
      return;
    }
    const isItunes = place.name === 'itunes:category';
    const term = attributeAt(place, isItunes ? 'text' : 'term')?.trim() || (isItunes ? '' : plainTextAt(place));
    const scheme = attributeAt(place, 'scheme') ?? attributeAt(place, 'domain') ?? moduleSchemes[place.name];
    const label = attributeAt(place, 'label');
    this.#addCategory({
      term,
      ...(scheme === undefined ? {} : { scheme }),
      ...(label === undefined ? {} : { label }),
    });
    if (!isItunes) return;
    for (const child of childPlaces(place)) if (child.name === place.name) this.#takeCategory(child);
  }

  #addCategory(category: FeedCategory): void {
    if (category.term === '') return;
    const known = this.categories.some(
      (other) => other.term === category.term && other.scheme === category.scheme && other.label === category.label,
    );
    if (!known) add(this.categories, category);
  }

  #takeDate(place: FeedPlace): boolean {
    switch (place.name) {
      case 'pubdate':
      case 'published':
      case 'issued':
      case 'dcterms:issued':
        this.published = readDate(place) ?? this.published;
        return true;
      case 'updated':
      case 'modified':
      case 'lastbuilddate':
      case 'dcterms:modified':
        this.updated = readDate(place) ?? this.updated;
        this.#ownUpdate = true;
        return true;
      case 'dc:date':
        if (!this.#ownUpdate) this.updated = readDate(place) ?? this.updated;
        return true;
      case 'created':
      case 'dcterms:created':
        this.created = readDate(place) ?? this.created;
        return true;
      default:
        return false;
    }
  }

  #address(written: string | undefined, place: FeedPlace): string | undefined {
    return written === undefined || written.trim() === '' ? undefined : resolveLink(written, place.base);
  }
}

/** What the categories of a module belong to where nothing else is said. */
const moduleSchemes: Readonly<Record<string, string | undefined>> = {
  'itunes:category': 'http://www.itunes.com/',
  'media:category': 'http://search.yahoo.com/mrss/category_schema',
};

export function readDate(place: FeedPlace): FeedDate | undefined {
  return dateOf(plainTextAt(place));
}

export function dateOf(written: string): FeedDate | undefined {
  if (written === '' || written.length > 200) return undefined;
  const at = parseFeedDate(written);
  return at === undefined ? { written } : { written, at };
}

/** The id of a feed or entry. It is a name, not an address; only what can be nothing but a path is resolved. */
export function readId(place: FeedPlace): string | undefined {
  const written = plainTextAt(place);
  if (written === '') return undefined;
  return /^\.{0,2}\//.test(written) ? linkTextAt(place) : written;
}

function add<T>(list: T[], item: T | undefined): void {
  if (item !== undefined && list.length < mostOfAKind) list.push(item);
}
