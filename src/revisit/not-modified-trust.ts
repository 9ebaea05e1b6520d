import { type Evidence, shareHeld, soundEvidence, withObservation } from './trust-evidence.ts';

/** What is kept of a host. Plain data. */
export interface NotModifiedTrustRecord {
  /** A page had changed: its validators told so. */
  readonly told: Evidence;
  /** A body that was asked for in full had the validators and the words of the one before. */
  readonly same: Evidence;
}

/** Most servers are honest. */
const PRIOR_TOLD = 0.9;
/** Below this "not modified" is believed no more: after the second change that was hidden, where none was told. */
const LEAST_TOLD = 0.5;
/** Below this it is doubted: after the first. */
const DOUBTED = 0.8;
const DOUBTED_EVERY = 2;
/** Visits of a page to one that asks for the body, at first and at last; each body that was as expected is worth some. */
const FIRST_EVERY = 8;
const LAST_EVERY = 64;
const EVERY_STEP = 4;

/**
 * How far a host's "not modified" can be believed: now and then the body is asked for although its validators are known. Only
 * changes show what they are worth, for a server that always answers so is right as long as nothing happens.
 * Everything fades, so that a host that changes its ways is judged again.
 */
export class NotModifiedTrust {
  #record: NotModifiedTrustRecord;

  /** A record that is not what it should be counts as far as it can be read. */
  constructor(record?: Partial<NotModifiedTrustRecord>) {
    this.#record = { told: soundEvidence(record?.told), same: soundEvidence(record?.same) };
  }

  get believed(): boolean {
    return this.#told >= LEAST_TOLD;
  }

  /** Of this many visits to a page one asks for the body. */
  get every(): number {
    if (!this.believed) return 1;
    if (this.#told < DOUBTED) return DOUBTED_EVERY;
    return Math.min(LAST_EVERY, FIRST_EVERY + EVERY_STEP * Math.round(this.#record.same.held));
  }

  /** A page has changed; whether "not modified" would not have been said of it. */
  changed(told: boolean, at: number): void {
    this.#record = { ...this.#record, told: withObservation(this.#record.told, told, at) };
  }

  /** A body came that nobody needed. */
  wasSame(at: number): void {
    this.#record = { ...this.#record, same: withObservation(this.#record.same, true, at) };
  }

  toJSON(): NotModifiedTrustRecord {
    return this.#record;
  }

  get #told(): number {
    return shareHeld(this.#record.told, PRIOR_TOLD);
  }
}
