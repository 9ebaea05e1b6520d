/** A figure that is not known exactly. */
export interface Range {
  readonly low: number;
  readonly likely: number;
  readonly high: number;
}

/** How far the discovery of URLs has come. */
export interface Discovered {
  /** Pages whose links were read. */
  readonly visited: number;
  /** URLs known by then, the visited ones among them. */
  readonly known: number;
  /** New URLs that one more page would bring, by what the last ones brought. */
  readonly perPage: number;
}

/** Real webs grow about with the square root of what was visited; the fastest that were measured a little faster. */
const USUAL_GROWTH = 0.5;
const FASTEST_GROWTH = 0.65;
/** A core that is known by now may hide parts that grow again: the growth of late may rise by so much. */
const RISE = 0.25;
const HALVINGS = 60;

/**
 * How many URLs there are, when only some pages were visited. What is known is one number: by how many per cent the known URLs
 * grow when the visited pages grow by one per cent (`growth`, 1 in the beginning, 0 at the end). Two models say what follows
 * from it; docs/plan.md has the figures behind them.
 *
 * - Links that lead anywhere alike: the unknown shrink with every link. The least that a web can have.
 * - Heaps' law: every part that is visited opens others, as in the vocabulary of a text. Closer to sites with many corners.
 */
export function urlsInAll({ visited, known, perPage }: Discovered): Range {
  if (known <= visited) return { low: known, likely: known, high: known };
  const growth = Math.min(1, (perPage * visited) / known);
  if (visited === 0 || growth <= 0) return { low: known, likely: known, high: known };
  const saturated = known / (1 - Math.exp(-saturationOf(growth)));
  const usual = heaps(visited, known, Math.min(growth, USUAL_GROWTH));
  const fastest = heaps(visited, known, Math.min(growth + RISE, FASTEST_GROWTH));
  const low = Math.min(saturated, fastest);
  const likely = Math.max(low, Math.sqrt(low * usual));
  return { low, likely, high: Math.max(fastest, likely * (1 + growth)) };
}

/** Where known = a * visited^growth meets visited: nothing new is left. */
function heaps(visited: number, known: number, growth: number): number {
  return visited * (known / visited) ** (1 / (1 - growth));
}

/** The x at which x / (e^x - 1) is the growth: links read for each URL that there is. */
function saturationOf(growth: number): number {
  let low = 0;
  let high = 50;
  for (let step = 0; step < HALVINGS; step++) {
    const x = (low + high) / 2;
    if (x / Math.expm1(x) > growth) low = x;
    else high = x;
  }
  return (low + high) / 2;
}
