import { Remembered } from '../../remembered.ts';
import { BODY, NOISE } from './name-hints.ts';
import { BODY_WORDS, OTHER_WORDS, PART_WORDS } from './name-words.ts';

/** Says something about the page's state or about its place among others, nothing about the element. */
const STATE = /^(?:has|no|not|is|with|without|type|status|format|postid|page-id|elementor|wp-image|node)-/;
const STATE_INSIDE = /(?:^|[-_])(?:no|has|with|without)-[a-z]+/g;
/** Classes of blog software that name the categories of a post. */
const CATEGORY = /^(?:category|tag|author)-/;
const POST = /(?:^|\s)(?:hentry|type-\w+|status-publish)(?:$|\s)/;
/** Longer names are not read: the time for a name may grow with its square. */
const LONGEST = 64;
const MOST_REMEMBERED = 8000;
const MOST_CLASSES = 4000;

export interface Named {
  /** Equal for equal classes, in one document; 0 where there is none. */
  readonly number: number;
  readonly hints: number;
}

export const NAMELESS: Named = { number: 0, hints: 0 };

/** Reads the names that elements give themselves. Most names come again and again, in a page and in the next: each is understood once. */
export class NameReader {
  readonly #known = new Remembered((name) => (STATE.test(name) ? 0 : understand(name)), MOST_REMEMBERED);

  readonly #classes = new Map<string, Named>();
  #generation = {};

  /** Numbers of classes hold as long as this stays the same object: as long as one document is read, at least. */
  get generation(): object {
    return this.#generation;
  }

  beginDocument(): void {
    if (this.#classes.size <= MOST_CLASSES) return;
    this.#classes.clear();
    this.#generation = {};
  }

  /** A class attribute as written. */
  classed(written: string): Named {
    if (written === '') return NAMELESS;
    let named = this.#classes.get(written);
    if (named === undefined) {
      named = { number: this.#classes.size + 1, hints: this.hintsOf(written) };
      this.#classes.set(written, named);
    }
    return named;
  }

  /** Hints (name-hints.ts) in a class or an id as written. */
  hintsOf(written: string): number {
    // No single name is that of a post and that of a category.
    if (!/\s/.test(written))
      return written.length <= LONGEST && written !== '' ? withoutDoubt(this.#known.of(written)) : 0;
    const isPost = POST.test(written);
    let hints = 0;
    for (const name of written.split(/\s+/))
      if (name !== '' && name.length <= LONGEST) hints |= this.#hintsOf(name, isPost);
    return withoutDoubt(hints);
  }

  #hintsOf(name: string, isPost: boolean): number {
    return isPost && CATEGORY.test(name) ? 0 : this.#known.of(name);
  }
}

/** An element that says to be the body is not noise for another of its names. */
export function withoutDoubt(hints: number): number {
  return (hints & (BODY | NOISE)) === (BODY | NOISE) ? hints & ~NOISE : hints;
}

function understand(written: string): number {
  const name = written
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(STATE_INSIDE, '')
    .replace(/^js-/, '')
    .replace(/[:./\s]+/g, ' ');
  let hints = 0;
  for (const [hint, words] of OTHER_WORDS) if (words.test(name)) hints |= hint;
  const bodyWords = hints === 0 ? BODY_WORDS.find(([, words]) => words.test(name)) : undefined;
  // Most names hold none of these: the short look spares the long one.
  for (const [hint, words, telling] of PART_WORDS) if (telling.test(name) && words.test(name)) hints |= hint;
  return bodyWords === undefined ? hints : hints | bodyWords[0];
}
