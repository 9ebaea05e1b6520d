import type { XmlName } from '../xml/xml-reader.ts';

/** Namespaces by how they begin (in lower case), and the prefix under which their elements are known here. */
const namespaces: readonly (readonly [string, string])[] = [
  ['http://purl.org/rss/1.0/modules/content', 'content'],
  ['http://purl.org/rss/1.0/modules/syndication', 'sy'],
  ['http://purl.org/rss/1.0/modules/', 'other'],
  ['http://purl.org/rss/1.0/', ''],
  ['http://purl.org/rss/', ''],
  ['http://my.netscape.com/', ''],
  ['http://channel.netscape.com/', ''],
  ['http://backend.userland.com/', ''],
  ['http://blogs.law.harvard.edu/tech/rss', ''],
  ['http://purl.org/net/rss1.1#', ''],
  ['http://www.w3.org/2005/atom', ''],
  ['http://purl.org/atom/', ''],
  ['http://purl.org/dc/elements/1.', 'dc'],
  ['http://purl.org/dc/terms', 'dcterms'],
  ['http://search.yahoo.com/mrss', 'media'],
  ['http://video.search.yahoo.com/mrss', 'media'],
  ['http://www.w3.org/1999/xhtml', 'xhtml'],
  ['http://www.w3.org/1999/02/22-rdf-syntax-ns#', 'rdf'],
];

const itunes = '/dtds/podcast-1.0.dtd';
const knownPrefixes: ReadonlySet<string> = new Set([
  'dc',
  'dcterms',
  'content',
  'media',
  'itunes',
  'sy',
  'xhtml',
  'rdf',
]);

/**
 * The name by which an element is known here: lower-case, `title` for those of RSS, Atom and CDF themselves, `dc:title`
 * for those of modules, by namespace and whatever the prefix in the document.
 */
export function feedNameOf(name: XmlName): string {
  const local = name.local.toLowerCase();
  const prefix = prefixOf(name);
  return prefix === '' ? local : `${prefix}:${local}`;
}

function prefixOf(name: XmlName): string {
  const namespace = name.namespace.toLowerCase();
  if (namespace === '') {
    // An undeclared prefix means what it usually means.
    const prefix = name.prefix.toLowerCase();
    return prefix === '' || prefix === 'atom' || prefix === 'rss' ? '' : knownPrefixes.has(prefix) ? prefix : 'other';
  }
  if (namespace.endsWith(itunes)) return 'itunes';
  for (const [beginning, prefix] of namespaces) if (namespace.startsWith(beginning)) return prefix;
  // Formats in namespaces of their own invention are read as what their elements are called.
  return name.prefix === '' ? '' : 'other';
}
