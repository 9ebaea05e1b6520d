import { ANY_TAG, BLOCK, RAW_TEXT, VOID } from '../element-traits.ts';
import type { HtmlScanner } from '../html-scanner.ts';
import { documentKernel } from '../kernel/document-kernel.ts';
import { parseRefresh } from '../meta-refresh.ts';
import { rawTextEnd } from '../raw-text.ts';
import type { MarkupReader } from '../scan-once.ts';
import { attributeBits, attributeName } from '../tags/attribute-name.ts';
import { areAlike, type Colour, colourOf, TRANSPARENT, UNKNOWN_COLOUR } from './colour.ts';
import { firstSight, type PageSight, type Sight, visibilityOf } from './element-sight.ts';
import { HiddenTexts } from './hidden-texts.ts';
import { type Looks, readLooks } from './looks.ts';
import { type ScriptRedirect, scriptRedirect } from './script-redirect.ts';
import type { StyledElement } from './selector.ts';
import { StyleSheet } from './style-sheet.ts';

/** An alternative text that is shorter holds no list of keywords. */
const LONG_ALT = 50;
/** Links with shorter texts are buttons: "Facebook", "RSS", "Follow us". */
const LONG_ANCHOR = 12;
const MOST_ALTS = 12;
const DEEPEST = 512;
/** An end tag closes no element that was opened longer ago than this many others. */
const FARTHEST_END = 40;
/** Programs are not read: a redirect that comes at once is a line or two. */
const LONGEST_SCRIPT = 20_000;
const SHORTEST_SCRIPT = 12;

/** Finds hidden texts, redirects, frames, alternative texts. Only what hides or leads away costs more than its tags. */
export class PageWalk implements MarkupReader {
  readonly startTraits = ANY_TAG;
  readonly endTraits = ANY_TAG;
  takesText = false;
  readonly hidden = new HiddenTexts();
  readonly alts: string[] = [];
  /** Goals of META refreshs that come at once. */
  readonly refreshes: string[] = [];
  /** Sources of frames that cover the whole page. */
  readonly covers: string[] = [];

  readonly #scanner: HtmlScanner;
  readonly #siteOf: (reference: string) => string | undefined;
  /** Start and end of each script that is short enough to be read, if somebody asks. */
  readonly #scripts: number[] = [];
  readonly #sheet = new StyleSheet();
  readonly #styles = new Map<string, Looks | undefined>();
  readonly #page: { sheetsElsewhere: boolean } & PageSight = { sheetsElsewhere: false };
  /** Open elements: their names, and what selectors see of them where the page has rules that matter. */
  readonly #names: string[] = [];
  readonly #open: StyledElement[] = [];
  readonly #styled: boolean;
  readonly #sights: Sight[] = [];
  #sight = firstSight;
  #anchorDepth = -1;
  /** The other site that the open link leads to. */
  #anchorSite: string | undefined;

  /** `siteOf` answers the other site that a reference leads to; undefined where it stays. */
  constructor(scanner: HtmlScanner, siteOf: (reference: string) => string | undefined) {
    const { html } = scanner;
    this.#scanner = scanner;
    this.#siteOf = siteOf;
    // Sheets count for the elements before them too, so they are read first.
    const isShouting = SHOUTING.test(html.slice(0, OPENING));
    for (let at = styleFrom(scanner, 0, isShouting); at !== -1; at = styleFrom(scanner, at, isShouting)) {
      const start = html.indexOf('>', at) + 1;
      if (start === 0) break;
      at = rawTextEnd(html, start, 'style');
      this.#sheet.add(html.slice(start, at));
    }
    this.#sheet.settle();
    this.#styled = !this.#sheet.isEmpty;
    this.#page.sheetsElsewhere = this.#sheet.isPartial;
  }

