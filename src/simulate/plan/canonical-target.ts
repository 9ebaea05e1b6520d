const UNRESERVED = /[A-Za-z0-9\-._~]/;

/**
 * Path and query of a request in the one form the model writes them: no fragment, unreserved characters plain, all other
 * escapes in upper case, no dot segments, no tracking parameters. Servers of the real web answer all spellings alike, so
 * a simulated one must too; only then does a crawler that asks for two spellings of one page show up in the audit.
 */
export function canonicalTarget(target: string): string {
  const fragment = target.indexOf('#');
  const whole = fragment < 0 ? target : target.slice(0, fragment);
  const mark = whole.indexOf('?');
  const path = withoutDotSegments(canonicalEscapes(mark < 0 ? whole : whole.slice(0, mark)));
  if (mark < 0) return path;
  const kept = whole
    .slice(mark + 1)
    .split('&')
    .filter((field) => field !== '' && !isTracking(field));
  return kept.length === 0 ? path : `${path}?${canonicalEscapes(kept.join('&'))}`;
}

function isTracking(field: string): boolean {
  const name = field.split('=', 1)[0].toLowerCase();
  return name.startsWith('utm_') || name === 'gclid';
}

function canonicalEscapes(text: string): string {
  return text
    .replace(/[^\x21-\x7e]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`)
    .replace(/%[0-9a-f]{2}/gi, (triplet) => {
      const character = String.fromCharCode(Number.parseInt(triplet.slice(1), 16));
      return UNRESERVED.test(character) ? character : triplet.toUpperCase();
    });
}

function withoutDotSegments(path: string): string {
  const kept: string[] = [];
  const segments = path.split('/').slice(1);
  for (const [index, segment] of segments.entries()) {
    const last = index === segments.length - 1;
    if (segment === '..') kept.pop();
    if (segment === '.' || segment === '..') {
      if (last) kept.push('');
    } else {
      kept.push(segment);
    }
  }
  return `/${kept.join('/')}`;
}
