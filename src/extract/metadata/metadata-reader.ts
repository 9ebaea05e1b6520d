import { ANY_TAG, BLOCK, BREAKOUT, RAW_TEXT, VOID } from '../element-traits.ts';
import type { HtmlScanner } from '../html-scanner.ts';
import type { MarkupReader } from '../scan-once.ts';
import { attributeBits, attributeName } from '../tags/attribute-name.ts';
import { CLUES_NOTE } from '../tags/known-tag.ts';
import { Captures } from './captures.ts';
import { type Clue, clueOfProperty, clueOfRel, cluesOfNames, type NameClues } from './element-clues.ts';
import { Findings } from './findings.ts';
import { metaMeaning } from './meta-names.ts';

const CLASS = attributeName('class');
const CONTENT = attributeName('content');
const DATETIME = attributeName('datetime');
const HREF = attributeName('href');
const HTTP_EQUIV = attributeName('http-equiv');
const ID = attributeName('id');
const ITEMPROP = attributeName('itemprop');
const LANG = attributeName('lang');
const NAME = attributeName('name');
const PROPERTY = attributeName('property');
const REL = attributeName('rel');
const TEST_ID = attributeName('data-testid');
const TITLE = attributeName('title');
const TYPE = attributeName('type');
const XML_LANG = attributeName('xml:lang');

/** What is asked for of every element; most have none of these. */
const TELLING = attributeBits([CLASS, ID, ITEMPROP, PROPERTY, TEST_ID]);

/** Scripts with JSON-LD are read up to this number and length in all; no honest page has more. */
const MAX_SCRIPTS = 64;
const MAX_SCRIPT_LENGTH = 2_000_000;
const MAX_TITLE = 2000;
const MAX_USAGE_METAS = 50;
/** `robots`, the names of crawlers, and the TDM Reservation Protocol. */
const USAGE_META = /^robots$|bot$|crawler|spider|^tdm-(?:reservation|policy)$/;

const HEADING = /^h[1-6]$/;
const LICENCES = 'creativecommons.org/';

/** What the attributes of an element say of it. */
interface SaidOfElement {
  readonly property: string | undefined;
  readonly names: string;
  readonly told: NameClues | undefined;
  /** What it holds is about something else. */
  readonly isElsewhere: boolean;
}

const NOTHING_SAID: SaidOfElement = { property: undefined, names: '', told: undefined, isElsewhere: false };
/** The same, and as a start tag it means nothing at all where nothing is open. */
const MEANS_NOTHING: SaidOfElement = { ...NOTHING_SAID };

/** Gathers all that a document says of itself; who is believed is decided elsewhere. */
export class MetadataReader implements MarkupReader {
  readonly startTraits = ANY_TAG;
  endTraits = 0;
  takesText = false;
  readonly findings = new Findings();
  readonly jsonLd: string[] = [];
  readonly usageMetas: [name: string, content: string][] = [];
  htmlTitle: string | undefined;
  canonical: string | undefined;
  base: string | undefined;
  /** JSON-LD was longer than what is read. */
  #scriptLength = 0;
  /** Open elements of SVG and MathML, where no element holds raw text. */
  #foreign = 0;
  #headings = 0;
  readonly #scanner: HtmlScanner;
  readonly #captures: Captures;
  readonly #cluesOf: (names: string) => NameClues;

  /** `cluesOf`: `cluesOfNames`, or who remembers what it answers. */
  constructor(scanner: HtmlScanner, cluesOf = cluesOfNames) {
    this.#scanner = scanner;
    this.#cluesOf = cluesOf;
    this.#captures = new Captures(this.findings);
  }