  /** Redirects by scripts: to be asked for where they would matter, since to read programs costs more than all the rest. */
  redirects(): readonly ScriptRedirect[] {
    const { html } = this.#scanner;
    const found: ScriptRedirect[] = [];
    for (let at = 0; at < this.#scripts.length; at += 2) {
      const redirect = scriptRedirect(html.slice(this.#scripts[at], this.#scripts[at + 1]));
      if (redirect !== undefined) found.push(redirect);
    }
    return found;
  }

  startTag(): boolean {
    const { name, traits } = this.#scanner;
    if ((traits & RAW_TEXT) !== 0 && name !== 'noframes' && name !== 'plaintext') {
      if (name === 'iframe') this.#frame(true);
      return true;
    }
    if ((traits & VOID) !== 0) {
      this.#void(name);
      return false;
    }
    this.#closeImplied(name, (traits & BLOCK) !== 0);
    this.#push(name);
    return false;
  }

  #void(name: string): void {
    if (name === 'img') this.#image();
    else if (name === 'meta') this.#meta();
    else if (name === 'frame') this.#frame(false);
    else if (name === 'link' && /stylesheet/i.test(this.#scanner.attribute(REL) ?? ''))
      this.#page.sheetsElsewhere = true;
  }

  #push(name: string): void {
    if (this.#names.length >= DEEPEST) return;
    const parent = this.#sight;
    const looks = this.#looksOf(name, parent);
    this.#names.push(name);
    this.#sights.push(parent);
    let sight =
      looks === undefined ? parent : visibilityOf(parent, looks, this.#page, name === 'body' || name === 'html');
    if (sight.hidden !== undefined) sight = this.#inHiding(name, sight, parent, looks);
    if (sight !== parent) this.#see(sight);
  }

  /** What style sheets, style and attributes say of the element that begins. */
  #looksOf(name: string, parent: Sight): Looks | undefined {
    let looks: Looks | undefined;
    if (this.#styled) {
      const depth = this.#open.length;
      const classes = this.#scanner.attribute(CLASS) ?? '';
      const element = { name, classes, id: this.#scanner.attribute(ID) ?? '' };
      if (parent.hidden !== undefined || this.#sheet.mayHide(element, this.#open, depth))
        looks = this.#sheet.looksOf(element, this.#open, depth);
      this.#open.push(element);
    }
    if (this.#scanner.mayHave(LOOKS)) {
      const style = this.#scanner.attribute(STYLE);
      if (style !== undefined) looks = joined(looks, this.#styleOf(style));
      looks = joined(looks, this.#attributeLooks(name));
    }
    if (looks?.colour === undefined || looks.background !== undefined || !areAlike(looks.colour, parent.background))
      return looks;
    const ground = this.#groundBelow(parent);
    return ground === parent.background ? looks : { ...looks, background: ground };
  }

  /** The ground that the open elements lay, from the inside out; rules that only lay grounds are not looked at before. */
  #groundBelow(parent: Sight): Colour {
    const depth = this.#names.length;
    for (let at = depth - 1; at >= 0 && this.#styled; at--) {
      const inner = at === depth - 1 ? parent : this.#sights[at + 1];
      if (inner.background !== this.#sights[at].background) return inner.background;
      const ground = this.#sheet.looksOf(this.#open[at], this.#open, at)?.background;
      if (ground !== undefined && ground !== TRANSPARENT) return ground;
    }
    return parent.background;
  }

  /** What an element inside of hidden text changes: links, menus, and letters whose size a rule elsewhere sets. */
  #inHiding(name: string, sight: Sight, parent: Sight, looks: Looks | undefined): Sight {
    const { hidden } = sight;
    if (hidden === undefined) return sight;
    if (name === 'a') {
      this.#anchorDepth = this.#names.length;
      this.#anchorSite = sight.excused ? undefined : this.#siteOf(this.#scanner.attribute(HREF) ?? '');
      return sight;
    }
    if (!sight.excused && EXCUSED.has(name || this.#scanner.tagName())) return { ...sight, excused: true };
    const inheritedFont = sight.fontPixels < 4 && parent.fontPixels < 4 && looks?.fontPixels === undefined;
    if (inheritedFont && this.#page.sheetsElsewhere && this.#scanner.attribute(CLASS) !== undefined)
      return { ...sight, fontPixels: 16, hidden: sight.away };
    return sight;
  }

  #styleOf(style: string): Looks | undefined {
    if (this.#styles.has(style)) return this.#styles.get(style);
    const looks = readLooks(style, 0, style.length);
    this.#styles.set(style, looks);
    return looks;
  }

  /** The looks that attributes give: older than style sheets, and still understood by every browser. */
  #attributeLooks(name: string): Looks | undefined {
    const scanner = this.#scanner;
    if (name === 'font') {
      const colour = scanner.attribute(COLOR);
      return colour === undefined ? undefined : { colour: colourOf(colour.trim().toLowerCase()) ?? UNKNOWN_COLOUR };
    }
    let looks: Looks | undefined;
    if (scanner.attribute(HIDDEN) !== undefined) looks = { shown: false };
    const ground = scanner.attribute(BGCOLOR);
    if (ground !== undefined) looks = { ...looks, background: colourOf(ground.trim().toLowerCase()) ?? UNKNOWN_COLOUR };
    if (name === 'body') {
      const colour = scanner.attribute(TEXT);
      if (colour !== undefined) looks = { ...looks, colour: colourOf(colour.trim().toLowerCase()) ?? UNKNOWN_COLOUR };
    }
    if ((name === 'body' || name === 'table' || name === 'td') && scanner.attribute(BACKGROUND) !== undefined)
      looks = { ...looks, background: UNKNOWN_COLOUR };
    return looks;
  }

  /** Elements whose end tag is often left out. */
  #closeImplied(name: string, isBlock: boolean): void {
    const depth = this.#names.length;
    if (depth === 0) return;
    const top = this.#names[depth - 1];
    if ((top === 'p' && isBlock) || (top === name && REPEATS.has(name))) this.#pop();
  }

  endTag(): void {
    const { name } = this.#scanner;
    const names = this.#names;
    const lowest = Math.max(0, names.length - FARTHEST_END);
    for (let at = names.length - 1; at >= lowest; at--) {
      if (names[at] !== name) continue;
      while (names.length > at) this.#pop();
      return;
    }
  }

  #pop(): void {
    this.#names.pop();
    if (this.#styled) this.#open.pop();
    const sight = this.#sights.pop() ?? firstSight;
    if (this.#names.length < this.#anchorDepth) this.#anchorDepth = -1;
    if (sight !== this.#sight) this.#see(sight);
  }

  #see(sight: Sight): void {
    this.#sight = sight;
    this.takesText = sight.hidden !== undefined && !sight.excused;
  }

  text(): void {
    const { hidden, excused } = this.#sight;
    if (hidden === undefined || excused) return;
    const text = this.#scanner.text().trim();
    if (text === '') return;
    if (this.#anchorDepth < 0) this.hidden.add(hidden, text);
    else if (this.#anchorSite !== undefined && text.length >= LONG_ANCHOR)
      this.hidden.addForeignLink(hidden, this.#anchorSite);
  }

  rawText(): void {
    const scanner = this.#scanner;
    if (scanner.name !== 'script') return;
    const length = scanner.textEnd - scanner.textStart;
    if (length < SHORTEST_SCRIPT || length > LONGEST_SCRIPT) return;
    if (/json|template|html/i.test(scanner.attribute(TYPE) ?? '')) return;
    this.#scripts.push(scanner.textStart, scanner.textEnd);
  }

  #meta(): void {
    if (this.#scanner.attribute(HTTP_EQUIV)?.toLowerCase() !== 'refresh') return;
    const refresh = parseRefresh(this.#scanner.attribute(CONTENT) ?? '');
    if (refresh !== undefined && refresh.seconds <= 3 && refresh.url !== '') this.refreshes.push(refresh.url);
  }

  #image(): void {
    const alt = this.#scanner.attribute(ALT);
    if (alt !== undefined && alt.length >= LONG_ALT && this.alts.length < MOST_ALTS) this.alts.push(alt);
  }

  #frame(isInline: boolean): void {
    const source = this.#scanner.attribute(SRC);
    if (source === undefined) return;
    const size = `${this.#scanner.attribute(STYLE) ?? ''};width:${this.#scanner.attribute(WIDTH)};height:${this.#scanner.attribute(HEIGHT)}`;
    if (
      !isInline ||
      (/position:\s*fixed/i.test(size) && /width:\s*100(?:%|vw)/i.test(size) && /height:\s*100(?:%|vh)/i.test(size))
    )
      this.covers.push(source);
  }
}

/** Where the next style sheet begins; -1 where there is none. */
function styleFrom({ html, bytes }: HtmlScanner, from: number, isShouting: boolean): number {
  if (isShouting) return html.indexOf('<STYLE', from);
  const kernel = documentKernel();
  if (!kernel?.hold(bytes)) return html.indexOf('<style', from);
  for (let at = kernel.findStyle(from, html.length); at !== -1; at = kernel.findStyle(at + 1, html.length))
    if (html.startsWith('<style', at)) return at;
  return -1;
}

function joined(first: Looks | undefined, second: Looks | undefined): Looks | undefined {
  return first === undefined || second === undefined ? (first ?? second) : { ...first, ...second };
}

/** Documents whose tags are in capitals say so at once; to look for both in all of a document costs as much again. */
const SHOUTING = /<(?:HTML|HEAD|TITLE|META|BODY)\b/;
const OPENING = 1024;
const EXCUSED = new Set('nav select button label noscript template svg menu form dialog table option math'.split(' '));
const REPEATS = new Set('p li td th tr dt dd option'.split(' '));

const ALT = attributeName('alt');
const BACKGROUND = attributeName('background');
const BGCOLOR = attributeName('bgcolor');
const CLASS = attributeName('class');
const COLOR = attributeName('color');
const CONTENT = attributeName('content');
const HEIGHT = attributeName('height');
const HIDDEN = attributeName('hidden');
const HREF = attributeName('href');
const HTTP_EQUIV = attributeName('http-equiv');
const ID = attributeName('id');
const REL = attributeName('rel');
const SRC = attributeName('src');
const STYLE = attributeName('style');
const TEXT = attributeName('text');
const TYPE = attributeName('type');
const WIDTH = attributeName('width');
/** Attributes that change how an element looks by themselves. */
const LOOKS = attributeBits([STYLE, HIDDEN, BGCOLOR, BACKGROUND, TEXT, COLOR]);
