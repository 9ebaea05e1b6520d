import type { XmlNode } from '../xml/xml-tree.ts';
import type { FeedText } from './feed.ts';
import { attributeAt, type FeedPlace, plainTextAt } from './feed-place.ts';
import { writeMarkup } from './markup-writer.ts';
import { resolveMarkup } from './resolve-markup.ts';

const shortTypes: Readonly<Record<string, string>> = {
  text: 'text/plain',
  html: 'text/html',
  xhtml: 'application/xhtml+xml',
};

/** What the characters U+0080 to U+009F were meant to be by those who took windows-1252 for Latin-1. */
const windows1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** Whether plain text is so only by name: a tag or a named reference in it. */
const looksLikeMarkup = /<\/?[a-z][a-z0-9]*(?:\s[^<>]*)?\/?>|&(?:#\d+|#x[\da-f]+|[a-z]{2,8});/i;

/** Reads an element that holds text or markup, in any of the ways feeds have to write that down. */
export function readFeedText(place: FeedPlace, defaultType: string, isAtom: boolean): FeedText {
  const written = attributeAt(place, 'type')?.trim().toLowerCase() ?? '';
  const mode = attributeAt(place, 'mode')?.toLowerCase();
  let type = shortTypes[written] ?? (written.includes('/') ? written : defaultType);
  const elements = place.node.children.filter((child): child is XmlNode => typeof child !== 'string');
  let value: string;
  if (mode === 'base64' || isBinary(type)) {
    value = decodeBase64(plainTextAt(place)).trim();
    if (mode !== 'base64' || type === 'text/plain') type = looksLikeMarkup.test(value) ? 'text/html' : type;
  } else if (elements.length > 0 || type === 'application/xhtml+xml') {
    value = writeMarkup(unwrapped(place.node, written === 'xhtml' || isAtom10(place.node))).trim();
    if (elements.length > 0) type = 'application/xhtml+xml';
  } else {
    value = plainTextAt(place);
    if (type === 'text/plain' && !isAtom && looksLikeMarkup.test(value)) type = 'text/html';
  }
  if (type === 'text/html' || type === 'application/xhtml+xml') value = resolveMarkup(value, place.base);
  return feedText(value, type, place);
}

export function feedText(value: string, type: string, place: { base: string; language?: string }): FeedText {
  const repaired = repairCharacters(value);
  return place.language === undefined
    ? { value: repaired, type, base: place.base }
    : { value: repaired, type, language: place.language, base: place.base };
}

/** Atom 1.0 asks for one div around XHTML and says that it is not part of the text. */
function unwrapped(node: XmlNode, isAtomXhtml: boolean): readonly (XmlNode | string)[] {
  if (!isAtomXhtml) return node.children;
  const children = node.children.filter((child) => typeof child !== 'string' || child.trim() !== '');
  const only = children.length === 1 ? children[0] : undefined;
  return only !== undefined && typeof only !== 'string' && only.name.local === 'div' ? only.children : node.children;
}

function isAtom10(node: XmlNode): boolean {
  return node.name.namespace.startsWith('http://www.w3.org/2005/Atom');
}

/** Types of which Atom says that they come in base64. */
function isBinary(type: string): boolean {
  return !type.startsWith('text/') && !type.endsWith('+xml') && !type.endsWith('/xml');
}

function decodeBase64(text: string): string {
  return Buffer.from(text, 'base64').toString('utf8');
}

function repairCharacters(text: string): string {
  if (!/[\x80-\x9f]/.test(text)) return text;
  return text.replace(/[\x80-\x9f]/g, (character) => windows1252[character.charCodeAt(0) - 0x80]);
}
