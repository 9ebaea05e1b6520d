import type { XmlName } from '../xml/xml-reader.ts';

/** What an element outside of the protocol belongs to; '' where it is unknown. */
export type SitemapExtension = 'image' | 'video' | 'news' | 'xhtml' | '';

export function isSitemapNamespace(namespace: string): boolean {
  return /^https?:\/\/www\.sitemaps\.org\/schemas\/sitemap\/0\.9\/?$/.test(namespace);
}

/** By namespace, or by the usual prefix where that was not declared. */
export function extensionOf(name: XmlName): SitemapExtension {
  const { namespace, prefix } = name;
  if (namespace === '') {
    return prefix === 'image' || prefix === 'video' || prefix === 'news' || prefix === 'xhtml' ? prefix : '';
  }
  if (namespace.includes('/sitemap-image/')) return 'image';
  if (namespace.includes('/sitemap-video/')) return 'video';
  if (namespace.includes('/sitemap-news/')) return 'news';
  return namespace.startsWith('http://www.w3.org/1999/xhtml') && name.local === 'link' ? 'xhtml' : '';
}

/** Whether an element is one of RSS itself rather than of a module. */
export function isFeedName(name: XmlName): boolean {
  if (name.prefix === '') return true;
  return /^http:\/\/(?:purl\.org\/rss\/1\.0\/|my\.netscape\.com\/|backend\.userland\.com\/|channel\.netscape\.com\/)[^/]*\/?$/.test(
    name.namespace,
  );
}
