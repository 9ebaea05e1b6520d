import type { ContentSketch } from '../../contracts/content/content-sketch.ts';
import type { PageAbout } from '../../contracts/content/page-about.ts';
import type { SpamSign } from '../../contracts/content/spam.ts';
import type { DocumentLinks } from '../workers/packed-links.ts';
import type { ListedLink } from './list-reader.ts';

/** The text of a document without what its links are called, by which error pages with a list of links are known. */
export interface Said {
  /** How it begins. */
  readonly opening: string;
  readonly words: number;
}

/** What a document says. */
export interface ExtractedContent {
  /** Main text; undefined where there is none. */
  readonly text?: string;
  /** A document that is not HTML as a page that keeps its structure; absent where it has none. */
  readonly html?: string;
  /** How it begins; absent where there is none. */
  readonly opening?: string;
  /** What of it the document says itself; absent where there is no text. */
  readonly said?: Said;
  readonly about: PageAbout;
  /** What finds texts like it; absent where it is too short to tell. */
  readonly contentSketch?: ContentSketch;
  /** Of headline and main text; see text-digest.ts. Absent where nothing can be compared but the bytes. */
  readonly textDigest?: string;
  readonly spam?: readonly SpamSign[];
  /** What an HTML page names itself; absent where nobody asked. */
  readonly headings?: string;
  /** META tags that speak of the use of the page. */
  readonly usageMetas?: readonly (readonly [name: string, content: string])[];
  /** Links of a document that is not HTML. */
  readonly links: readonly ListedLink[];
  /** They instead, resolved, where the document was read in another thread. */
  readonly packedLinks?: DocumentLinks;
  /** Of a feed: who tells of its news, and the name under which. */
  readonly hubs?: readonly string[];
  readonly self?: string;
}
