declare const byteText: unique symbol;

/**
 * A document as its bytes of UTF-8, one character for each. Markup is ASCII, so it is found without decoding anything;
 * only what is taken from the document is decoded, and that is little. A slice that ends at ASCII characters decodes to
 * what it is in the decoded document, also where the bytes are not valid.
 */
export type ByteText = string & { readonly [byteText]: true };

/** The document as received, where it is UTF-8, or as decoded, where it is not. A byte order mark is left out. */
export function byteTextOf(document: string | Uint8Array): ByteText {
  if (typeof document === 'string') return Buffer.from(document, 'utf8').toString('latin1') as ByteText;
  const marked = document[0] === 0xef && document[1] === 0xbb && document[2] === 0xbf;
  const bytes = marked ? document.subarray(3) : document;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1') as ByteText;
}

export function decodeBytes(text: ByteText): string {
  return isAscii(text) ? text : Buffer.from(text, 'latin1').toString('utf8');
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}
