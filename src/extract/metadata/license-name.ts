/** `CC BY-NC-SA 3.0 DE` for a link to a Creative Commons licence or a text that names one; what is no licence of theirs stays as it is. */
export function licenseName(text: string): string {
  const deed =
    /creativecommons\.org\/(licenses|publicdomain)\/([a-z-]+)(?:\/(\d(?:\.\d)?))?(?:\/([a-z]{2,3})(?=\/|$|[?#]))?/i.exec(
      text,
    );
  if (deed !== null) {
    const [, kind, terms, version = '', place = ''] = deed;
    if (kind.toLowerCase() === 'publicdomain')
      return terms.toLowerCase() === 'zero' ? `CC0 ${version}`.trim() : 'Public Domain';
    return ['CC', terms.toUpperCase(), version, place.toUpperCase()].filter((part) => part !== '').join(' ');
  }
  const named = /\b(?:cc|creative commons)[ -](by(?:-nc)?(?:-(?:sa|nd))?)\b[ -]?(\d\.\d)?/i.exec(text);
  if (named !== null) return ['CC', named[1].toUpperCase(), named[2] ?? ''].filter((part) => part !== '').join(' ');
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
