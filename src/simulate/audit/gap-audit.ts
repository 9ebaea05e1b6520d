import type { LoggedRequest } from '../server/request-log.ts';
import { FindingCounter, type GapPair, type GapReport } from './audit-report.ts';

export interface GapDemand {
  /** What the gap is measured from: the start of the last request, or the end of all earlier ones. */
  readonly from: 'start' | 'end';
  readonly toleranceMs: number;
}

/** The gaps between requests that share a host (or an address): the shortest, and those that were too short. */
export class GapAudit {
  readonly #demand: GapDemand;
  readonly #tooShort = new FindingCounter();
  #startToStart: GapPair | undefined;
  #endToStart: GapPair | undefined;

  constructor(demand: GapDemand) {
    this.#demand = demand;
  }

  /** `requests` in order of arrival; `requiredMs` tells what gap must lie before one. */
  measure(
    at: string,
    requests: readonly LoggedRequest[],
    requiredMs: (before: LoggedRequest) => number,
    tell: (r: LoggedRequest) => string,
  ): void {
    let latest = requests[0];
    for (let i = 1; i < requests.length; i++) {
      const request = requests[i];
      const before = requests[i - 1];
      const sinceStart = request.arrive - before.arrive;
      const sinceEnd = request.arrive - latest.done;
      if (this.#startToStart === undefined || sinceStart < this.#startToStart.ms) {
        this.#startToStart = { ms: sinceStart, at, first: tell(before), second: tell(request) };
      }
      if (this.#endToStart === undefined || sinceEnd < this.#endToStart.ms) {
        this.#endToStart = { ms: sinceEnd, at, first: tell(latest), second: tell(request) };
      }
      const judged = this.#demand.from === 'start' ? sinceStart : sinceEnd;
      const required = requiredMs(request);
      if (required > 0 && judged < required - this.#demand.toleranceMs) {
        const first = this.#demand.from === 'start' ? before : latest;
        this.#tooShort.add(
          () => `${judged.toFixed(1)} of ${required} ms at ${at}: ${tell(first)}, then ${tell(request)}`,
        );
      }
      if (request.done > latest.done) latest = request;
    }
  }

  report(): GapReport {
    return {
      ...(this.#startToStart === undefined ? {} : { minStartToStart: this.#startToStart }),
      ...(this.#endToStart === undefined ? {} : { minEndToStart: this.#endToStart }),
      tooShort: this.#tooShort,
    };
  }
}
