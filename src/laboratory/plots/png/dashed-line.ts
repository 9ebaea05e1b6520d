import type { Place } from '../picture.ts';

/** The parts of a line that are drawn, if it is drawn and left out in turn. */
export function dashedLine(places: readonly Place[], [drawn, left]: readonly [drawn: number, left: number]): Place[][] {
  const parts: Place[][] = [];
  let drawing = true;
  let rest = drawn;
  let part: Place[] = places.slice(0, 1);
  for (let at = 1; at < places.length; at++) {
    let from = places[at - 1];
    const to = places[at];
    for (;;) {
      const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
      if (length < rest) {
        rest -= length;
        if (drawing) part.push(to);
        break;
      }
      const share = rest / length;
      from = [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share];
      if (drawing) parts.push([...part, from]);
      drawing = !drawing;
      rest = drawing ? drawn : left;
      part = [from];
    }
  }
  if (drawing && part.length > 1) parts.push(part);
  return parts;
}
