import { attributeOf } from '../xml/xml-attributes.ts';
import type { XmlNode } from '../xml/xml-tree.ts';
import { feedNameOf } from './feed-names.ts';
import { resolveLink } from './resolve-link.ts';

/** An element of a feed with what it inherits from those around it. */
export interface FeedPlace {
  readonly node: XmlNode;
  readonly name: string;
  /** '' where nothing is known. */
  readonly base: string;
  readonly language: string | undefined;
}

export function rootPlace(node: XmlNode, base: string): FeedPlace {
  return placeOf(node, base, undefined);
}

/** The elements directly within one. */
export function childPlaces(place: FeedPlace): FeedPlace[] {
  const places: FeedPlace[] = [];
  for (const child of place.node.children) {
    if (typeof child !== 'string') places.push(placeOf(child, place.base, place.language));
  }
  return places;
}

/** An attribute of the element, in lower or upper case; CDF writes them in capitals. */
export function attributeAt(place: FeedPlace, name: string): string | undefined {
  return attributeOf(place.node.attributes, name) ?? attributeOf(place.node.attributes, name.toUpperCase());
}

/** All text within an element, its children's included, trimmed. */
export function plainTextAt(place: FeedPlace): string {
  return gather(place.node).trim();
}

/** The text of an element that holds an address. */
export function linkTextAt(place: FeedPlace): string {
  return resolveLink(plainTextAt(place), place.base);
}

function gather(node: XmlNode): string {
  let text = '';
  for (const child of node.children) text += typeof child === 'string' ? child : gather(child);
  return text;
}

/** A base of another kind than the web's would make every link in its reach something else. */
function innerBase(written: string, outer: string): string {
  const link = resolveLink(written, outer);
  const parsed = URL.parse(link);
  if (parsed === null) return outer === '' ? link : outer;
  return parsed.protocol === 'http:' || parsed.protocol === 'https:' ? parsed.href : outer;
}

function placeOf(node: XmlNode, outerBase: string, outerLanguage: string | undefined): FeedPlace {
  const written = attributeOf(node.attributes, 'xml:base') ?? attributeOf(node.attributes, 'BASE');
  const language = attributeOf(node.attributes, 'xml:lang') ?? attributeOf(node.attributes, 'lang');
  return {
    node,
    name: feedNameOf(node.name),
    base: written === undefined ? outerBase : innerBase(written, outerBase),
    // An empty xml:lang takes the language away.
    language: language === undefined ? outerLanguage : language === '' ? undefined : language,
  };
}
