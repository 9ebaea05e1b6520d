import type { StageTime } from '../../contracts/events.ts';

/** Notes when each stage of one visit begins and ends. */
export class StageTimer {
  readonly times: StageTime[] = [];
  readonly #now: () => number;
  #from: number;

  /** `now`: ms since the epoch, in fractions. */
  constructor(now: () => number = preciseNow) {
    this.#now = now;
    this.#from = now();
  }

  /** The stage lasted from the end of the one before until now. */
  ended(stage: StageTime['stage']): void {
    const to = this.#now();
    this.times.push({ stage, from: this.#from, to });
    this.#from = to;
  }
}

/** For a share of the visits, always the same ones: the number of a claim decides. Undefined for the others. */
export function timerOf(claimId: number, share: number): StageTimer | undefined {
  if (share <= 0) return undefined;
  // Numbers of claims run on; the product with a large odd number spreads them evenly.
  const spread = (Math.imul(claimId, 0x9e3779b1) >>> 0) / 2 ** 32;
  return spread < share ? new StageTimer() : undefined;
}

function preciseNow(): number {
  return performance.timeOrigin + performance.now();
}
