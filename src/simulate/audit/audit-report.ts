/** How often something happened, and the first few cases in words. */
export interface Finding {
  readonly count: number;
  readonly samples: readonly string[];
}

/** Two requests that followed each other. */
export interface GapPair {
  readonly ms: number;
  /** Host, or address where gaps per address are meant. */
  readonly at: string;
  readonly first: string;
  readonly second: string;
}

export interface GapReport {
  readonly minStartToStart?: GapPair;
  /** From the end of all earlier requests; negative where they overlapped. */
  readonly minEndToStart?: GapPair;
  readonly tooShort: Finding;
}

/** What a crawl spent on nothing, and what it got all the same. */
export interface GauntletReport {
  readonly requests: number;
  /** All of the next five. */
  readonly wasted: number;
  readonly wastedShare: number;
  /** Those for robots.txt of endless subdomains are among them. */
  readonly trapRequests: number;
  readonly trapRequestsByKind: Readonly<Record<string, number>>;
  /** Requests for pages that cannot exist, made on purpose. */
  readonly probes: number;
  /** Pages that say "not found" with 200, outside traps. */
  readonly softNotFound: number;
  /** For what was known already and had not changed. */
  readonly repeated: number;
  /** For pages that a mirror had sent already, where mirrors are to be folded. */
  readonly mirrorRepeats: number;
  /** Requests into the traps of one host, and of which. Subdomains count for the host they belong to. */
  readonly mostPerTrapHost: number;
  readonly trapHost: string;
  /** Pages to be stored that are what they say; where mirrors are folded, each once. */
  readonly honestExpected: number;
  readonly honestFetched: number;
  readonly honestShare: number;
}

/** Hosts that show the same as another. */
export interface MirrorReport {
  readonly hosts: readonly { readonly mirror: string; readonly original: string }[];
  /** Pages on mirrors that a crawler would store that does not know them. */
  readonly pages: number;
  /** Requests for pages of mirrors. */
  readonly requests: number;
  /** Pages of mirrors that were not asked for, and were sent by another host. Only where mirrors are to be folded. */
  readonly saved: number;
}

export interface AuditReport {
  readonly passed: boolean;
  /** Names of the checks that failed. */
  readonly failures: readonly string[];
  readonly requests: number;
  readonly hosts: number;
  readonly bytes: number;
  /** From the first arrival to the last byte. */
  readonly seconds: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** Requests by 'http/1.1' and 'h2'. */
  readonly protocols: Readonly<Record<string, number>>;
  readonly agents: readonly string[];
  readonly pages: { readonly sent: number; readonly expected: number; readonly distinctDocuments: number };
  readonly hostGap: GapReport;
  readonly addressGap: GapReport;
  readonly parallelRequests: { readonly max: number; readonly host: string; readonly tooMany: Finding };
  readonly parallelConnections: { readonly max: number; readonly host: string; readonly tooMany: Finding };
  /** Requests for addresses that robots.txt forbids. */
  readonly disallowed: Finding;
  /** Requests to a host before its robots.txt was read to the end. */
  readonly beforeRobots: Finding;
  /** Requests to hosts that are forbidden wholly, since their robots.txt cannot be read. */
  readonly forbiddenHost: Finding;
  /** Requests to a host that had asked for quiet with Retry-After. */
  readonly retryAfter: Finding;
  /** Pages sent again with 200, unchanged, after they had been sent whole. */
  readonly wasted: Finding;
  /** Redirects and missing pages that were asked for again. */
  readonly repeated: Finding;
  /** Pages that had to be stored and never were sent whole. */
  readonly missed: Finding;
  /** Redirects and errors that had to be met and never were. */
  readonly unseen: Finding;
  /** Pages that exist but are out of scope, too deep, or behind nofollow. */
  readonly unexpected: Finding;
  /** Addresses that are written on pages but are no links. */
  readonly phantom: Finding;
  /** Addresses that are written nowhere. */
  readonly unknown: Finding;
  /** Requests into traps, all of them and by the kind of trap. */
  readonly traps: Finding;
  readonly trapRequests: number;
  readonly trapRequestsByKind: Readonly<Record<string, number>>;
  readonly gauntlet: GauntletReport;
  readonly mirrors: MirrorReport;
  readonly conditional: {
    readonly requests: number;
    /** Answers with 304. */
    readonly notModified: number;
    /** Pages asked for again without a condition, and sent again. */
    readonly repeatedWithout: number;
  };
  /** Style sheets and pictures: allowed, not required. */
  readonly assets: number;
  /** Requests whose connection broke before the answer was sent. */
  readonly broken: number;
}

const SAMPLES = 10;

/** A finding in the making. */
export class FindingCounter implements Finding {
  count = 0;
  readonly samples: string[] = [];

  add(sample: () => string): void {
    this.count++;
    if (this.samples.length < SAMPLES) this.samples.push(sample());
  }

  toJSON(): Finding {
    return { count: this.count, samples: this.samples };
  }
}