  text(): void {
    if (this.#captures.open) this.#captures.addText(this.#scanner.text());
  }

  end(): void {
    this.#captures.closeAll();
  }

  startTag(): boolean {
    const scanner = this.#scanner;
    const { traits, tag } = scanner;
    // Most are of this kind. None of SVG or MathML that is open, either: it is noted in `endTraits`, too.
    if (this.endTraits === 0 && tag !== undefined && tag.notes[CLUES_NOTE] === MEANS_NOTHING) return false;
    const name = scanner.name || scanner.tagName();
    if (name === 'svg' || name === 'math') {
      if (!scanner.selfClosing) this.#foreign++;
      this.#mindOpen();
      return false;
    }
    if (this.#foreign > 0) {
      if ((traits & BREAKOUT) === 0) return false;
      this.#foreign = 0;
    }
    if ((traits & RAW_TEXT) !== 0) return true;
    if ((traits & VOID) !== 0) {
      this.#readVoid(name);
      if ((traits & BLOCK) !== 0) this.#captures.breakLine();
      return false;
    }
    if ((traits & BLOCK) !== 0) this.#captures.breakLine();
    else if (this.#captures.open) this.#captures.breakPart();
    this.#captures.start(name);
    this.#readElement(name);
    this.#mindOpen();
    return false;
  }

  #mindOpen(): void {
    this.endTraits = this.#foreign === 0 && this.#captures.isIdle ? 0 : ANY_TAG;
    this.takesText = this.#captures.open;
  }

  endTag(): void {
    const scanner = this.#scanner;
    const name = scanner.name || scanner.tagName();
    if (this.#foreign > 0) {
      if (name === 'svg' || name === 'math') this.#foreign--;
      this.#mindOpen();
      return;
    }
    if ((scanner.traits & BLOCK) !== 0) this.#captures.breakLine();
    else if (this.#captures.open) this.#captures.breakPart();
    this.#captures.end(name);
    this.#mindOpen();
  }

  rawText(): void {
    const scanner = this.#scanner;
    const { name } = scanner;
    if (name === 'title') this.htmlTitle ??= scanner.text().slice(0, MAX_TITLE);
    else if (name === 'script' && scanner.attribute(TYPE)?.toLowerCase().includes('ld+json')) this.#keepScript();
  }

  #keepScript(): void {
    const scanner = this.#scanner;
    this.#scriptLength += scanner.textEnd - scanner.textStart;
    if (this.jsonLd.length < MAX_SCRIPTS && this.#scriptLength <= MAX_SCRIPT_LENGTH) this.jsonLd.push(scanner.text());
  }

  #readVoid(name: string): void {
    if (name === 'meta') this.#readMeta();
    else if (name === 'link') this.#readLink();
    else if (name === 'base') this.base ??= this.#scanner.attribute(HREF);
    else if (name === 'img') {
      const property = this.#scanner.attribute(ITEMPROP);
      if (property === 'image')
        this.findings.add('image', this.#scanner.attribute(attributeName('src')), 'microdata image', 55);
    }
  }

  #readMeta(): void {
    const scanner = this.#scanner;
    const content = scanner.attribute(CONTENT);
    if (content === undefined || content === '') return;
    const property = scanner.attribute(ITEMPROP);
    if (property !== undefined) this.#captures.addProperty(property, content);
    for (const attribute of [PROPERTY, NAME, HTTP_EQUIV]) {
      const name = scanner.attribute(attribute)?.trim().toLowerCase();
      if (name === undefined) continue;
      if (speaksOfUse(name, content) && this.usageMetas.length < MAX_USAGE_METAS) this.usageMetas.push([name, content]);
      // RDFa lets one tag have several properties.
      for (const property of name.includes(' ') ? name.split(' ') : [name]) {
        const meaning = metaMeaning(property);
        if (meaning !== undefined) this.findings.add(meaning.field, content, `meta ${property}`, meaning.weight);
      }
    }
  }

  #readLink(): void {
    const scanner = this.#scanner;
    const href = scanner.attribute(HREF);
    if (href === undefined) return;
    const property = scanner.attribute(ITEMPROP);
    if (property === 'license') this.findings.add('license', href, 'microdata license', 85);
    const rel = ` ${scanner.attribute(REL)?.toLowerCase() ?? ''} `;
    if (rel.includes(' canonical ')) this.canonical ??= href;
    if (rel.includes(' image_src ')) this.findings.add('image', href, 'link image_src', 70);
    if (rel.includes(' license ')) this.findings.add('license', href, 'link license', 90);
    if (rel.includes(' author ')) this.findings.add('author', scanner.attribute(TITLE), 'link author', 60);
  }

