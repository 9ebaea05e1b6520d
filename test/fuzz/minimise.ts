/**
 * A shorter input that still fails: removes ever smaller stretches as long as that keeps the failure, then replaces what is
 * left by plain letters. `tries` bounds the work, for a hang costs its whole time limit with each try.
 */
export async function minimise(
  input: Uint8Array,
  fails: (candidate: Uint8Array) => Promise<boolean>,
  tries = 400,
): Promise<Uint8Array> {
  let smallest: Buffer = Buffer.from(input);
  let left = tries;
  const keeps = async (candidate: Buffer): Promise<boolean> => {
    if (left-- <= 0 || !(await fails(candidate))) return false;
    smallest = candidate;
    return true;
  };
  for (let size = Math.ceil(smallest.length / 2); size >= 1 && left > 0; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < smallest.length && left > 0; ) {
      const shorter = Buffer.concat([smallest.subarray(0, at), smallest.subarray(at + size)]);
      if (!(await keeps(shorter))) at += size;
    }
  }
  for (let at = 0; at < smallest.length && left > 0; at++) {
    if (smallest[at] === 0x61) continue;
    const simpler = Buffer.from(smallest);
    simpler[at] = 0x61;
    await keeps(simpler);
  }
  return smallest;
}
