import { type Evidence, shareHeld, soundEvidence, weightOf, withObservation } from './trust-evidence.ts';

/** What is kept of a host. Plain data. */
export interface LengthTrustRecord {
  /** The body was as long as before: it had the same text. */
  readonly same: Evidence;
  /** The text had changed: its length told so. */
  readonly told: Evidence;
  /** The text was the same: so was the length. */
  readonly still: Evidence;
  /** What HEAD said was what GET said then. */
  readonly heads: Evidence;
  /** When the server refused to answer HEAD. */
  readonly refusedAt?: number;
}

/** What two bodies of one page, each got with GET, had in common. */
export interface LengthLook {
  readonly sameLength: boolean;
  readonly sameText: boolean;
}

/** "As long as before" must have meant "the same text" in this many cases at the least: a bound, not the share that was found. */
const LEAST_SAME = 0.95;
/** One-sided, 95 % sure. */
const Z = 1.645;
/** Where pages hardly ever change, a length that tells nothing is right nearly always: it must have given changes away, too. */
const LEAST_TOLD = 0.8;
const PRIOR_TOLD = 0.9;
/** Before a change was given away, nothing shows that lengths differ at all. */
const LEAST_CHANGES = 1;
/** Below this HEAD says other things than GET on that server: after the second time, that is. */
const LEAST_HEADS = 0.5;
const PRIOR_HEADS = 0.9;
/** Before anything was seen. */
const PRIOR_STILL = 0.5;
/** Servers get other software. */
const REFUSAL_MS = 180 * 86_400_000;

/**
 * How far the length of a body tells whether a host's page has changed: measured whenever a body came that can be compared
 * with the one before. Everything fades, so that a host that changes its ways is judged again.
 */
export class LengthTrust {
  #record: LengthTrustRecord;

  /** A record that is not what it should be counts as far as it can be read. */
  constructor(record?: Partial<LengthTrustRecord>) {
    const { refusedAt } = record ?? {};
    this.#record = {
      same: soundEvidence(record?.same),
      told: soundEvidence(record?.told),
      still: soundEvidence(record?.still),
      heads: soundEvidence(record?.heads),
      ...(typeof refusedAt === 'number' ? { refusedAt } : {}),
    };
  }

  /** A length that is as before means that nothing has changed. */
  get believed(): boolean {
    const { same, told } = this.#record;
    if (told.held < LEAST_CHANGES || shareHeld(told, PRIOR_TOLD) < LEAST_TOLD) return false;
    return surelyHeld(same) >= LEAST_SAME;
  }

  /** The chance that the length is another though the text is the same: advertisements, say. */
  get restless(): number {
    return 1 - shareHeld(this.#record.still, PRIOR_STILL);
  }

  /** HEAD is of no use there: it is refused, or answered otherwise than GET. */
  refusesHead(now: number): boolean {
    const { refusedAt, heads } = this.#record;
    if (refusedAt !== undefined && Math.abs(now - refusedAt) < REFUSAL_MS) return true;
    return shareHeld(heads, PRIOR_HEADS) < LEAST_HEADS;
  }

  observe({ sameLength, sameText }: LengthLook, at: number): void {
    const { same, told, still } = this.#record;
    this.#record = {
      ...this.#record,
      same: sameLength ? withObservation(same, sameText, at) : same,
      told: sameText ? told : withObservation(told, !sameLength, at),
      still: sameText ? withObservation(still, sameLength, at) : still,
    };
  }

  /** Whether what a HEAD said was borne out. */
  headSpoke(truly: boolean, at: number): void {
    this.#record = { ...this.#record, heads: withObservation(this.#record.heads, truly, at) };
  }

  refused(at: number): void {
    this.#record = { ...this.#record, refusedAt: at };
  }

  toJSON(): LengthTrustRecord {
    return this.#record;
  }
}

/** The least share that what was seen can be the outcome of (Wilson). */
function surelyHeld(evidence: Evidence): number {
  const n = weightOf(evidence);
  if (n === 0) return 0;
  const share = evidence.held / n;
  const spread = Z * Math.sqrt((share * (1 - share)) / n + (Z * Z) / (4 * n * n));
  return (share + (Z * Z) / (2 * n) - spread) / (1 + (Z * Z) / n);
}