  #readElement(name: string): void {
    const scanner = this.#scanner;
    switch (name) {
      case 'html':
        this.findings.add('language', scanner.attribute(LANG) ?? scanner.attribute(XML_LANG), 'html lang', 90);
        return;
      case 'body':
        return;
      case 'a':
        this.#readAnchor();
        break;
    }
    const { tag } = scanner;
    let said = tag?.notes[CLUES_NOTE] as SaidOfElement | undefined;
    if (said === undefined) {
      said = this.#saidOf(name);
      if (said === NOTHING_SAID && (name !== 'a' || this.#isPlainAnchor())) said = MEANS_NOTHING;
      if (tag !== undefined) tag.notes[CLUES_NOTE] = said;
    }
    if (said === NOTHING_SAID || said === MEANS_NOTHING) return;
    const { property, names, told } = said;
    if (said.isElsewhere) this.#captures.mute(name);
    if (name === 'time') this.#readTime(names, property);
    else if (property !== undefined) this.#readProperty(name, property);
    if (this.#isHeadline(name)) this.#captures.take(name, headingClue(name, names));
    if (told === undefined || name === 'main' || name === 'article' || name === 'form') return;
    for (const clue of told.clues)
      if (!this.#isSlug(name, clue)) this.#captures.take(name, clue, this.#writtenDate(clue));
  }

  #saidOf(name: string): SaidOfElement {
    const scanner = this.#scanner;
    const isTelling = scanner.mayHave(TELLING);
    const property = isTelling ? (scanner.attribute(ITEMPROP) ?? scanner.attribute(PROPERTY)) : undefined;
    const names = isTelling ? this.#names() : '';
    const told = names.length > 1 ? this.#cluesOf(names) : undefined;
    const isElsewhere =
      name === 'nav' ||
      name === 'aside' ||
      (name === 'footer' && !/entry|post|article/.test(names)) ||
      (told?.elsewhere === true && mutes(name));
    const saysMore = isElsewhere || property !== undefined || (told !== undefined && told.clues.length > 0);
    return saysMore || name === 'time' || HEADING.test(name) ? { property, names, told, isElsewhere } : NOTHING_SAID;
  }

  /** The id of a heading repeats its words: they tell what the section is about, not what the heading is. */
  #isSlug(name: string, { role }: Clue): boolean {
    if (!HEADING.test(name) || role === 'title' || role === 'banner') return false;
    const classes = (this.#scanner.attribute(CLASS) ?? '').toLowerCase();
    return !this.#cluesOf(classes).clues.some((clue) => clue.role === role);
  }

  /** Manuals begin their pages with headings of any level; later ones of the third and below are those of sections. */
  #isHeadline(name: string): boolean {
    if (name === 'h1' || name === 'h2') {
      this.#headings++;
      return true;
    }
    return (name === 'h3' || name === 'h4' || name === 'h5') && this.#headings++ === 0;
  }

  /** Class and id; where styles are generated, the name for tests is the only one that people wrote. */
  #names(): string {
    const scanner = this.#scanner;
    const id = scanner.attribute(ID);
    const test = scanner.attribute(TEST_ID);
    const names = scanner.attribute(CLASS) ?? '';
    return (id === undefined && test === undefined ? names : `${names} ${id ?? ''} ${test ?? ''}`).toLowerCase();
  }

  #readProperty(name: string, property: string): void {
    const scanner = this.#scanner;
    const clue = clueOfProperty(property);
    if (clue !== undefined) this.#captures.take(name, clue, scanner.attribute(CONTENT) ?? this.#writtenDate(clue));
    else if (/(?:^|[\s:])name$/.test(property)) this.#captures.takeName(name, scanner.attribute(CONTENT));
  }

  #readTime(names: string, property: string | undefined): void {
    const scanner = this.#scanner;
    const named = property === undefined ? undefined : clueOfProperty(property);
    const updated = /updat|modif|aktualis/.test(names) && !/publish/.test(names);
    const clue: Clue = named ?? {
      role: updated ? 'modified' : 'published',
      source: 'time',
      weight: /publi|entry|posted|created/.test(names) ? 74 : 66,
    };
    this.#captures.take('time', clue, scanner.attribute(DATETIME) ?? scanner.attribute(CONTENT));
  }

  /** Dates for machines stand in attributes. */
  #writtenDate(clue: Clue): string | undefined {
    if (clue.role !== 'published' && clue.role !== 'modified' && clue.role !== 'date') return undefined;
    const scanner = this.#scanner;
    const written = scanner.attribute(DATETIME) ?? scanner.attribute(TITLE);
    return written !== undefined && /\d{4}/.test(written) ? written : undefined;
  }

  /** Says nothing but where it leads, and that is no licence. */
  #isPlainAnchor(): boolean {
    const scanner = this.#scanner;
    return scanner.attribute(REL) === undefined && scanner.attribute(HREF)?.includes(LICENCES) !== true;
  }

  #readAnchor(): void {
    const scanner = this.#scanner;
    const rel = scanner.attribute(REL);
    if (rel !== undefined) {
      const clue = clueOfRel(rel, scanner.attribute(HREF) ?? '');
      if (clue !== undefined) this.#captures.take('a', clue);
      if (/(?:^|\s)license(?:\s|$)/i.test(rel))
        this.findings.add('license', scanner.attribute(HREF), 'rel license', 80);
    }
    if (this.#captures.open && (rel === undefined || !/(?:tag|category|author)/i.test(rel)))
      this.#captures.takeAnchor();
    const href = scanner.attribute(HREF);
    // Only where it is written out, not in character references.
    if (
      href !== undefined &&
      href.length >= LICENCES.length &&
      href.includes(LICENCES) &&
      scanner.html.includes(LICENCES)
    )
      this.findings.add('license', href, 'link to a licence', 40);
  }
}

/** Whether a META tag may speak of the use of the page: our own name is not known here, so that some are known by what they say. */
function speaksOfUse(name: string, content: string): boolean {
  return USAGE_META.test(name) || (content.length < 200 && /\bno(?:ai|imageai|index)\b/i.test(content));
}

function mutes(name: string): boolean {
  return name === 'div' || name === 'section' || name === 'ul' || name === 'ol' || name === 'li' || name === 'article';
}

function headingClue(name: string, names: string): Clue {
  const site = /logo|site|brand/.test(names);
  return { role: 'title', source: name, weight: site ? 20 : name === 'h1' ? 70 : name === 'h2' ? 30 : 25 };
}
