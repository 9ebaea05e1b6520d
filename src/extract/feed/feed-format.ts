import { attributeOf } from '../xml/xml-attributes.ts';
import type { XmlNode, XmlTree } from '../xml/xml-tree.ts';
import type { FeedFormat } from './feed.ts';
import { feedNameOf } from './feed-names.ts';

const rssVersions: Readonly<Record<string, FeedFormat>> = {
  '0.90': 'rss-0.90',
  '0.91': 'rss-0.91',
  '0.92': 'rss-0.92',
  '0.93': 'rss-0.93',
  '0.94': 'rss-0.94',
  '1.0': 'rss-1.0',
};

/** Which format a document is in; undefined where it is no feed. */
export function feedFormatOf(tree: XmlTree): FeedFormat | undefined {
  const root = tree.root;
  if (root === undefined) return undefined;
  switch (feedNameOf(root.name)) {
    case 'rss':
      return rssFormat(root, tree.doctype ?? '');
    case 'rdf:rdf':
      return rdfFormat(root);
    case 'feed':
      return atomFormat(root);
    case 'channel':
      // RSS 1.1 has this root too.
      return root.name.namespace.startsWith('http://purl.org/net/rss1.1') ? 'rss' : 'cdf';
    default:
      return undefined;
  }
}

function rssFormat(root: XmlNode, doctype: string): FeedFormat {
  const version = attributeOf(root.attributes, 'version')?.trim() ?? '';
  if (version === '0.91' && /netscape/i.test(doctype)) return 'rss-0.91-netscape';
  return version.startsWith('2.') ? 'rss-2.0' : (rssVersions[version] ?? 'rss');
}

function rdfFormat(root: XmlNode): FeedFormat | undefined {
  const namespaces = root.attributes.join(' ').toLowerCase();
  if (namespaces.includes('purl.org/rss/1.0/')) return 'rss-1.0';
  if (namespaces.includes('netscape.com/rdf/simple/0.9')) return 'rss-0.90';
  // RDF holds many things; only with a channel is it a feed.
  return root.children.some((child) => typeof child !== 'string' && child.name.local.toLowerCase() === 'channel')
    ? 'rss'
    : undefined;
}

function atomFormat(root: XmlNode): FeedFormat {
  const namespace = root.name.namespace.toLowerCase();
  if (namespace.startsWith('http://www.w3.org/2005/atom')) return 'atom-1.0';
  const version = attributeOf(root.attributes, 'version')?.trim();
  return version === '0.3' || namespace === 'http://purl.org/atom/ns#' ? 'atom-0.3' : 'atom';
}
