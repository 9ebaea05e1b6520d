import { readW3cDate } from '../../../base/dates/w3c-date.ts';
import type { DocumentFacts } from '../document-builder.ts';

/** Packets are a few kilobytes; the rest of a longer one is history. */
const MAX_PACKET = 65_536;
/** A document that was changed has a packet for each version; the last one counts. */
const START = '<x:xmpmeta';
const END = '</x:xmpmeta>';
const LANGUAGE = /^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i;
const MAX_LANGUAGES = 20;
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** What the metadata packet of a PDF says; it lies open in the file, where the information dictionary may be packed. */
export function readXmp(bytes: Uint8Array): DocumentFacts {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const language = declaredLanguage(buffer);
  const start = buffer.lastIndexOf(START);
  if (start === -1) return language === undefined ? {} : { language };
  const end = buffer.indexOf(END, start);
  const packet = buffer.toString('utf8', start, Math.min(end === -1 ? buffer.length : end, start + MAX_PACKET));
  const created = readW3cDate(propertyOf(packet, 'xmp:CreateDate'))?.at;
  const modified = readW3cDate(propertyOf(packet, 'xmp:ModifyDate'))?.at;
  const packetLanguage = itemsOf(packet, 'dc:language').find((tag) => LANGUAGE.test(tag)) ?? language;
  return {
    title: itemsOf(packet, 'dc:title')[0] ?? '',
    authors: itemsOf(packet, 'dc:creator'),
    description: itemsOf(packet, 'dc:description')[0] ?? '',
    keywords: itemsOf(packet, 'dc:subject'),
    ...(created === undefined ? {} : { created }),
    ...(modified === undefined ? {} : { modified }),
    ...(packetLanguage === undefined ? {} : { language: packetLanguage }),
  };
}

/** The language in the catalog, where the catalog is not packed; the first one written is taken for it. */
function declaredLanguage(buffer: Buffer): string | undefined {
  let at = buffer.indexOf('/Lang');
  for (let tries = 0; at !== -1 && tries < MAX_LANGUAGES; tries++) {
    const tag = /^\/Lang\s*\(([^)]*)\)/.exec(buffer.toString('latin1', at, at + 48))?.[1];
    if (tag !== undefined && LANGUAGE.test(tag)) return tag;
    at = buffer.indexOf('/Lang', at + 5);
  }
  return undefined;
}

/** The facts of the information dictionary, with those of the packet where it knows more. */
export function withXmp(facts: DocumentFacts, xmp: DocumentFacts): DocumentFacts {
  const keywords = facts.keywords ?? (xmp.keywords?.length === 0 ? undefined : xmp.keywords);
  return {
    ...xmp,
    ...facts,
    title: facts.title?.trim() || xmp.title,
    description: facts.description?.trim() || xmp.description,
    authors: (xmp.authors?.length ?? 0) > 1 || facts.authors?.join('') === '' ? xmp.authors : facts.authors,
    ...(keywords === undefined ? {} : { keywords }),
  };
}

/** The texts of a property that has several. */
function itemsOf(packet: string, name: string): string[] {
  const start = packet.indexOf(`<${name}>`);
  if (start === -1) return [];
  const end = packet.indexOf(`</${name}>`, start);
  const list = packet.slice(start, end === -1 ? start : end);
  return [...list.matchAll(/<rdf:li[^>]*>([^<]*)</g)].map(([, text]) => plain(text)).filter((text) => text !== '');
}

/** A property with one value, written as an element or as an attribute. */
function propertyOf(packet: string, name: string): string {
  const element = packet.indexOf(`<${name}>`);
  if (element !== -1) {
    const from = element + name.length + 2;
    return plain(packet.slice(from, packet.indexOf('<', from)));
  }
  const attribute = packet.indexOf(`${name}="`);
  if (attribute === -1) return '';
  const from = attribute + name.length + 2;
  return plain(packet.slice(from, packet.indexOf('"', from)));
}

function plain(text: string): string {
  return text
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (written, decimal, hex, name) => {
      if (name !== undefined) return ENTITIES.get(name) ?? written;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : written;
    })
    .trim();
}
