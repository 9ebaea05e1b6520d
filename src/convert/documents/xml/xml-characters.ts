import { decodeHTMLStrict, decodeXML } from 'entities/decode';

/**
 * Text with its references replaced: numeric ones and the five names of XML; in markup all names of HTML, which chapters of
 * e-books use without declaring them where we would look. Whatever else a document declares is never expanded and stays as written.
 */
export function withoutReferences(text: string, markup: boolean): string {
  if (!text.includes('&')) return text;
  if (!markup) return decodeXML(text);
  // Soft hyphens would part words that are looked for as a whole.
  return decodeHTMLStrict(text.replaceAll('&shy;', ''));
}
