/** A link made absolute. What is absolute already stays exactly as written; what cannot be resolved does so too. */
export function resolveLink(written: string, base: string): string {
  const link = written.trim();
  if (base === '' || /^[a-z][a-z0-9+.-]*:/i.test(link)) return link;
  return URL.parse(link, base)?.href ?? link;
}
