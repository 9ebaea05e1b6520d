import type { ByteText } from '../byte-text.ts';
import { BLOCK, VOID } from '../element-traits.ts';
import { attributeName, HtmlScanner } from '../html-scanner.ts';
import { parseRefresh } from '../meta-refresh.ts';
import { rawTextEnd } from '../raw-text.ts';
import { areAlike, type Colour, colourOf, TRANSPARENT, UNKNOWN_COLOUR } from './colour.ts';
import { firstSight, type PageSight, type Sight, sightOf } from './element-sight.ts';
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
/** An end tag closes no element that was opened longer ago than so many others. */
const FARTHEST_END = 40;
/** Programs are not read: a redirect that comes at once is a line or two. */
const LONGEST_SCRIPT = 20_000;

/** One pass over the markup: hidden texts, redirects, frames, alternative texts. Only what hides or leads away costs more than its tags. */
export class PageWalk {
  readonly hidden = new HiddenTexts();
  readonly alts: string[] = [];
  /** Goals of META refreshs that come at once, and of scripts. */
  readonly refreshes: string[] = [];
  readonly redirects: ScriptRedirect[] = [];
  /** Sources of frames that cover the whole page. */
  readonly covers: string[] = [];

  readonly #scanner: HtmlScanner;
  readonly #siteOf: (reference: string) => string | undefined;
  readonly #readsScripts: boolean;
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

  /** `siteOf` answers the other site that a reference leads to; undefined where it stays. Scripts are read on demand. */
  constructor(html: ByteText, siteOf: (reference: string) => string | undefined, readsScripts: boolean) {
    this.#scanner = new HtmlScanner(html, true);
    this.#readsScripts = readsScripts;
    this.#siteOf = siteOf;
    // Sheets count for the elements before them too, so they are read first.
    const tag = html.includes('<style') ? '<style' : '<STYLE';
    for (let at = html.indexOf(tag); at !== -1; at = html.indexOf(tag, at)) {
      const start = html.indexOf('>', at) + 1;
      if (start === 0) break;
      at = rawTextEnd(html, start, 'style');
      this.#sheet.add(html.slice(start, at));
    }
    this.#sheet.settle();
    this.#styled = !this.#sheet.isEmpty;
    this.#page.sheetsElsewhere = this.#sheet.isPartial;
  }

  read(): void {
    const scanner = this.#scanner;
    for (;;) {
      const token = scanner.next();
      if (token === 'start-tag') this.#start();
      else if (token === 'end-tag') this.#end();
      else if (token === 'text') this.#text();
      else return;
    }
  }

  #start(): void {
    const scanner = this.#scanner;
    const { name } = scanner;
    switch (name) {
      case 'script':
        this.#script();
        return;
      case 'style':
      case 'textarea':
      case 'title':
      case 'noembed':
      case 'xmp':
        scanner.readRawText(name);
        return;
      case 'iframe':
        this.#frame(true);
        scanner.readRawText(name);
        return;
      case 'frame':
        this.#frame(false);
        return;
      case 'meta':
        this.#meta();
        return;
      case 'link':
        if (/stylesheet/i.test(scanner.attribute(REL) ?? '')) this.#page.sheetsElsewhere = true;
        return;
      case 'img':
        this.#image();
        return;
    }
    if ((scanner.traits & VOID) !== 0) return;
    this.#closeImplied(name, (scanner.traits & BLOCK) !== 0);
    this.#push(name);
  }

  #push(name: string): void {
    if (this.#names.length >= DEEPEST) return;
    const parent = this.#sight;
    const looks = this.#looksOf(name, parent);
    this.#names.push(name);
    this.#sights.push(parent);
    let sight = looks === undefined ? parent : sightOf(parent, looks, this.#page, name === 'body' || name === 'html');
    if (sight.hidden !== undefined) sight = this.#inHiding(name, sight, parent, looks);
    if (sight === parent) return;
    this.#sight = sight;
    this.#scanner.wantsText = sight.hidden !== undefined;
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
    const style = this.#scanner.attribute(STYLE);
    if (style !== undefined) looks = joined(looks, this.#styleOf(style));
    looks = joined(looks, this.#attributeLooks(name));
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

  #end(): void {
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
    if (sight === this.#sight) return;
    this.#sight = sight;
    this.#scanner.wantsText = sight.hidden !== undefined;
  }

  #text(): void {
    const { hidden, excused } = this.#sight;
    if (hidden === undefined || excused) return;
    const text = this.#scanner.text().trim();
    if (text === '') return;
    if (this.#anchorDepth < 0) this.hidden.add(hidden, text);
    else if (this.#anchorSite !== undefined && text.length >= LONG_ANCHOR)
      this.hidden.addForeignLink(hidden, this.#anchorSite);
  }

  #script(): void {
    const scanner = this.#scanner;
    const type = scanner.attribute(TYPE) ?? '';
    scanner.readRawText('script');
    const length = scanner.textEnd - scanner.textStart;
    if (!this.#readsScripts || length < 12 || length > LONGEST_SCRIPT || /json|template|html/i.test(type)) return;
    const redirect = scriptRedirect(scanner.html.slice(scanner.textStart, scanner.textEnd));
    if (redirect !== undefined) this.redirects.push(redirect);
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

function joined(first: Looks | undefined, second: Looks | undefined): Looks | undefined {
  return first === undefined || second === undefined ? (first ?? second) : { ...first, ...second };
}

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
