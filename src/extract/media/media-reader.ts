import { ANY_TAG, BLOCK, RAW_TEXT, VOID } from '../element-traits.ts';
import type { HtmlScanner } from '../html-scanner.ts';
import type { MarkupReader } from '../scan-once.ts';
import { parseSrcset } from '../srcset.ts';
import { attributeName } from '../tags/attribute-name.ts';
import { decodedText } from '../tags/written-text.ts';
import { isDecoration, isFileReference } from './decoration.ts';
import { collapsed, type FoundMedia, LONGEST_TEXT, type MediaKind } from './media-item.ts';
import { structuredMedia } from './structured-media.ts';

/** Further ones of a page are left out: a gallery of thousands is found by its first. */
const MOST_MEDIA = 200;
/** Characters before and after a picture that belong to it. */
const AROUND = 240;
const MOST_OPEN = 8;
/** Texts that are remembered: as many as may make up the words before a picture. */
const MOST_RECENT = 64;
const BREAK = -1;
const MOST_SCRIPTS = 20;
const LONGEST_SCRIPT = 500_000;
/** Their content is no content of the page, or not shown. */
const MUTED: ReadonlySet<string> = new Set(['nav', 'footer', 'template', 'svg', 'math', 'select', 'button', 'noembed']);

const SRC = attributeName('src');
const SRCSET = attributeName('srcset');
/** Where scripts keep the address until the picture comes into view. */
const LATE = ['data-src', 'data-original', 'data-lazy-src', 'data-lazy', 'data-url'].map(attributeName);
const LATE_SET = ['data-srcset', 'data-lazy-srcset'].map(attributeName);
const ALT = attributeName('alt');
const TITLE = attributeName('title');
const LABEL = attributeName('aria-label');
const ROLE = attributeName('role');
const HIDDEN = attributeName('aria-hidden');
const STYLE = attributeName('style');
const WIDTH = attributeName('width');
const HEIGHT = attributeName('height');
const TYPE = attributeName('type');
const PROPERTY = attributeName('property');
const NAME = attributeName('name');
const CONTENT = attributeName('content');
const HREF = attributeName('href');

interface OpenMedia {
  readonly kind: MediaKind;
  reference: string;
  readonly alt: string;
  caption: string;
  readonly heading: string;
  readonly before: string;
  after: string;
  readonly width: number;
  readonly height: number;
  readonly ornament: boolean;
}

/** Finds pictures, films and sounds of a page and the words that belong to them, in a pass that others may share. */
export class MediaReader implements MarkupReader {
  readonly startTraits = ANY_TAG;
  readonly endTraits = ANY_TAG;
  readonly takesText = true;
  base: string | undefined;
  readonly #scanner: HtmlScanner;
  readonly #media: OpenMedia[] = [];
  readonly #scripts: string[] = [];
  /** og:image and its like, in order: the pictures that the page names for itself, with their own alternative texts. */
  readonly #named: { readonly kind: MediaKind; readonly reference: string; alt: string }[] = [];
  /** The element whose content is passed over, and how often it is open. */
  #muted = '';
  #mutedDepth = 0;
  /** Open articles and mains: a header in one of them belongs to the content. */
  #inContent = 0;
  /** Start and end of the last texts; below 0 where a block begins or ends. */
  #recent: number[] = [];
  /** Those whose words behind them are not complete. Of a gallery the last few: no document may make each tag cost hundreds of texts. */
  #open: OpenMedia[] = [];
  #heading = '';
  /** Texts that are being gathered; undefined outside. */
  #openHeading: string | undefined;
  #openCaption: string | undefined;
  /** Place in `#media` of the first of the open figure; -1 outside of any. */
  #figureFrom = -1;
  /** Of the open figure: it may stand before its picture. */
  #caption = '';
  #player: OpenMedia | undefined;

  constructor(scanner: HtmlScanner) {
    this.#scanner = scanner;
  }

