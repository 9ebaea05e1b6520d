/**
 * How many slips of the finger lie between two words: a letter left out, added, mistaken, or two neighbours swapped.
 * More than `limit` are not counted: then the answer is `limit` + 1.
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let [before, last, row] = [0, 1, 2].map(() => new Uint8Array(b.length + 1));
  for (let j = 0; j <= b.length; j++) last[j] = j;
  for (let i = 1; i <= a.length; i++) {
    row[0] = i;
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
      let cost = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1));
      const swapped =
        i > 1 && j > 1 && a.charCodeAt(i - 1) === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1);
      if (swapped) cost = Math.min(cost, before[j - 2] + 1);
      row[j] = cost;
      if (cost < least) least = cost;
    }
    if (least > limit) return limit + 1;
    [before, last, row] = [last, row, before];
  }
  return Math.min(last[b.length], limit + 1);
}
