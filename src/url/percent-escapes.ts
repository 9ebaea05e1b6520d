/** Unescaped characters of a canonical path or query (RFC 3986); the apostrophe is escaped in queries, as browsers do. */
const unreserved = '-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export const isUnreserved: Uint8Array = tableOf(unreserved);
export const standsInPath: Uint8Array = tableOf(`${unreserved}!$&'()*+,;=:@/`);
export const standsInQuery: Uint8Array = tableOf(`${unreserved}!$&()*+,;=:@/?`);

function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(128);
  for (let i = 0; i < characters.length; i++) table[characters.charCodeAt(i)] = 1;
  return table;
}

/** 0-15, or -1. */
export function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/** ASCII text in one spelling: unreserved octets decoded, others upper-case, a lone "%" as %25, the rest escaped. */
export function canonicalEscapes(text: string, stands: Uint8Array): string {
  let result = '';
  let copied = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (stands[code] === 1) continue;
    let replacement: string;
    let width = 1;
    if (code === 0x25) {
      const high = hexDigit(text.charCodeAt(i + 1));
      const low = hexDigit(text.charCodeAt(i + 2));
      if (high === -1 || low === -1) replacement = '%25';
      else {
        width = 3;
        const octet = high * 16 + low;
        replacement = isUnreserved[octet] === 1 ? String.fromCharCode(octet) : text.slice(i, i + 3).toUpperCase();
      }
    } else {
      replacement = `%${code.toString(16).toUpperCase().padStart(2, '0')}`;
    }
    result += text.slice(copied, i) + replacement;
    i += width - 1;
    copied = i + 1;
  }
  return copied === 0 ? text : result + text.slice(copied);
}
