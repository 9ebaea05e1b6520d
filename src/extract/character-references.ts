import { decodeHTML, decodeHTMLAttribute } from 'entities/decode';

/**
 * Replaces character references as the HTML standard's tokenizer does. In an attribute a name without its semicolon that is
 * followed by `=` or an alphanumeric stays as it is, so that `?a=1&copy=2` keeps its parameter.
 */
export function decodeReferences(text: string, inAttribute: boolean): string {
  // Nearly all texts of a page have none: they are not worth a call.
  if (!text.includes('&')) return text;
  return inAttribute ? decodeHTMLAttribute(text) : decodeHTML(text);
}
