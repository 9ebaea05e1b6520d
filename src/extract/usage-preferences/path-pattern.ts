/** A pattern of robots.txt or tdmrep.json: a beginning of the path, `*` for any run of characters, `$` for the end. */
export interface PathPattern {
  /** Octets of the pattern; of several that match the longest is the most specific. */
  readonly length: number;
  matches(path: string): boolean;
}

export function pathPattern(written: string): PathPattern {
  const anchored = written.endsWith('$');
  const parts = (anchored ? written.slice(0, -1) : written).split(/\*+/).map(comparablePath);
  const [first, ...rest] = parts;
  return {
    length: Buffer.byteLength(written),
    matches(path) {
      if (!path.startsWith(first)) return false;
      let at = first.length;
      for (const [index, part] of rest.entries()) {
        if (anchored && index === rest.length - 1)
          return part === '' || (path.length - part.length >= at && path.endsWith(part));
        // The leftmost place leaves the most room for the rest, so nothing is tried twice.
        const found = path.indexOf(part, at);
        if (found < 0) return false;
        at = found + part.length;
      }
      return !anchored || rest.length > 0 || at === path.length;
    },
  };
}

/** Path and query of a URL as they are compared. */
export function pathOf(url: string): string {
  const parsed = URL.parse(url, 'https://host.invalid/');
  return parsed === null ? '/' : comparablePath(parsed.pathname + parsed.search);
}

/** Escapes of unreserved characters, `$` and `*` undone, others in upper case, what is not ASCII escaped (RFC 9309, 2.2.2). */
function comparablePath(path: string): string {
  if (!/[%\x80-\uffff\s]/.test(path)) return path;
  return path
    .toWellFormed()
    .replace(/[^\x21-\x7e]+/g, (text) => encodeURIComponent(text))
    .replace(/%[\da-f]{2}/gi, (octet) => {
      const char = String.fromCharCode(Number.parseInt(octet.slice(1), 16));
      return /[A-Za-z0-9._~$*-]/.test(char) ? char : octet.toUpperCase();
    });
}
