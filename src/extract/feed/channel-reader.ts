import type { FeedChannel, FeedGenerator, FeedText } from './feed.ts';
import { attributeAt, childPlaces, type FeedPlace, linkTextAt, plainTextAt } from './feed-place.ts';
import { resolveLink } from './resolve-link.ts';
import { dateOf, readId, ThingReader } from './thing-reader.ts';

/** Reads what one element says of a feed: the source of an entry. */
export function readChannelThing(place: FeedPlace, isAtom: boolean): FeedChannel {
  const reader = new ChannelReader(isAtom);
  for (const child of childPlaces(place)) reader.takeElement(child);
  return reader.channel();
}

/** Gathers what is said of a feed as a whole, from one element or from several. */
export class ChannelReader extends ThingReader {
  #info: FeedText | undefined;
  #generator: FeedGenerator | undefined;
  #icon: string | undefined;
  #logo: string | undefined;
  #docs: string | undefined;

  /** CDF says in attributes what the others say in elements. */
  takeAttributes(place: FeedPlace): void {
    const href = attributeAt(place, 'HREF');
    if (href !== undefined) {
      this.link = resolveLink(href, place.base);
      this.addLink({ url: this.link, rel: 'alternate' });
    }
    this.updated = dateOf(attributeAt(place, 'LASTMOD') ?? '') ?? this.updated;
  }

  takeElement(place: FeedPlace): void {
    if (this.take(place)) return;
    const textType = this.isAtom ? 'text/plain' : 'text/html';
    switch (place.name) {
      case 'id':
      case 'guid':
        this.id ??= readId(place);
        break;
      case 'subtitle':
      case 'tagline':
      case 'description':
      case 'dc:description':
      case 'abstract':
        this.subtitle = this.text(place, textType) ?? this.subtitle;
        break;
      case 'itunes:subtitle':
        this.subtitle ??= this.text(place, textType);
        break;
      case 'itunes:summary':
      case 'summary':
        this.summary ??= this.text(place, textType);
        break;
      case 'info':
        this.#info = this.text(place, textType) ?? this.#info;
        break;
      case 'generator':
        this.#takeGenerator(place);
        break;
      case 'icon':
        this.#icon = linkTextAt(place) || this.#icon;
        break;
      case 'logo':
        this.#logo = linkTextAt(place) || this.#logo;
        break;
      case 'docs':
        this.#docs = linkTextAt(place) || this.#docs;
        break;
      case 'image':
        for (const child of childPlaces(place)) if (child.name === 'url') this.image ??= linkTextAt(child);
        break;
    }
  }

  channel(): FeedChannel {
    return {
      ...this.thing(),
      ...(this.#info === undefined ? {} : { info: this.#info }),
      ...(this.#generator === undefined ? {} : { generator: this.#generator }),
      ...(this.#icon === undefined ? {} : { icon: this.#icon }),
      ...(this.#logo === undefined ? {} : { logo: this.#logo }),
      ...(this.#docs === undefined ? {} : { docs: this.#docs }),
    };
  }

  #takeGenerator(place: FeedPlace): void {
    const url = attributeAt(place, 'uri') ?? attributeAt(place, 'url');
    const version = attributeAt(place, 'version');
    this.#generator = {
      name: plainTextAt(place),
      ...(url === undefined ? {} : { url: resolveLink(url, place.base) }),
      ...(version === undefined ? {} : { version }),
    };
  }
}
