import { CodeUnits } from '../../base/code-units.ts';
import { hasVectors } from '../../base/wasm/has-vectors.ts';
import type { SketchMethod } from '../../contracts/content/content-sketch.ts';
import type { PageAbout } from '../../contracts/content/page-about.ts';
import { Sketcher } from '../../dedupe/near/sketcher.ts';
import { LanguageIdentifier } from '../../extract/language/language-identifier.ts';
import { TreeRooms } from '../../extract/main-content/tree-columns.ts';
import { createWordCounter } from '../../extract/main-content/word-counter.ts';
import { NameMemory } from '../../extract/name-memory.ts';
import { type PageOptions, type PageReaders, pageReaders, readingOf, readPage } from '../../extract/read-page.ts';
import type { ReaderMakers } from '../../extract/scan-once.ts';
import { detach } from '../../extract/white-space.ts';
import type { ConvertedText } from './convert-to-text.ts';
import type { ExtractedContent } from './extracted-content.ts';
import { fallbackText } from './fallback-text.ts';
import { FoldedText } from './folded-text.ts';
import { type TextUnits, textDigest } from './text-digest.ts';

/** Characters of a text that tell whether it says "not found". */
const OPENING = 400;
const LONGEST_VALUE = 500;
const MOST_VALUES = 20;
/** Characters that tell the language: a few sentences are enough. */
const LANGUAGE_SAMPLE = 400;

/** What is looked for besides text, metadata and language. */
export interface DescriberLooks {
  readonly contentSketch: boolean;
  /** How the sketch is made, where not by default. */
  readonly sketchMethod?: SketchMethod;
  readonly spam: boolean;
  /** What the page names itself, for the index. */
  readonly headings?: boolean;
}

/** What a page or a converted document says: text, metadata, language. Loaded where text is wanted. */
export class DocumentDescriber {
  readonly #languages = new LanguageIdentifier();
  readonly #sketches: Sketcher;
  readonly #names = new NameMemory();
  readonly #rooms = new TreeRooms();
  readonly #units = new CodeUnits();
  readonly #counter = createWordCounter();
  readonly #folding = hasVectors() ? new FoldedText() : undefined;
  readonly #looks: DescriberLooks;

  constructor(looks: DescriberLooks) {
    this.#looks = looks;
    this.#sketches = new Sketcher(looks.sketchMethod === undefined ? {} : { method: looks.sketchMethod });
  }

