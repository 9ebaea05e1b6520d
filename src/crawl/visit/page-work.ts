import type { ArchiveLocation } from '../../contracts/archive.ts';
import type { ContentSketch } from '../../contracts/content/content-sketch.ts';
import type { ExtractedSet } from '../../contracts/content/extraction-rules.ts';
import type { RobotsRecord } from '../../contracts/content/robots.ts';
import type { PageForms } from '../../contracts/content/search-form.ts';
import type { TopicFeatures } from '../../contracts/content/topic.ts';
import type { Claim, CrawlTask, HostUse, RefusedBy } from '../../contracts/crawl-task.ts';
import type { StageTime } from '../../contracts/events.ts';
import type { PageFacts } from '../../contracts/page-store.ts';
import type { Row } from '../../contracts/plugin.ts';
import type { CanonicalUrl, HostKey } from '../../contracts/url.ts';
import type { Said } from '../content/extracted-content.ts';
import type { HubDiscovery } from '../notify/hub-discovery.ts';
import type { PackedLinks } from '../workers/packed-links.ts';

/** What a page worker brings back from one claim: plain data, to cross threads. The state's thread decides on it. */
export type PageWork =
  /** The turn went into robots.txt. */
  | {
      readonly kind: 'robots';
      readonly record: RobotsRecord;
      readonly next?: CrawlTask;
      /** Sitemaps of the host, canonical. */
      readonly sitemaps?: readonly CanonicalUrl[];
      readonly location?: ArchiveLocation;
      readonly use: HostUse;
    }
  /** The worker did not come to an end: its thread died, or the crawl ended first. The host may have been asked. */
  | { readonly kind: 'lost'; readonly why: string; readonly use: HostUse }
  /** robots.txt is awaited, from another host or from another request to this one: nothing was asked. */
  | { readonly kind: 'awaiting-robots' }
  | {
      readonly kind: 'refused';
      readonly by: RefusedBy;
      readonly rule: string;
      readonly use?: HostUse;
      /** The rule for each URL that went along with the claim, null where it is allowed or nothing is known. */
      readonly along?: readonly (string | null)[];
      /** Of a page that was read but may not be kept. */
      readonly links?: PackedLinks;
      readonly nofollow?: string;
      /** The same page elsewhere, to be asked for instead. */
      readonly instead?: CrawlTask;
      readonly onMirrors?: readonly CrawlTask[];
    }
  | {
      readonly kind: 'failed';
      readonly code: string;
      readonly detail: string;
      readonly use: HostUse;
      /** Ms to wait before the next try; undefined when it is pointless. */
      readonly retryMs?: number;
      /** The last answer, kept in the archive. */
      readonly answer?: { readonly facts: PageFacts; readonly location: ArchiveLocation };
      readonly onMirrors?: readonly CrawlTask[];
    }
  | {
      readonly kind: 'page';
      readonly ending: PageEnding;
      readonly facts: PageFacts;
      readonly location: ArchiveLocation;
      /** Their URLs are canonical. */
      readonly links: PackedLinks;
      /** The page's own words against following any of them. */
      readonly nofollow?: string;
      readonly use: HostUse;
      /** What finds pages like it. */
      readonly contentSketch?: ContentSketch;
      /** How its text begins. */
      readonly opening?: string;
      /** What it says itself, without its links. */
      readonly said?: Said;
      /** Its words and those of its links; with a focused crawl. */
      readonly topic?: TopicFeatures;
      /** Other hosts that it links to, each once. */
      readonly outHosts?: readonly HostKey[];
      /** What page handlers of plug-ins made of it. */
      readonly rows?: readonly Row[];
      /** What the user's rules made of it; absent where no set is for it. */
      readonly extracted?: readonly ExtractedSet[];
      /** Its search forms, and its words; of a host whose forms are filled in. */
      readonly forms?: PageForms;
      /** Who tells of its news. */
      readonly hub?: HubDiscovery;
      /** The same page on mirrors of its host: to be asked for there, since this host does not give it. */
      readonly onMirrors?: readonly CrawlTask[];
    }
  /** What the host says of a page that cannot exist. */
  | {
      readonly kind: 'probe';
      readonly answer: ProbeAnswer;
      readonly contentSketch?: ContentSketch;
      readonly use: HostUse;
    }
  /** What a HEAD has shown of a known page; `same`: that it is as before. */
  | {
      readonly kind: 'looked';
      readonly same?: { readonly by: 'digest' | 'length'; readonly facts: PageFacts };
      /** Of the answer, where there was one. */
      readonly status?: number;
      /** Why GET is next. */
      readonly why: string;
      readonly use: HostUse;
    }
  /** Its server wants the page to be asked for under another spelling. */
  | { readonly kind: 'respelled'; readonly to: string; readonly use: HostUse }
  /** What a browser is sent. */
  | { readonly kind: 'recheck'; readonly contentSketch?: ContentSketch; readonly use: HostUse };

/** A claim that is done. */
export interface FinishedWork {
  readonly claim: Claim;
  readonly work: PageWork;
  /** Of a visit that is traced. */
  readonly stages?: readonly StageTime[];
  /** Nothing of its host begins before it is settled; the worker is told of that. */
  readonly holdsHost?: true;
}

export interface ProbeAnswer {
  readonly status: number;
  readonly digest?: string;
  readonly title?: string;
  readonly words: number;
  /** How what it says itself begins. */
  readonly opening?: string;
  readonly redirectedTo?: string;
}

export type PageEnding =
  | { readonly kind: 'stored' }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'duplicate'; readonly of: CanonicalUrl }
  | { readonly kind: 'redirected'; readonly to: string }
  | { readonly kind: 'gone'; readonly status: number; readonly soft?: string };

/** A claim that did not come to its end. What the host was asked counts; where that is not known, for as long as it may have been. */
export function lostWork(
  { claim, work }: Partial<FinishedWork> & { readonly claim: Claim },
  why: string,
  now: number,
): PageWork {
  const asked = work !== undefined && 'use' in work ? work.use : undefined;
  return { kind: 'lost', why, use: asked ?? { fetchMs: Math.max(0, now - claim.claimedAt), bytes: 0, endedAt: now } };
}

/** The links of a document that was read. */
export function linksOf(work: PageWork): PackedLinks | undefined {
  return work.kind === 'page' || work.kind === 'refused' ? work.links : undefined;
}

/** The URL is somebody else's by now (this machine slept, say): what is archived without a lease would be stored twice. */
export function leaseExpired(use: HostUse): PageWork {
  return { kind: 'failed', code: 'lease-expired', detail: '', use };
}
