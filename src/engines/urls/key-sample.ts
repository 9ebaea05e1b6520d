/** Rests of keys that a table of symbols is learnt from: more teach little. */
export const SAMPLE_RESTS = 20_000;
/** Rests of neighbours come in stretches, as in a block. */
const STRETCHES = 128;

/** Rests from all over a sorted list in memory. */
export function* sampleOfList(keys: readonly string[]): Generator<Buffer> {
  const perStretch = Math.ceil(SAMPLE_RESTS / STRETCHES);
  const step = Math.max(perStretch, keys.length / STRETCHES);
  for (let start = 0; start < keys.length; start += step) {
    const first = Math.floor(start);
    for (let at = first; at < Math.min(keys.length, first + perStretch); at++) {
      const shared = at === 0 ? 0 : sharedOctets(keys[at - 1], keys[at]);
      yield Buffer.from(keys[at].slice(shared), 'latin1');
    }
  }
}

function sharedOctets(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let shared = 0;
  while (shared < most && a.charCodeAt(shared) === b.charCodeAt(shared)) shared++;
  return shared;
}
