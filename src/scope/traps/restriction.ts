/** URLs of a slowed pattern that may be under way at once. */
export const SAMPLES = 2;

/** Of a pattern that is or was slowed down or held: why, and what is let through. Most never are. */
export class Restriction {
  reason = '';
  /** URLs that are let through all the same. */
  probes: string[] = [];
  samples = SAMPLES;
  probeAt = 0;
  probeWait = 0;
  askedAt = 0;
  askedWait = 0;
}

/** What accounts without one of their own are read by. */
export const NEVER_RESTRICTED: Readonly<Restriction> = Object.freeze(new Restriction());
