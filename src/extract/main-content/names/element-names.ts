import type { HtmlScanner } from '../../html-scanner.ts';
import { attributeBits, attributeName } from '../../tags/attribute-name.ts';
import { NAMES_NOTE } from '../../tags/known-tag.ts';
import { BODY, BY_ID, DISCUSSION, FRAME, HIDDEN, MAIN_CONTENT, MAYBE_BODY, NOISE } from './name-hints.ts';
import { NAMELESS, type Named, NameReader, withoutDoubt } from './name-reader.ts';

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

/** What was read of a tag that documents have in common. */
interface NotedNames {
  generation: object;
  readonly classes: string;
  named: Named;
}

/** Reads what the attributes of elements say about them. Pages have few different classes: each is understood once. */
export class ElementNames {
  readonly #reader: NameReader;
  readonly #generation: object;

  constructor(reader = new NameReader()) {
    reader.beginDocument();
    this.#reader = reader;
    this.#generation = reader.generation;
  }

  /** Of the tag at hand. */
  read(scanner: HtmlScanner): Named {
    if (!scanner.mayHave(SAYS_ANYTHING)) return NAMELESS;
    const { tag } = scanner;
    if (tag === undefined) return this.#read(scanner, scanner.attribute(CLASS) ?? '');
    const noted = tag.notes[NAMES_NOTE] as NotedNames | undefined;
    if (noted !== undefined) {
      if (noted.generation !== this.#generation) this.#renumber(noted);
      return noted.named;
    }
    const classes = scanner.attribute(CLASS) ?? '';
    const named = this.#read(scanner, classes);
    const note: NotedNames = { generation: this.#generation, classes, named };
    tag.notes[NAMES_NOTE] = note;
    return named;
  }

  #read(scanner: HtmlScanner, classes: string): Named {
    const id = scanner.attribute(ID) ?? '';
    const named = this.#reader.classed(classes);
    const other = scanner.mayHave(SAYS_OTHERWISE) ? otherHints(scanner) : 0;
    const ofId = id === '' || PROGRAM_NAME.test(id) ? 0 : this.#reader.hintsOf(id);
    if ((other | ofId) === 0) return named;
    const known = named.hints | other;
    return { number: named.number, hints: withoutDoubt(known | ofId) | ((ofId & ~known) << BY_ID) };
  }

  /** Hints are those of any document, numbers are not. */
  #renumber(noted: NotedNames): void {
    noted.generation = this.#generation;
    noted.named = { number: this.#reader.classed(noted.classes).number, hints: noted.named.hints };
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
