import type { GroupedGraph } from './group-graph.ts';

export interface PlacedCircle {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

export const PICTURE = { width: 1000, height: 640 };

const LEAST_RADIUS = 9;
const MOST_RADIUS = 62;
const ROUNDS = 160;
/** Room for the name below a circle, and around it. */
const GAP = 26;
const MARGIN = 50;
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

/**
 * Places circles: the largest in the middle, the others around it on a spiral, those of one cluster next to each other; then circles that
 * are linked are drawn together and those that overlap are pushed apart. The same graph always gives the same picture.
 */
export function layOutGraph({ groups, links }: Pick<GroupedGraph, 'groups' | 'links'>): PlacedCircle[] {
  const { width, height } = PICTURE;
  const most = Math.max(...groups.map(({ rank }) => rank), Number.MIN_VALUE);
  // The area tells the rank; fewer circles have more room each.
  const scale = Math.min(1, Math.sqrt(16 / Math.max(1, groups.length)));
  const radii = groups.map(({ rank }) => LEAST_RADIUS + (MOST_RADIUS - LEAST_RADIUS) * scale * Math.sqrt(rank / most));
  const order = groups.map((_, at) => at).sort((a, b) => groups[a].cluster - groups[b].cluster || a - b);
  const x = new Float64Array(groups.length);
  const y = new Float64Array(groups.length);
  for (const [turn, at] of order.entries()) {
    const far = Math.sqrt((turn + 0.3) / groups.length);
    x[at] = width / 2 + Math.cos(turn * GOLDEN_ANGLE) * far * width * 0.42;
    y[at] = height / 2 + Math.sin(turn * GOLDEN_ANGLE) * far * height * 0.4;
  }
  const strongest = Math.max(1, ...links.map(({ count }) => count));
  for (let round = 0; round < ROUNDS; round++) {
    const pull = 0.012 * (1 - round / ROUNDS);
    for (const { from, to, count } of links) {
      const strength = pull * Math.sqrt(count / strongest);
      const [dx, dy] = [x[to] - x[from], y[to] - y[from]];
      x[from] += dx * strength;
      y[from] += dy * strength;
      x[to] -= dx * strength;
      y[to] -= dy * strength;
    }
    pushApart(x, y, radii);
    for (let at = 0; at < groups.length; at++) {
      x[at] = Math.min(width - radii[at] - MARGIN, Math.max(radii[at] + MARGIN, x[at]));
      y[at] = Math.min(height - radii[at] - GAP, Math.max(radii[at] + 8, y[at]));
    }
  }
  spreadOut(x, radii, MARGIN, width - MARGIN);
  spreadOut(y, radii, 8, height - GAP);
  return groups.map((_, at) => ({ x: x[at], y: y[at], radius: radii[at] }));
}

/** Few circles that draw together take the room there is. */
function spreadOut(places: Float64Array, radii: readonly number[], from: number, to: number): void {
  if (places.length < 2) return;
  const largest = Math.max(...radii);
  const [least, most] = [Math.min(...places), Math.max(...places)];
  const stretch = (to - from - 2 * largest) / Math.max(1, most - least);
  if (stretch <= 1) return;
  for (let at = 0; at < places.length; at++) places[at] = from + largest + (places[at] - least) * stretch;
}

function pushApart(x: Float64Array, y: Float64Array, radii: readonly number[]): void {
  for (let one = 0; one < x.length; one++)
    for (let other = one + 1; other < x.length; other++) {
      const dx = x[other] - x[one] || 0.01 * (one + 1);
      const dy = y[other] - y[one] || 0.01;
      const distance = Math.hypot(dx, dy);
      const overlap = radii[one] + radii[other] + GAP - distance;
      if (overlap <= 0) continue;
      const [moveX, moveY] = [(dx / distance) * overlap * 0.5, (dy / distance) * overlap * 0.5];
      x[one] -= moveX;
      y[one] -= moveY;
      x[other] += moveX;
      y[other] += moveY;
    }
}
