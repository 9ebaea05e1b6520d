import type { ShownCount } from './dashboard-reader.ts';

const STEP_MS = 25;

/**
 * How old the number on a screen is, in ms, at moments `STEP_MS` apart from the first number to `until`, sorted. A number is right up to
 * the moment at which there is one page more: `truth` holds the moment of each page, in order.
 */
export function shownLags(shown: readonly ShownCount[], truth: readonly number[], until: number): number[] {
  const lags: number[] = [];
  for (const [place, { at, pages }] of shown.entries()) {
    const next = shown[place + 1]?.at ?? until;
    const wrongSince = truth[pages] ?? Number.POSITIVE_INFINITY;
    for (let now = at; now < next; now += STEP_MS) lags.push(Math.max(0, now - wrongSince));
    // The moment before it changes is the worst.
    if (next > at) lags.push(Math.max(0, next - wrongSince));
  }
  return lags.sort((a, b) => a - b);
}
