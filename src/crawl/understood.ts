import type { PageAbout } from '../contracts/page-about.ts';
import type { ListedLink } from './list-reader.ts';

/** What a document says. */
export interface Understood {
  /** Main text; undefined where there is none. */
  readonly text?: string;
  readonly about: PageAbout;
  /** META tags that speak of the use of the page. */
  readonly usageMetas?: readonly (readonly [name: string, content: string])[];
  /** Links of a document that is not HTML. */
  readonly links: readonly ListedLink[];
}
