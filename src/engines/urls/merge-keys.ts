import { BinaryHeap } from '../../base/binary-heap.ts';

interface Head {
  key: string;
  readonly rest: Iterator<string>;
}

/** Several sorted lists as one, each key once. */
export function* mergeKeys(lists: readonly Iterable<string>[]): Generator<string> {
  if (lists.length === 1) return yield* lists[0];
  const heads = new BinaryHeap<Head>((a, b) => a.key < b.key);
  const iterators = lists.map((list) => list[Symbol.iterator]());
  try {
    for (const rest of iterators) pushNext(heads, rest);
    let last: string | undefined;
    for (let head = heads.pop(); head !== undefined; head = heads.pop()) {
      if (head.key !== last) yield head.key;
      last = head.key;
      pushNext(heads, head.rest);
    }
  } finally {
    for (const rest of iterators) rest.return?.();
  }
}

function pushNext(heads: BinaryHeap<Head>, rest: Iterator<string>): void {
  const { done, value } = rest.next();
  if (done !== true) heads.push({ key: value, rest });
}

/** In which of two sorted lists a key is. */
export type Side = 'first' | 'second' | 'both';

/** Goes through two sorted lists at once: every key, and where it is. Neither is held in memory. */
export function* compareKeys(
  first: Iterable<string>,
  second: Iterable<string>,
): Generator<{ readonly key: string; readonly side: Side }> {
  const left = first[Symbol.iterator]();
  const right = second[Symbol.iterator]();
  try {
    let a = left.next();
    let b = right.next();
    while (a.done !== true || b.done !== true) {
      if (b.done === true || (a.done !== true && a.value < b.value)) {
        yield { key: a.value, side: 'first' };
        a = left.next();
      } else if (a.done === true || b.value < a.value) {
        yield { key: b.value, side: 'second' };
        b = right.next();
      } else {
        yield { key: a.value, side: 'both' };
        a = left.next();
        b = right.next();
      }
    }
  } finally {
    left.return?.();
    right.return?.();
  }
}
