import type { FetchResult } from '../fetcher.ts';
import type { CanonicalUrl } from '../url.ts';

/** A page that was answered, to be shown in a browser. */
export interface RenderOrder {
  readonly url: CanonicalUrl;
  /** The one that it came from. */
  readonly address: string;
  readonly status: number;
  readonly rawHeaders: readonly string[];
  /** Content coding undone. The browser gets it from us: the page is not asked for twice. */
  readonly body: Uint8Array;
  /** The lease of the page ends then, ms. */
  readonly leaseEndsAt: number;
}

/** What a page asked for besides itself. */
export interface SubRequestCounts {
  /** That were sent. */
  readonly sent: number;
  readonly bytes: number;
  /** That had been fetched for another page. */
  readonly cached: number;
  /** By who said no: `robots`, `address`, `type`, `method`, `exclude`, `frame` … */
  readonly refused: Readonly<Record<string, number>>;
  readonly failed: number;
  /** To the host of the page: bytes, how long they took, and when the last ended; 0 where there were none. */
  readonly ownBytes: number;
  readonly ownMs: number;
  readonly ownEndedAt: number;
}

/** A resource of a page, as it was answered. */
export interface RenderedResource {
  readonly url: string;
  readonly result: Extract<FetchResult, { kind: 'response' }>;
}

/** Text and links of one element that nobody can see. */
export interface HiddenPiece {
  /**
   * How sure it is that nobody shall read it. `covert`: in the colour of its ground, too small, indented out of sight. `aside`: moved out
   * of the window or clipped, as labels for screen readers are too. `faded`: transparent or shrunk, as what is to move in later. `folded`:
   * not shown for now, as menus and tabs are.
   */
  readonly hiding: 'covert' | 'aside' | 'faded' | 'folded';
  /** In words, with the measure; '' where `colours` say it. */
  readonly how: string;
  /** Honest pages hide short labels in this way. */
  readonly labels: boolean;
  /** Of the letters and of their ground, 0xRRGGBB, where these may be too much alike. */
  readonly colours?: readonly [number, number];
  readonly text: string;
  /** To other hosts. */
  readonly links: readonly string[];
}

/** What a person would see of a page, by computed styles and places. */
export interface SeenPage {
  /** Of all that can be scrolled to, CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** Boxes fixed over the page: banners, dialogs, bars. */
  readonly overlays: number;
  readonly hidden: readonly HiddenPiece[];
  /** The page has more elements, or hides more pieces, than were looked at. */
  readonly isPartial?: true;
}

export interface RenderedPage {
  readonly kind: 'rendered';
  /** UTF-8. Links that only scripts make stand at its end. */
  readonly html: Uint8Array;
  /** It was longer than `max-body`. */
  readonly truncated: boolean;
  /** Where its scripts have led at once. */
  readonly redirect?: string;
  /** Links found by what scripts do, beside those of the markup that they leave. */
  readonly scriptLinks: number;
  readonly requests: SubRequestCounts;
  /** JPEG. */
  readonly screenshot?: Uint8Array;
  /** Absent where the page gave no time to look at it. */
  readonly seen?: SeenPage;
  /** Until its load event, with all it loads; absent where none came. */
  readonly loadMs?: number;
  /** Where they are to be kept. */
  readonly resources?: readonly RenderedResource[];
  readonly ms: number;
}

/** `code`: `no-browser`, `no-time` (no tab was free in time), `timeout`, `crashed`, `closed`. */
export interface RenderFailure {
  readonly kind: 'failed';
  readonly code: 'no-browser' | 'no-time' | 'timeout' | 'crashed' | 'closed';
  readonly detail: string;
}

export type RenderResult = RenderedPage | RenderFailure;

/** What a crawl has rendered so far. */
export interface RenderingTotals {
  readonly rendered: number;
  /** Pages that came to no end in the browser. */
  readonly failed: number;
  /** In the browser, all pages together. */
  readonly ms: number;
  /** What pages have asked for besides themselves, and what of it was not let out. */
  readonly subRequests: number;
  readonly subBytes: number;
  readonly refusedRequests: number;
  /** Browsers that were replaced. */
  readonly restarts: number;
}

/** Shows pages in a browser. Never rejects for what a page does. */
export interface PageRenderer {
  render(order: RenderOrder): Promise<RenderResult>;
}

/** What a page shows before it is rendered, by which it is decided whether it is. */
export interface RenderSigns {
  readonly url: CanonicalUrl;
  /** Why it surely needs a browser; '' where nothing says so. */
  readonly strong: string;
  /** Tells the set of scripts of the page from others. */
  readonly scripts: string;
}

/** `sample`: whether both versions are alike is not known yet, or is looked at again. */
export interface RenderVerdict {
  readonly render: boolean;
  readonly why: string;
}

/** What rendering has brought, beside the answer as it came. */
export interface RenderGain {
  readonly links: number;
  readonly words: number;
  readonly redirect?: true;
}

/** Decides which pages are rendered, and learns from those that were. */
export interface RenderJudge {
  judge(signs: RenderSigns): RenderVerdict | Promise<RenderVerdict>;
  learn(signs: RenderSigns, gain: RenderGain): void;
  /** The browser came to no end with the page. */
  fail(signs: RenderSigns): void;
}
