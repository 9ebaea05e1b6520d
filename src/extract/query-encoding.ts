type Resolve = (reference: string) => string | undefined;

/** A resolver that first encodes the queries of references, where they hold characters beyond ASCII. */
export function withEncodedQuery(resolve: Resolve, encode: (query: string) => string): Resolve {
  return (reference) => {
    const start = reference.indexOf('?') + 1;
    const fragment = reference.indexOf('#');
    const end = fragment === -1 ? reference.length : fragment;
    if (start === 0 || start > end || isAscii(reference, start, end)) return resolve(reference);
    return resolve(reference.slice(0, start) + encode(reference.slice(start, end)) + reference.slice(end));
  };
}

function isAscii(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}
