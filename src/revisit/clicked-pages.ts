/** A click counts half after so long. */
const HALF_LIFE_MS = 30 * 86_400_000;
const MOST_PAGES = 100_000;
/** A click this old counts for nothing. */
const FORGOTTEN = 1e-6;

/**
 * How often people open pages, relative to a mean of 1 over those that were opened at all, from lines of a log of clicks
 * (`{"at": "2026-11-15T12:00:00.000Z", "url": "..."}`). Older clicks fade; lines that cannot be read are passed over.
 */
export function clickedWeights(lines: Iterable<string>, now: number): ReadonlyMap<string, number> {
  const clicked = new Map<string, number>();
  for (const line of lines) {
    const click = readClick(line);
    if (click === undefined || click.at > now + HALF_LIFE_MS) continue;
    const weight = 2 ** (-Math.max(0, now - click.at) / HALF_LIFE_MS);
    if (weight < FORGOTTEN) continue;
    const before = clicked.get(click.url);
    if (before !== undefined || clicked.size < MOST_PAGES) clicked.set(click.url, (before ?? 0) + weight);
  }
  let sum = 0;
  for (const weight of clicked.values()) sum += weight;
  for (const [url, weight] of clicked) clicked.set(url, (weight * clicked.size) / sum);
  return clicked;
}

function readClick(line: string): { readonly url: string; readonly at: number } | undefined {
  try {
    const { url, at } = JSON.parse(line) as { url?: unknown; at?: unknown };
    const time = Date.parse(String(at));
    return typeof url === 'string' && !Number.isNaN(time) ? { url, at: time } : undefined;
  } catch {
    return undefined;
  }
}
