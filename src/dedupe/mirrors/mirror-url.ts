/** The address of the same page on the original: only the origin changes. Other URLs are returned unchanged. */
export function translate(url: string, mirror: string, original: string): string {
  if (!url.startsWith(mirror)) return url;
  const next = url.charCodeAt(mirror.length);
  // https://a.example must not be taken for the beginning of https://a.example.org or of https://a.example:8080.
  const ends = Number.isNaN(next) || next === SLASH || next === QUESTION_MARK || next === HASH;
  return ends ? original + url.slice(mirror.length) : url;
}

const SLASH = 0x2f;
const QUESTION_MARK = 0x3f;
const HASH = 0x23;