  /** The readers of a page at this URL, for who leads others through it. */
  readers(url: string): ReaderMakers<PageReaders> {
    return pageReaders(this.#optionsFor(url));
  }

  /** `readers`: those of the page, where somebody has led them through it already. */
  html(source: Uint8Array | string, url: string, linkCount: number, readers?: PageReaders): ExtractedContent {
    const read = readers === undefined ? readPage(source, this.#optionsFor(url)) : readingOf(readers, { url });
    const { content, metadata: told, spamSigns, headings } = read;
    const { text } = content;
    // Whoever reads each character of the text reads it here: its words are counted, compared and folded.
    const units = this.#units.of(text);
    const { words, betweenBlanks } = this.#counter.count(units, text.length);
    const about: PageAbout = {
      title: short(told.title?.value),
      ...list('authors', told.authors),
      published: told.published?.value,
      modified: told.modified?.value,
      siteName: short(told.siteName?.value),
      description: short(told.description?.value),
      image: told.image?.value.startsWith('data:') ? undefined : told.image?.value.slice(0, 2048),
      ...list('keywords', told.tags),
      declaredLanguage: told.language?.value,
      ...this.#language(text, told.language?.value),
      textLength: text.length,
      words,
    };
    const digest =
      text === ''
        ? textDigest({ title: about.title ?? '', text: fallbackText(source, url) })
        : textDigest({ title: about.title ?? '', text }, this.#foldedBy(units));
    const extracted: ExtractedContent = {
      ...this.#kept(text, content.unlinked, units, betweenBlanks),
      textDigest: digest,
      about,
      usageMetas: told.usageMetas,
      links: [],
      ...(headings === undefined ? {} : { headings }),
      ...(spamSigns === undefined ? {} : { spam: spamSigns({ text: content.prose, linkCount, ...clues(about) }) }),
    };
    read.giveBack();
    return extracted;
  }

  document(converted: ConvertedText): ExtractedContent {
    if (converted.kind === 'unreadable') {
      const { why, detail } = converted;
      return { about: { unreadable: `${why}: ${detail}`, textLength: 0, words: 0 }, links: [] };
    }
    const { text, html, document } = converted;
    const units = this.#units.of(text);
    const { betweenBlanks } = this.#counter.count(units, text.length);
    const about: PageAbout = {
      title: short(document.title),
      ...(document.authors.length === 0 ? {} : { authors: document.authors.slice(0, MOST_VALUES) }),
      published: document.created,
      modified: document.modified,
      description: short(document.description),
      ...(document.keywords === undefined ? {} : { keywords: document.keywords.slice(0, MOST_VALUES) }),
      declaredLanguage: document.language,
      ...this.#language(text, document.language),
      textLength: text.length,
      words: betweenBlanks,
      pages: document.pages,
      cut: document.cut,
    };
    const title = about.title ?? '';
    const digest = text === '' ? {} : { textDigest: textDigest({ title, text }, this.#foldedBy(units)) };
    return {
      ...this.#kept(text, text, units, betweenBlanks),
      ...digest,
      ...(html === undefined ? {} : { html }),
      about,
      links: document.links.map((link) => ({ ...link, kind: 'a' })),
    };
  }

  #optionsFor(url: string): PageOptions {
    const { spam, headings = false } = this.#looks;
    return { url, spam, headings, names: this.#names, rooms: this.#rooms };
  }

  #foldedBy(units: Uint16Array): TextUnits | undefined {
    return this.#folding === undefined ? undefined : { units, folding: this.#folding };
  }

  /** The text and what finds others like it. */
  #kept(
    text: string,
    unlinked: string,
    units: Uint16Array,
    betweenBlanks: number,
  ): Pick<ExtractedContent, 'text' | 'opening' | 'said' | 'contentSketch'> {
    if (text === '') return {};
    const contentSketch = this.#looks.contentSketch ? this.#sketches.of(text, units) : undefined;
    const own = unlinked || text;
    const words = own === text ? betweenBlanks : this.#counter.count(this.#units.of(own), own.length).betweenBlanks;
    const opening = openingOf(text);
    const said = { opening: own === text ? opening : openingOf(own), words };
    return { text, opening, said, ...(contentSketch === undefined ? {} : { contentSketch }) };
  }

  /** A guess on little text counts only where the document says the same. */
  #language(text: string, declared: string | undefined): Pick<PageAbout, 'language' | 'languageConfidence'> {
    const found = this.#languages.identify(text, { maxLength: LANGUAGE_SAMPLE });
    return found === undefined || (!found.reliable && declared?.split('-')[0] !== found.language)
      ? {}
      : { language: found.language, languageConfidence: Math.round(found.confidence * 100) / 100 };
  }
}

function clues({ title, description, keywords }: PageAbout): Pick<PageAbout, 'title' | 'description' | 'keywords'> {
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(keywords === undefined ? {} : { keywords }),
  };
}

/** In memory of its own: it waits for longer than the text. */
function openingOf(text: string): string {
  return detach(text.slice(0, OPENING));
}

function short(value: string | undefined): string | undefined {
  return value === undefined || value === '' ? undefined : value.slice(0, LONGEST_VALUE);
}

function list<Key extends string>(
  key: Key,
  told: readonly { readonly value: string }[],
): { readonly [K in Key]?: readonly string[] } {
  if (told.length === 0) return {};
  const values = told.slice(0, MOST_VALUES).map(({ value }) => value.slice(0, LONGEST_VALUE));
  return { [key]: values } as unknown as { readonly [K in Key]: readonly string[] };
}
