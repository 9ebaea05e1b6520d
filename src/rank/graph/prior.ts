/** A page of a graph this much above the average has the full prior, unless the best of the graph is above it. */
const FULL_AT = 1000;
/** Of all values of PageRank none is lower than this share of the average (with a damping of 0.85). */
const LEAST = 0.15;

export interface PriorOptions {
  /** Rank of the host of each page, in the same order as the ranks; its weight is `hostShare`. */
  readonly hosts?: { readonly ranks: Float64Array; readonly hostOf: Uint32Array };
  /** Default 0.3. */
  readonly hostShare?: number;
}

/**
 * Ranks as a prior for the index: 0 for a page that nobody links to, 1 for the best of a large graph, in steps of the
 * logarithm. The scale does not stretch to what is there: in a small graph, where all are nearly alike, priors are too.
 */
export function rankPriors(ranks: Float64Array, { hosts, hostShare = 0.3 }: PriorOptions = {}): Float32Array {
  const priors = logScaled(ranks);
  if (hosts === undefined || hosts.ranks.length < 2) return priors;
  const ofHosts = logScaled(hosts.ranks);
  for (let node = 0; node < priors.length; node++) {
    priors[node] = (1 - hostShare) * priors[node] + hostShare * ofHosts[hosts.hostOf[node]];
  }
  return priors;
}

function logScaled(ranks: Float64Array): Float32Array {
  const nodes = ranks.length;
  let best = FULL_AT;
  for (let node = 0; node < nodes; node++) best = Math.max(best, ranks[node] * nodes);
  const scale = 1 / Math.log(best / LEAST);
  const priors = new Float32Array(nodes);
  for (let node = 0; node < nodes; node++) {
    priors[node] = Math.min(1, Math.max(0, Math.log((ranks[node] * nodes) / LEAST) * scale));
  }
  return priors;
}
