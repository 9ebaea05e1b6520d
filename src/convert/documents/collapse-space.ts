const NEEDS_WORK = /^ | $| {2}|[^\S ]|[\x00-\x1f\x7f]/;

/** One space where there was white space or control characters, none at the ends. */
export function collapseSpace(text: string): string {
  if (!NEEDS_WORK.test(text)) return text;
  return text.replace(/[\s\x00-\x1f\x7f]+/g, ' ').trim();
}
