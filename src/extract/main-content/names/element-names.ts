import type { HtmlScanner } from '../../html-scanner.ts';
import { attributeBits, attributeName } from '../../tags/attribute-name.ts';
import { NAMES_NOTE } from '../../tags/known-tag.ts';
import { BODY, BY_ID, DISCUSSION, FRAME, HIDDEN, MAIN_CONTENT, MAYBE_BODY, NOISE } from './name-hints.ts';
import { NameReader, withoutDoubt } from './name-reader.ts';

const ARIA_HIDDEN = attributeName('aria-hidden');
const CLASS = attributeName('class');
const HIDDEN_ATTRIBUTE = attributeName('hidden');
const ID = attributeName('id');
const ITEMPROP = attributeName('itemprop');
const ROLE = attributeName('role');
/** Of pages that were rendered: what was seen of the element; see render/page-scripts. */
const SIGHT = attributeName('data-orbweaver-sight');
const STYLE = attributeName('style');

const SAYS_OTHERWISE = attributeBits([ROLE, ITEMPROP, STYLE, HIDDEN_ATTRIBUTE, ARIA_HIDDEN, SIGHT]);
const SAYS_ANYTHING = SAYS_OTHERWISE | attributeBits([CLASS, ID]);

const NOISY_ROLES =
  'navigation banner contentinfo complementary search menu menubar toolbar dialog alertdialog tablist'.split(' ');
const ROLES: ReadonlyMap<string, number> = new Map([
  ...NOISY_ROLES.map((role) => [role, NOISE | FRAME] as const),
  ['main', MAYBE_BODY | MAIN_CONTENT],
  ['article', MAYBE_BODY],
]);

/** References name their entries so: `method.skip`, `std::search()`. */
const PROGRAM_NAME = /[.:()]/;
const ARTICLE_BODY = /\barticleBody\b/i;
const COMMENT = /\b(?:comment|discussionUrl)\b/i;
const INVISIBLE = /display\s*:\s*none|visibility\s*:\s*hidden/i;

export interface Named {
  /** Equal for equal classes; 0 where there is none. */
  readonly number: number;
  readonly hints: number;
}

const NAMELESS: Named = { number: 0, hints: 0 };

/** What was read of a tag that documents have in common. */
interface NotedNames {
  documentNumber: number;
  readonly classes: string;
  named: Named;
}

/** Reads what the attributes of elements say about them. A page has few different classes: each is understood once. */
export class ElementNames {
  readonly #reader: NameReader;
  readonly #classes = new Map<string, Named>();

  constructor(reader = new NameReader()) {
    this.#reader = reader;
  }

  /** Of the tag at hand. */
  read(scanner: HtmlScanner): Named {
    if (!scanner.mayHave(SAYS_ANYTHING)) return NAMELESS;
    const { tag, documentNumber } = scanner;
    if (tag === undefined) return this.#read(scanner, scanner.attribute(CLASS) ?? '');
    const noted = tag.notes[NAMES_NOTE] as NotedNames | undefined;
    if (noted !== undefined) {
      // Numbers are those of one document, hints those of any.
      if (noted.documentNumber === documentNumber) return noted.named;
      noted.documentNumber = documentNumber;
      const { number } = this.#classed(noted.classes);
      if (number !== noted.named.number) noted.named = { number, hints: noted.named.hints };
      return noted.named;
    }
    const classes = scanner.attribute(CLASS) ?? '';
    const named = this.#read(scanner, classes);
    const note: NotedNames = { documentNumber, classes, named };
    tag.notes[NAMES_NOTE] = note;
    return named;
  }

  #read(scanner: HtmlScanner, classes: string): Named {
    const id = scanner.attribute(ID) ?? '';
    const named = this.#classed(classes);
    const other = scanner.mayHave(SAYS_OTHERWISE) ? otherHints(scanner) : 0;
    const ofId = id === '' || PROGRAM_NAME.test(id) ? 0 : this.#reader.hintsOf(id);
    if ((other | ofId) === 0) return named;
    const known = named.hints | other;
    return { number: named.number, hints: withoutDoubt(known | ofId) | ((ofId & ~known) << BY_ID) };
  }

  #classed(classes: string): Named {
    return classes === '' ? NAMELESS : this.#named(classes);
  }

  #named(classes: string): Named {
    const known = this.#classes.get(classes);
    if (known !== undefined) return known;
    const named = { number: this.#classes.size + 1, hints: this.#reader.hintsOf(classes) };
    this.#classes.set(classes, named);
    return named;
  }
}

function otherHints(scanner: HtmlScanner): number {
  let hints = 0;
  const role = scanner.attribute(ROLE);
  if (role !== undefined) hints |= ROLES.get(role.trim().toLowerCase()) ?? 0;
  const property = scanner.attribute(ITEMPROP);
  if (property !== undefined) {
    if (ARTICLE_BODY.test(property)) hints |= BODY | MAYBE_BODY;
    else if (COMMENT.test(property)) hints |= DISCUSSION;
  }
  const sight = scanner.attribute(SIGHT);
  if (sight === 'overlay') hints |= NOISE | FRAME;
  const style = scanner.attribute(STYLE);
  const invisible =
    sight === 'hidden' ||
    scanner.attribute(HIDDEN_ATTRIBUTE) !== undefined ||
    scanner.attribute(ARIA_HIDDEN) === 'true' ||
    (style !== undefined && INVISIBLE.test(style));
  return invisible ? hints | HIDDEN : hints;
}
