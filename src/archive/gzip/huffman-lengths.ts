const MAX_SYMBOLS = 512;

/** Huffman code lengths up to `limit` for whole weights; weight 0 gets none. At least two weights, at most 2 ** limit. */
export function huffmanLengths(weights: Float64Array, limit: number): Uint8Array {
  const symbols = lightestFirst(weights);
  const depths = depthsOf(Float64Array.from(symbols, (symbol) => weights[symbol]));
  const counts = new Uint32Array(limit + 1);
  for (const depth of depths) counts[Math.min(depth, limit)]++;
  makeRoom(counts, limit);
  const lengths = new Uint8Array(weights.length);
  let next = 0;
  for (let length = limit; length > 0; length--) {
    for (let left = counts[length]; left > 0; left--) lengths[symbols[next++]] = length;
  }
  return lengths;
}

/** The codes that follow from the lengths, as DEFLATE wants them: their first bit lowest. */
export function canonicalCodes(lengths: Uint8Array): Uint16Array {
  const codes = new Uint16Array(lengths.length);
  let code = 0;
  for (let length = 1; length <= 15; length++) {
    code <<= 1;
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      if (lengths[symbol] === length) codes[symbol] = reversed(code++, length);
    }
  }
  return codes;
}

/** Sorted by numbers that hold both the weight and the symbol: several times as fast as by comparing two symbols. */
function lightestFirst(weights: Float64Array): Uint16Array {
  const keys = new Float64Array(weights.length);
  let count = 0;
  for (let symbol = 0; symbol < weights.length; symbol++) {
    if (weights[symbol] > 0) keys[count++] = weights[symbol] * MAX_SYMBOLS + symbol;
  }
  return Uint16Array.from(keys.subarray(0, count).sort(), (key) => key % MAX_SYMBOLS);
}

/** How deep each leaf lies in the tree that joins the two lightest again and again. The leaves come lightest first. */
function depthsOf(leaves: Float64Array): Uint16Array {
  const count = leaves.length;
  const root = count - 2;
  // Nodes come about in the order of their weights, so that the two lightest are always at the head of two queues.
  const nodes = new Float64Array(count - 1);
  const nodeParents = new Uint16Array(count - 1);
  const leafParents = new Uint16Array(count);
  let leaf = 0;
  let node = 0;
  for (let made = 0; made <= root; made++) {
    for (let child = 0; child < 2; child++) {
      if (node === made || (leaf < count && leaves[leaf] <= nodes[node])) {
        nodes[made] += leaves[leaf];
        leafParents[leaf++] = made;
      } else {
        nodes[made] += nodes[node];
        nodeParents[node++] = made;
      }
    }
  }
  const nodeDepths = new Uint16Array(count - 1);
  for (let at = root - 1; at >= 0; at--) nodeDepths[at] = nodeDepths[nodeParents[at]] + 1;
  return Uint16Array.from(leafParents, (parent) => nodeDepths[parent] + 1);
}

/** Codes cut down to the limit take more room than there is: shorter ones are lengthened until all have theirs. */
function makeRoom(counts: Uint32Array, limit: number): void {
  let taken = 0;
  for (let length = 1; length <= limit; length++) taken += counts[length] << (limit - length);
  for (; taken > 1 << limit; taken--) {
    let length = limit - 1;
    while (counts[length] === 0) length--;
    counts[length]--;
    counts[length + 1] += 2;
    counts[limit]--;
  }
}

function reversed(code: number, length: number): number {
  let from = code;
  let to = 0;
  for (let bit = 0; bit < length; bit++, from >>= 1) to = (to << 1) | (from & 1);
  return to;
}
