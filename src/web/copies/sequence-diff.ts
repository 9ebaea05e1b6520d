/** A run of elements that both have, or that one has alone. Positions are those of the two sequences. */
export interface Run {
  readonly kind: 'same' | 'removed' | 'added';
  readonly from: number;
  readonly to: number;
}

/** Edits that are looked for at most: time grows with their square. */
const MAX_EDITS = 600;

/**
 * The shortest way from one sequence to the other (Myers, 1986). Sequences that differ in more than some hundreds of places are
 * cut at the elements that both have just once (patience), and what then still differs too much counts as replaced: time stays
 * bounded whatever is compared. `removed` runs count in `before`, `same` and `added` runs in `after`.
 */
export function diffSequences(before: readonly string[], after: readonly string[], maxEdits = MAX_EDITS): Run[] {
  const numbers = new Map<string, number>();
  const numbered = (texts: readonly string[]): Int32Array =>
    Int32Array.from(texts, (text) => {
      const known = numbers.get(text) ?? numbers.size;
      numbers.set(text, known);
      return known;
    });
  const a = numbered(before);
  const b = numbered(after);
  const pairs: Pairs = [];
  match({ a, b, fromA: 0, toA: a.length, fromB: 0, toB: b.length }, maxEdits, true, pairs);
  return runsOf(pairs, a.length, b.length);
}

/** Stretches that are the same: [place in a, place in b, length], in order. */
type Pairs = [number, number, number][];

interface Part {
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly fromA: number;
  readonly toA: number;
  readonly fromB: number;
  readonly toB: number;
}

function match(part: Part, maxEdits: number, mayCut: boolean, pairs: Pairs): void {
  const { a, b } = part;
  let { fromA, toA, fromB, toB } = part;
  const startA = fromA;
  const startB = fromB;
  while (fromA < toA && fromB < toB && a[fromA] === b[fromB]) {
    fromA++;
    fromB++;
  }
  if (fromA > startA) pairs.push([startA, startB, fromA - startA]);
  const endA = toA;
  while (toA > fromA && toB > fromB && a[toA - 1] === b[toB - 1]) {
    toA--;
    toB--;
  }
  if (fromA < toA && fromB < toB) {
    const inner = { a, b, fromA, toA, fromB, toB };
    if (!myers(inner, maxEdits, pairs) && mayCut) cutAtRareOnes(inner, maxEdits, pairs);
  }
  if (endA > toA) pairs.push([toA, toB, endA - toA]);
}

/** False where it would take more edits than allowed; then nothing was matched. */
function myers({ a, b, fromA, toA, fromB, toB }: Part, maxEdits: number, pairs: Pairs): boolean {
  const lengthA = toA - fromA;
  const lengthB = toB - fromB;
  const most = Math.min(maxEdits, lengthA + lengthB);
  const furthest = new Int32Array(2 * most + 3);
  const middle = most + 1;
  const trace: Int32Array[] = [];
  for (let edits = 0; edits <= most; edits++) {
    trace.push(furthest.slice(middle - edits - 1, middle + edits + 2));
    for (let k = -edits; k <= edits; k += 2) {
      const down = k === -edits || (k !== edits && furthest[middle + k - 1] < furthest[middle + k + 1]);
      let x = down ? furthest[middle + k + 1] : furthest[middle + k - 1] + 1;
      let y = x - k;
      while (x < lengthA && y < lengthB && a[fromA + x] === b[fromB + y]) {
        x++;
        y++;
      }
      furthest[middle + k] = x;
      if (x >= lengthA && y >= lengthB) {
        pairs.push(
          ...wayBack(trace, lengthA, lengthB).map(([p, q, n]): [number, number, number] => [fromA + p, fromB + q, n]),
        );
        return true;
      }
    }
  }
  return false;
}

function wayBack(trace: readonly Int32Array[], lengthA: number, lengthB: number): Pairs {
  const pairs: Pairs = [];
  let x = lengthA;
  let y = lengthB;
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const furthest = trace[edits];
    const at = (k: number): number => furthest[k + edits + 1];
    const k = x - y;
    const down = k === -edits || (k !== edits && at(k - 1) < at(k + 1));
    const beforeX = edits === 0 ? 0 : down ? at(k + 1) : at(k - 1);
    const beforeY = edits === 0 ? 0 : beforeX - (down ? k + 1 : k - 1);
    const startX = edits === 0 ? 0 : down ? beforeX : beforeX + 1;
    if (x > startX) pairs.push([startX, startX - k, x - startX]);
    x = beforeX;
    y = beforeY;
  }
  return pairs.reverse();
}

/** Splits at elements that occur once on either side and stand in the same order on both. */
function cutAtRareOnes(part: Part, maxEdits: number, pairs: Pairs): void {
  const { a, b, fromA, toA, fromB, toB } = part;
  const placeInB = uniquePlaces(b, fromB, toB);
  const anchors: [number, number][] = [];
  for (const [element, place] of uniquePlaces(a, fromA, toA)) {
    const other = placeInB.get(element);
    if (other !== undefined) anchors.push([place, other]);
  }
  const inOrder = longestRising(anchors.sort(([p], [q]) => p - q));
  // With ever fewer edits for each part, all of them together cost no more than the first try.
  const allowed = Math.max(16, Math.floor(maxEdits / Math.sqrt(inOrder.length + 1)));
  let placeA = fromA;
  let placeB = fromB;
  for (const [nextA, nextB] of inOrder) {
    match({ a, b, fromA: placeA, toA: nextA, fromB: placeB, toB: nextB }, allowed, false, pairs);
    pairs.push([nextA, nextB, 1]);
    placeA = nextA + 1;
    placeB = nextB + 1;
  }
  if (inOrder.length > 0) match({ a, b, fromA: placeA, toA, fromB: placeB, toB }, allowed, false, pairs);
}

function uniquePlaces(elements: Int32Array, from: number, to: number): Map<number, number> {
  const places = new Map<number, number>();
  const often = new Set<number>();
  for (let at = from; at < to; at++) {
    if (often.has(elements[at])) continue;
    if (places.delete(elements[at])) often.add(elements[at]);
    else places.set(elements[at], at);
  }
  return places;
}

/** The longest subsequence whose second numbers rise. */
function longestRising(anchors: readonly [number, number][]): [number, number][] {
  const tops: number[] = [];
  const before = new Int32Array(anchors.length).fill(-1);
  for (let at = 0; at < anchors.length; at++) {
    let low = 0;
    let high = tops.length;
    while (low < high) {
      const half = (low + high) >> 1;
      if (anchors[tops[half]][1] < anchors[at][1]) low = half + 1;
      else high = half;
    }
    if (low > 0) before[at] = tops[low - 1];
    tops[low] = at;
  }
  const rising: [number, number][] = [];
  for (let at = tops.at(-1) ?? -1; at >= 0; at = before[at]) rising.push(anchors[at]);
  return rising.reverse();
}

function runsOf(pairs: Pairs, lengthA: number, lengthB: number): Run[] {
  const runs: Run[] = [];
  let x = 0;
  let y = 0;
  for (const [placeA, placeB, length] of [...pairs, [lengthA, lengthB, 0] as const]) {
    if (placeA > x) runs.push({ kind: 'removed', from: x, to: placeA });
    if (placeB > y) runs.push({ kind: 'added', from: y, to: placeB });
    const last = runs.at(-1);
    if (length > 0 && last?.kind === 'same') runs[runs.length - 1] = { ...last, to: placeB + length };
    else if (length > 0) runs.push({ kind: 'same', from: placeB, to: placeB + length });
    x = placeA + length;
    y = placeB + length;
  }
  return runs;
}
