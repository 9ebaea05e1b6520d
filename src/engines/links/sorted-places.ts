/** Parts of this length are sorted by putting each into its place. */
const SHORT = 8;

/**
 * The numbers below `count` in an order; of two that neither comes before the other, the lower one is first. For a few dozen of them, which
 * is what most pages have, a sort of the engine takes twice as long.
 */
export function sortedPlaces(count: number, isBefore: (a: number, b: number) => boolean): Uint32Array {
  let from = new Uint32Array(count);
  for (let at = 0; at < count; at++) {
    let to = at;
    for (; to % SHORT !== 0 && isBefore(at, from[to - 1]); to--) from[to] = from[to - 1];
    from[to] = at;
  }
  let to = count > SHORT ? new Uint32Array(count) : from;
  for (let length = SHORT; length < count; length *= 2) {
    for (let start = 0; start < count; start += 2 * length) {
      const middle = Math.min(count, start + length);
      const end = Math.min(count, middle + length);
      for (let at = start, a = start, b = middle; at < end; at++)
        to[at] = b === end || (a < middle && !isBefore(from[b], from[a])) ? from[a++] : from[b++];
    }
    [from, to] = [to, from];
  }
  return from;
}