  /** What was found, in the order of the page; those that structured data and the head name come last. */
  found(): FoundMedia[] {
    const shown = this.#media
      .map(({ ornament, before, after, ...media }) => ({
        media: { ...media, words: collapsed(`${before} ${after}`, 2 * AROUND) },
        ornament,
      }))
      .filter(({ media, ornament }) => isFileReference(media.reference) && !isDecoration(media, ornament))
      .map(({ media }) => media);
    const bare = { caption: '', heading: '', words: '', width: 0, height: 0 };
    const named = this.#named.map((media): FoundMedia => ({ ...media, ...bare }));
    const described = [...structuredMedia(this.#scripts), ...named];
    return [
      ...shown,
      ...described.filter((media) => isFileReference(media.reference) && !isDecoration(media, false)),
    ].slice(0, MOST_MEDIA);
  }

  startTag(): boolean {
    const scanner = this.#scanner;
    const { traits } = scanner;
    const name = scanner.name || scanner.tagName();
    if ((traits & RAW_TEXT) !== 0) return true;
    if (this.#muted !== '') {
      if (name === this.#muted && !scanner.selfClosing) this.#mutedDepth++;
      return false;
    }
    if ((traits & BLOCK) !== 0) this.#break();
    if ((traits & VOID) !== 0) this.#void(name);
    else if (MUTED.has(name) || (name === 'header' && this.#inContent === 0)) this.#mute(name);
    else if (name === 'article' || name === 'main') this.#inContent++;
    else if (name === 'video' || name === 'audio') this.#startPlayer(name);
    else if (name === 'figure') this.#figureFrom = this.#media.length;
    else if (name === 'figcaption') this.#openCaption = '';
    else if (isHeading(name)) this.#openHeading = '';
    return false;
  }

  rawText(): void {
    const scanner = this.#scanner;
    if (scanner.name !== 'script' || !scanner.attribute(TYPE)?.toLowerCase().includes('ld+json')) return;
    if (this.#scripts.length < MOST_SCRIPTS && scanner.textEnd - scanner.textStart <= LONGEST_SCRIPT)
      this.#scripts.push(scanner.text());
  }

  endTag(): void {
    const scanner = this.#scanner;
    const name = scanner.name || scanner.tagName();
    if (this.#muted !== '') {
      if (name === this.#muted && --this.#mutedDepth === 0) this.#muted = '';
      return;
    }
    if (name === 'figcaption') this.#endCaption();
    else if (name === 'figure') this.#endFigure();
    else if (name === 'video' || name === 'audio') this.#player = undefined;
    else if (name === 'article' || name === 'main') this.#inContent = Math.max(0, this.#inContent - 1);
    else if (isHeading(name)) this.#endHeading();
    else if ((scanner.traits & BLOCK) !== 0) this.#break();
  }

  text(): void {
    if (this.#muted !== '') return;
    const { textStart, textEnd } = this.#scanner;
    if (this.#openCaption === undefined && this.#openHeading === undefined) this.#remember(textStart, textEnd);
    this.#addText(() => this.#scanner.text());
  }

  #break(): void {
    this.#remember(BREAK, BREAK);
    this.#addText(() => undefined);
  }

  end(): void {
    this.#endFigure();
  }

  #mute(name: string): void {
    if (this.#scanner.selfClosing && (name === 'svg' || name === 'math')) return;
    this.#muted = name;
    this.#mutedDepth = 1;
  }

  #void(name: string): void {
    if (name === 'img') this.#image();
    else if (name === 'source') this.#source();
    else if (name === 'meta') this.#meta();
    else if (name === 'base') this.base ??= this.#scanner.attribute(HREF);
  }

  #image(): void {
    const scanner = this.#scanner;
    const alt = scanner.attribute(ALT);
    const text = alt?.trim() || scanner.attribute(TITLE) || scanner.attribute(LABEL) || '';
    const role = scanner.attribute(ROLE)?.toLowerCase();
    const hidden = scanner.attribute(HIDDEN) === 'true' || /display\s*:\s*none/i.test(scanner.attribute(STYLE) ?? '');
    // An empty alternative text says that there is nothing to be seen.
    const ornament = (alt !== undefined && alt.trim() === '') || role === 'presentation' || role === 'none' || hidden;
    this.#begin('image', this.#imageReference(), ornament && hidden ? '' : text, ornament);
  }

  /** What a browser without scripts would load, unless that only keeps the place of what scripts load. */
  #imageReference(): string {
    const scanner = this.#scanner;
    const src = scanner.attribute(SRC)?.trim() ?? '';
    const late = LATE.map((name) => scanner.attribute(name)?.trim() ?? '').find(isFileReference);
    if (late !== undefined) return late;
    if (isFileReference(src)) return src;
    const sets = [SRCSET, ...LATE_SET].map((name) => scanner.attribute(name)).filter((set) => set !== undefined);
    return largest(sets.map((set) => set.slice(0, 20_000)));
  }

  #startPlayer(kind: 'video' | 'audio'): void {
    const scanner = this.#scanner;
    const text = scanner.attribute(TITLE) || scanner.attribute(LABEL) || '';
    this.#player = this.#begin(kind, scanner.attribute(SRC)?.trim() ?? '', text, false);
  }

  /** Of several forms of a film the first counts; those of a picture are named by its img as well. */
  #source(): void {
    if (this.#player?.reference === '') this.#player.reference = this.#scanner.attribute(SRC)?.trim() ?? '';
  }

  #begin(kind: MediaKind, reference: string, alt: string, ornament: boolean): OpenMedia | undefined {
    if (this.#media.length >= 2 * MOST_MEDIA) return undefined;
    const scanner = this.#scanner;
    // Nobody wants the words around what is left out.
    const before = isFileReference(reference) || kind !== 'image' ? this.#before() : '';
    const media: OpenMedia = {
      ...{ kind, reference, alt: collapsed(alt), caption: '', heading: this.#heading, before, after: '' },
      ...{ width: pixels(scanner.attribute(WIDTH)), height: pixels(scanner.attribute(HEIGHT)), ornament },
    };
    this.#media.push(media);
    this.#open = [...this.#open, media].slice(-MOST_OPEN);
    return media;
  }

  #meta(): void {
    const scanner = this.#scanner;
    const name = (scanner.attribute(PROPERTY) ?? scanner.attribute(NAME) ?? '').toLowerCase();
    const content = scanner.attribute(CONTENT)?.trim() ?? '';
    if (content === '' || this.#named.length >= MOST_SCRIPTS) return;
    if (name === 'og:image' || name === 'og:image:url' || name === 'twitter:image')
      this.#named.push({ kind: 'image', reference: content, alt: '' });
    else if (name === 'og:video' || name === 'og:video:url')
      this.#named.push({ kind: 'video', reference: content, alt: '' });
    else if (name === 'og:image:alt' || name === 'twitter:image:alt') {
      const last = this.#named.findLast(({ kind }) => kind === 'image');
      if (last !== undefined) last.alt ||= collapsed(content);
    }
  }

  /** Text of the page; undefined: a block begins or ends. Most texts stand near no picture, and are never looked at. */
  #addText(text: () => string | undefined): void {
    if (this.#openCaption !== undefined) {
      if (this.#openCaption.length < 2 * LONGEST_TEXT) this.#openCaption += text() ?? ' ';
    } else if (this.#openHeading !== undefined) {
      if (this.#openHeading.length < 2 * LONGEST_TEXT) this.#openHeading += text() ?? ' ';
    } else if (this.#open.length > 0) {
      const plain = (text() ?? ' ').slice(0, 4 * AROUND).replace(/\s+/g, ' ');
      for (const media of this.#open) if (plain !== ' ' || !media.after.endsWith(' ')) media.after += plain;
      this.#open = this.#open.filter(({ after }) => after.length <= AROUND);
    }
  }

  /** The words that stand before what comes now, up to the last heading. */
  #before(): string {
    const { html, bytes } = this.#scanner;
    let words = '';
    for (let at = this.#recent.length - 2; at >= 0 && words.length <= AROUND; at -= 2) {
      const [start, end] = [this.#recent[at], this.#recent[at + 1]];
      words = (start < 0 ? ' ' : decodedText(html, bytes, Math.max(start, end - 4 * AROUND), end)) + words;
      if (words.length > 4 * AROUND) break;
    }
    return words.replace(/\s+/g, ' ').slice(-AROUND);
  }

  #remember(start: number, end: number): void {
    // Two breaks are one.
    if (start < 0 && this.#recent.at(-2) === start) return;
    this.#recent.push(start, end);
    if (this.#recent.length > 4 * MOST_RECENT) this.#recent = this.#recent.slice(-2 * MOST_RECENT);
  }

  #endHeading(): void {
    if (this.#openHeading === undefined) return;
    this.#heading = collapsed(this.#openHeading);
    this.#openHeading = undefined;
    // Another subject begins.
    this.#recent = [];
    this.#open = [];
  }

  #endCaption(): void {
    if (this.#openCaption === undefined) return;
    const caption = collapsed(this.#openCaption);
    this.#openCaption = undefined;
    if (this.#figureFrom >= 0) this.#caption = caption;
  }

  #endFigure(): void {
    if (this.#figureFrom < 0) return;
    this.#endCaption();
    for (const media of this.#media.slice(this.#figureFrom)) media.caption ||= this.#caption;
    this.#caption = '';
    this.#figureFrom = -1;
  }
}

function largest(sets: readonly string[]): string {
  const candidates = sets.flatMap(parseSrcset).filter(({ url }) => isFileReference(url));
  const size = ({ width, density }: (typeof candidates)[number]): number => width ?? (density ?? 1) * 100;
  return candidates.sort((one, other) => size(other) - size(one))[0]?.url ?? '';
}

function pixels(value: string | undefined): number {
  const number = Number.parseInt(value ?? '', 10);
  return number > 0 && number < 100_000 && value?.includes('%') !== true ? number : 0;
}

function isHeading(name: string): boolean {
  return name.length === 2 && name[0] === 'h' && name[1] >= '1' && name[1] <= '6';
}
