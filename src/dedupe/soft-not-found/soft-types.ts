import type { ContentSketch } from '../../contracts/content/content-sketch.ts';

/** What an answer says, as far as error pages in disguise are concerned. */
interface Answered {
  readonly status: number;
  readonly digest?: string;
  readonly contentSketch?: ContentSketch;
  readonly title?: string;
  /** Words of the text. Absent: it was not read. */
  readonly words?: number;
  /** How the text begins. */
  readonly opening?: string;
  /** Where a redirect leads, absolute. */
  readonly redirectedTo?: string;
}

export interface SoftVisit extends Answered {
  /** What the server is known by. */
  readonly host: string;
  readonly url: string;
}

/** What the host said of a page that cannot exist. */
export type SoftAnswer = Answered;

export type SoftVerdict = { readonly soft: false } | { readonly soft: true; readonly why: string };

export interface SoftOptions {
  /** Hosts remembered; the one unseen for longest gives way. */
  readonly maxHosts?: number;
  /** Hosts that a snapshot holds. */
  readonly snapshotHosts?: number;
  /** Made-up addresses asked for per host, at most. */
  readonly probesPerHost?: number;
  /** Pages of a host seen before anything but plain wording is a cause to ask. */
  readonly fewVisits?: number;
}

/** What is known of one host, for people. */
export interface SoftReport {
  readonly host: string;
  readonly probes: number;
  /** Answered with 404 or 410. */
  readonly honestAnswers: number;
  /** Titles of the pages that made-up addresses got. */
  readonly templates: readonly string[];
  /** Where made-up addresses were sent. */
  readonly targets: readonly string[];
}
