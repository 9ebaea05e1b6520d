export interface Speed {
  readonly name: string;
  readonly peer: boolean;
  /** Units of work per CPU-second. */
  readonly median: number;
  readonly best: number;
}

export interface Candidate {
  readonly name: string;
  readonly peer?: boolean;
  /** Does the whole work once. */
  work(): void;
}

const WARM_UP_ROUNDS = 4;

/**
 * Units per CPU-second of the whole process, the collector included. Rounds of all candidates take turns, so that what
 * else the machine does touches all alike.
 */
export function takeTurns(candidates: readonly Candidate[], rounds: number, units: number): Speed[] {
  const speeds = candidates.map((): number[] => []);
  for (let round = -Math.min(rounds, WARM_UP_ROUNDS); round < rounds; round++) {
    for (const [at, candidate] of candidates.entries()) {
      const before = process.cpuUsage();
      candidate.work();
      const { user, system } = process.cpuUsage(before);
      if (round >= 0) speeds[at].push(units / ((user + system) / 1e6));
    }
  }
  return candidates.map(({ name, peer = false }, at) => {
    const measured = speeds[at].sort((a, b) => a - b);
    return { name, peer, median: measured[Math.floor(measured.length / 2)], best: measured[measured.length - 1] };
  });
}
