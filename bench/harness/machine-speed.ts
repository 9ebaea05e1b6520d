const ROUNDS = 9;
const WARM_UP_ROUNDS = 3;
const WORDS = 60_000;

/**
 * Processor time of some fixed work, in ms: machines that others share change their speed within minutes, by a tenth and more. What was measured at one time is
 * compared with another time by the ratio of the two.
 */
export function fixedWorkMs(): number {
  const times: number[] = [];
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    if (round >= 0) times.push((user + system) / 1000);
  }
  return times.sort((a, b) => a - b)[ROUNDS >> 1];
}

/** Objects, strings and a table larger than the caches nearest to a core, as the work of a crawl is. */
function work(): number {
  const seen = new Map<string, number>();
  let seed = 1;
  for (let at = 0; at < WORDS; at++) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    const word = `word-${(seed >>> 8) % (WORDS / 2)}`;
    seen.set(word, (seen.get(word) ?? 0) + 1);
  }
  return [...seen.entries()].sort(([a], [b]) => (a < b ? -1 : 1))[0][1];
}
