import { decodeReferences } from '../character-references.ts';

/** Who is told of references that XML does not know. */
export interface ReferenceFaults {
  /** A name of HTML, which was replaced though XML defines it not. */
  htmlEntity(name: string): void;
  /** A name that nobody knows, or that the document defines: it stays as it is written. */
  unknownEntity(name: string): void;
  fault(what: string): void;
}

const longestName = 40;

/**
 * Replaces character references and names known without a DTD. Entities defined in the document stay as written: they
 * can name files and addresses, or be nested until they fill the memory.
 */
export function decodeXmlReferences(text: string, faults: ReferenceFaults): string {
  let ampersand = text.indexOf('&');
  if (ampersand === -1) return text;
  let decoded = '';
  let copied = 0;
  while (ampersand !== -1) {
    // Not further than a name is long: texts full of ampersands must not be searched to their end for each.
    const near = text.slice(ampersand + 1, ampersand + longestName);
    const name = near.slice(0, Math.max(0, near.indexOf(';')));
    const end = ampersand + 1 + name.length;
    if (/^(?:[A-Za-z_:][\w:.-]*|#[0-9]+|#[xX][0-9a-fA-F]+)$/.test(name)) {
      const replaced = referenceOf(name, faults);
      if (replaced !== undefined) {
        decoded += text.slice(copied, ampersand) + replaced;
        copied = end + 1;
      }
      ampersand = text.indexOf('&', end + 1);
    } else {
      faults.fault('a & that refers to nothing');
      // As HTML reads it: `&copy 2004` and `&#38` lack their semicolon and are meant all the same.
      const next = text.indexOf('&', ampersand + 1);
      const piece = text.slice(ampersand, next === -1 ? text.length : next);
      const lenient = decodeReferences(piece.slice(0, longestName), false);
      if (lenient !== piece.slice(0, longestName)) {
        decoded += text.slice(copied, ampersand) + lenient;
        copied = ampersand + Math.min(piece.length, longestName);
      }
      ampersand = next;
    }
  }
  return copied === 0 ? text : decoded + text.slice(copied);
}

function referenceOf(name: string, faults: ReferenceFaults): string | undefined {
  switch (name) {
    case 'amp':
      return '&';
    case 'lt':
      return '<';
    case 'gt':
      return '>';
    case 'quot':
      return '"';
    case 'apos':
      return "'";
  }
  const reference = `&${name};`;
  const decoded = decodeReferences(reference, false);
  if (name.charCodeAt(0) === 0x23) return decoded;
  // A name of HTML is only known in full: `&ampfoo;` is not `&` and "foo;".
  if (decoded === reference || (decoded.endsWith(';') && decoded !== ';')) {
    faults.unknownEntity(name);
    return undefined;
  }
  faults.htmlEntity(name);
  return decoded;
}
