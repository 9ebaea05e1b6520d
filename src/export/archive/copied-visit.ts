import type { Referral } from '../../archive/archived-response.ts';
import type { Capture } from '../../archive/cdxj/cdxj-line.ts';

/** The records of one visit as they lie in an archive file: one after the other. */
export interface CopiedVisit {
  readonly path: string;
  /** Of its first record. */
  readonly start: number;
  /** Behind its last. */
  readonly end: number;
  /** What the index says of it, with the place of the response, or of the revisit that stands for it. */
  readonly capture: Capture;
  /** Set for a revisit: its body is elsewhere. */
  readonly refersTo?: Referral;
}
