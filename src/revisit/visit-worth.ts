export type RevisitObjective = 'freshness' | 'age';

/** Changes per visit at which a visit to a page is worth most for a given interval: slower pages are worth less, and so are faster. */
export const WORTHIEST_CHANGES = 1.7932821;

/**
 * What one more visit is worth, and the way back from the worth to the interval. The measure is r, the expected changes per
 * interval. The worth of a visit is what the objective gains if the frequency rises by a little:
 *   freshness: g(r) / rate,        g(r) = 1 - (1 + r) e^-r      (it never exceeds 1: a page that changes too fast is hopeless)
 *   age:       h(r) / rate^2,      h(r) = r^2 / 2 - g(r)        (it grows without bound: no page is ever left alone)
 */
export function visitWorth(objective: RevisitObjective, changesPerVisit: number): number {
  return objective === 'freshness' ? freshnessWorth(changesPerVisit) : ageWorth(changesPerVisit);
}

/** The r at which a visit has this worth; infinite where it never has. */
export function changesPerVisitWorth(objective: RevisitObjective, worth: number): number {
  if (!(worth > 0)) return 0;
  return objective === 'freshness' ? inverseFreshnessWorth(worth) : inverseAgeWorth(worth);
}

/** The worth of a visit in units of the objective: to be compared with the price. */
export function worthScale(objective: RevisitObjective, rate: number, weight: number): number {
  return objective === 'freshness' ? rate / weight : (rate * rate) / weight;
}

function freshnessWorth(r: number): number {
  return r < 0.01 ? r * r * (0.5 - r * (1 / 3 - r / 8)) : -Math.expm1(-r) - r * Math.exp(-r);
}

function ageWorth(r: number): number {
  return r < 0.05 ? r * r * r * (1 / 3 - r * (1 / 8 - r * (1 / 30 - r / 144))) : (r * r) / 2 - freshnessWorth(r);
}

/** Newton's method, held within bounds that shrink; the slope of g is r e^-r. */
function inverseFreshnessWorth(worth: number): number {
  if (worth >= 1) return Number.POSITIVE_INFINITY;
  const root = Math.sqrt(2 * worth);
  if (worth < 1e-8) return root * (1 + root / 3);
  let low = root;
  let high = worth < 0.5 ? 2 * root : 750;
  let r = worth < 0.8 ? root * (1 + root / 3) : -Math.log1p(-worth) + Math.log(1 - Math.log1p(-worth));
  for (let step = 0; step < 60; step++) {
    const decay = Math.exp(-r);
    const off = r < 0.01 ? freshnessWorth(r) - worth : 1 - (1 + r) * decay - worth;
    if (off > 0) high = r;
    else low = r;
    let next = r - off / (r * decay);
    if (!(next > low && next < high)) next = (low + high) / 2;
    if (Math.abs(next - r) <= 1e-10 * r) return next;
    r = next;
  }
  return r;
}

/** The slope of h is r (1 - e^-r). h is convex, so that Newton's method from above never overshoots. */
function inverseAgeWorth(worth: number): number {
  const cube = Math.cbrt(3 * worth);
  if (cube < 1e-6) return cube;
  // Both r^3/3 and r^2/2 lie above h.
  let r =
    Math.max(cube, Math.sqrt(2 * worth)) * (1 + 0.25 * Math.min(1, cube)) + (worth > 1 ? 1 / Math.sqrt(worth) : 0);
  for (let step = 0; step < 60; step++) {
    const next = r - (ageWorth(r) - worth) / (-r * Math.expm1(-r));
    if (Math.abs(next - r) <= 1e-10 * r) return next;
    r = next;
  }
  return r;
}
