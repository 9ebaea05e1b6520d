export interface HeaderEntry {
  readonly name: string;
  readonly value: string;
}

/** Bodies come without their coding; cookies stay with us; and nothing may be reported anywhere. */
const LEFT_OUT =
  /^(?:content-encoding|content-length|transfer-encoding|connection|keep-alive|set-cookie2?|strict-transport-security|alt-svc|nel|report-to|reporting-endpoints|clear-site-data|accept-ch|service-worker-allowed)$/i;
/** Of the page itself: it is shown, not saved, and does not lead elsewhere but by its scripts. */
const LEFT_OUT_OF_PAGES = /^(?:content-disposition|refresh|location)$/i;

/** The fields of an answer, as the browser gets them. */
export function browserHeaders(rawHeaders: readonly string[]): HeaderEntry[] {
  const entries: HeaderEntry[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    if (!LEFT_OUT.test(rawHeaders[at])) entries.push({ name: rawHeaders[at], value: rawHeaders[at + 1] });
  return entries;
}

export function documentHeaders(rawHeaders: readonly string[]): HeaderEntry[] {
  return browserHeaders(rawHeaders).filter(({ name }) => !LEFT_OUT_OF_PAGES.test(name));
}

/** Whether a page may read what comes is said by the answer itself; to ask is always allowed here, for nothing but GET is sent. */
export function preflightHeaders(asked: Readonly<Record<string, string>>): HeaderEntry[] {
  const field = (wanted: string): string | undefined =>
    Object.entries(asked).find(([name]) => name.toLowerCase() === wanted)?.[1];
  return [
    { name: 'Access-Control-Allow-Origin', value: field('origin') ?? '*' },
    { name: 'Access-Control-Allow-Methods', value: 'GET' },
    { name: 'Access-Control-Allow-Headers', value: field('access-control-request-headers') ?? '*' },
    { name: 'Access-Control-Allow-Credentials', value: 'true' },
  ];
}
