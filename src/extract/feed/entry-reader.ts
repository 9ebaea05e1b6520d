import { readChannelThing } from './channel-reader.ts';
import type { FeedChannel, FeedDate, FeedEnclosure, FeedEntry, FeedText } from './feed.ts';
import { attributeAt, childPlaces, type FeedPlace, linkTextAt, plainTextAt } from './feed-place.ts';
import { feedText } from './feed-text.ts';
import { resolveLink } from './resolve-link.ts';
import { dateOf, readDate, readId, ThingReader } from './thing-reader.ts';

const mostEnclosures = 200;

/** Reads one item of RSS or CDF, or one entry of Atom. */
export function readEntry(place: FeedPlace, isAtom: boolean): FeedEntry {
  const reader = new EntryReader(isAtom, place);
  for (const child of childPlaces(place)) reader.takeElement(child);
  return reader.entry();
}

class EntryReader extends ThingReader {
  readonly #content: FeedText[] = [];
  readonly #enclosures: FeedEnclosure[] = [];
  readonly #media: FeedEnclosure[] = [];
  readonly #place: FeedPlace;
  readonly #about: string | undefined;
  #guid: string | undefined;
  #comments: string | undefined;
  #expires: FeedDate | undefined;
  #source: FeedChannel | undefined;

  constructor(isAtom: boolean, place: FeedPlace) {
    super(isAtom);
    this.#place = place;
    // CDF says in attributes what the others say in elements.
    const href = attributeAt(place, 'HREF');
    if (href !== undefined) {
      this.link = resolveLink(href, place.base);
      this.addLink({ url: this.link, rel: 'alternate' });
    }
    this.updated = dateOf(attributeAt(place, 'LASTMOD') ?? '');
    // RSS 1.0 names its items by what they are about.
    this.#about = attributeAt(place, 'rdf:about')?.trim();
  }

  takeElement(place: FeedPlace): void {
    if (this.take(place)) return;
    switch (place.name) {
      case 'id':
        this.id ??= readId(place);
        break;
      case 'guid':
        this.#takeGuid(place);
        break;
      case 'description':
      case 'dc:description':
      case 'summary':
      case 'abstract':
      case 'itunes:summary':
        this.#takeSummary(place);
        break;
      case 'media:description':
        this.summary ??= this.text(place, 'text/plain');
        break;
      case 'subtitle':
      case 'itunes:subtitle':
        this.subtitle = this.text(place, 'text/plain') ?? this.subtitle;
        break;
      case 'content':
        this.#takeContent(place, 'text/plain');
        break;
      case 'content:encoded':
      case 'fullitem':
      case 'body':
        this.#takeContent(place, 'text/html');
        break;
      case 'xhtml:body':
      case 'xhtml:div':
        this.#takeContent(place, 'application/xhtml+xml');
        break;
      case 'enclosure':
        this.#takeEnclosure(place);
        break;
      case 'media:content':
        this.#takeMedia(place);
        break;
      case 'media:group':
        for (const child of childPlaces(place)) this.takeElement(child);
        break;
      case 'comments':
        this.#comments = linkTextAt(place) || this.#comments;
        break;
      case 'expirationdate':
        this.#expires = readDate(place) ?? this.#expires;
        break;
      case 'source':
        this.#takeSource(place);
        break;
    }
  }

  entry(): FeedEntry {
    if (this.id === undefined && this.#about) this.id = this.#about;
    const idIsLink = this.#guid !== undefined && this.link === undefined;
    if (idIsLink) this.link = this.#guid;
    const language = this.language ?? this.#place.language;
    return {
      ...this.thing(),
      ...(language === undefined ? {} : { language }),
      idIsLink,
      content: this.#content,
      enclosures: this.#enclosures,
      media: this.#media,
      ...(this.#comments === undefined ? {} : { comments: this.#comments }),
      ...(this.#expires === undefined ? {} : { expires: this.#expires }),
      ...(this.#source === undefined ? {} : { source: this.#source }),
    };
  }

  #takeGuid(place: FeedPlace): void {
    const written = plainTextAt(place);
    if (written === '') return;
    this.id ??= readId(place);
    const isLink = attributeAt(place, 'isPermaLink')?.trim().toLowerCase() !== 'false';
    // Many feeds forget to say that their ids are no addresses.
    if (isLink && /^(?:https?:\/\/|\/)/i.test(written)) this.#guid ??= resolveLink(written, place.base);
  }

  /** The first of summary and description is the summary; another one says more. */
  #takeSummary(place: FeedPlace): void {
    const text = this.text(place, this.isAtom ? 'text/plain' : 'text/html');
    if (text === undefined) return;
    if (this.summary === undefined) this.summary = text;
    else if (text.value !== this.summary.value && this.#content.length < mostEnclosures) this.#content.push(text);
  }

  #takeContent(place: FeedPlace, defaultType: string): void {
    const src = attributeAt(place, 'src');
    if (src !== undefined && src.trim() !== '') {
      const type = attributeAt(place, 'type');
      this.#media.push({ url: resolveLink(src, place.base), ...(type === undefined ? {} : { type }) });
      return;
    }
    const text = this.text(place, defaultType);
    if (text === undefined || this.#content.length >= mostEnclosures) return;
    this.#content.push(place.name === 'xhtml:body' ? feedText(text.value, defaultType, place) : text);
  }

  #takeEnclosure(place: FeedPlace): void {
    const written = attributeAt(place, 'url') ?? attributeAt(place, 'href');
    if (written === undefined || written.trim() === '' || this.#enclosures.length >= mostEnclosures) return;
    const enclosure = enclosureOf(resolveLink(written, place.base), place);
    this.#enclosures.push(enclosure);
    super.addLink({ ...enclosure, rel: 'enclosure' });
  }

  override addLink(link: Parameters<ThingReader['addLink']>[0]): void {
    super.addLink(link);
    if (link.rel !== 'enclosure' || this.#enclosures.length >= mostEnclosures) return;
    const { url, type, length } = link;
    this.#enclosures.push({
      url,
      ...(type === undefined ? {} : { type }),
      ...(length === undefined ? {} : { length }),
    });
  }

  #takeMedia(place: FeedPlace): void {
    const url = attributeAt(place, 'url');
    if (url !== undefined && url.trim() !== '' && this.#media.length < mostEnclosures) {
      this.#media.push(enclosureOf(resolveLink(url, place.base), place));
    }
    for (const child of childPlaces(place)) this.takeElement(child);
  }

  #takeSource(place: FeedPlace): void {
    const url = attributeAt(place, 'url');
    const source = readChannelThing(place, this.isAtom);
    if (url === undefined) {
      this.#source = source;
      return;
    }
    const title = this.text(place, 'text/plain');
    this.#source = { ...source, link: resolveLink(url, place.base), ...(title === undefined ? {} : { title }) };
  }
}

function enclosureOf(url: string, place: FeedPlace): FeedEnclosure {
  const type = attributeAt(place, 'type');
  const length = attributeAt(place, 'length') ?? attributeAt(place, 'fileSize');
  return { url, ...(type === undefined ? {} : { type }), ...(length === undefined ? {} : { length }) };
}
