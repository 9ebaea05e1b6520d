import { CodePages, codePageOfCharset } from '../compound/code-page.ts';
import { Story } from '../compound/doc/story.ts';
import type { DocumentBuilder } from '../document-builder.ts';
import { hyperlinkOf } from '../open-xml/field-instruction.ts';
import { RtfInfo } from './rtf-info.ts';
import type { RtfHandler } from './rtf-reader.ts';
import { CHARACTERS, NAMED_CODE_PAGES, READ_THOUGH_STARRED, SKIPPED, STORIES } from './rtf-words.ts';

type Destination = 'text' | 'skip' | 'fonts' | 'styles' | 'instruction' | 'info' | 'info-text' | 'info-date' | 'marker';

/** What a group inherits and what its end restores. */
interface Group {
  destination: Destination;
  codePage: number;
  isSymbol: boolean;
  /** Bytes that stand in for a \u character. */
  substitutes: number;
  level: number | undefined;
  inTable: boolean;
  isItem: boolean;
  /** Of the information group. */
  name: string;
  readonly story: Story;
  /** What ends with this group. */
  ends: 'field' | 'story' | undefined;
}

/** Deeper groups are skipped; no writer nests as deep. */
const MAX_DEPTH = 500;
const MAX_GATHERED = 20_000;
const MAX_WAITING = 4_096;
const MAX_STYLES = 10_000;
const NO_DECODING = -1;
/** Looking at the clock costs more than a step. */
const STEPS_PER_LOOK = 1_024;

/**
 * Understands RTF: groups with their state, code pages, fields, tables, and what is not text.
 * Invariant: bytes wait in `#waiting` only while group, font and destination stay the same, so that characters of
 * several bytes are decoded whole and in the code page of their font.
 */
export class RtfDocument implements RtfHandler {
  readonly #document: DocumentBuilder;
  readonly #codePages = new CodePages();
  readonly #info = new RtfInfo();
  readonly #fonts = new Map<number, { codePage?: number; isSymbol: boolean }>();
  readonly #styles = new Map<number, number>();
  readonly #stories: Story[] = [];
  readonly #fields: { url: string | undefined; text: string }[] = [];
  readonly #groups: Group[] = [];
  #group: Group;
  #tooDeep = 0;
  #steps = 0;
  #isStarred = false;
  #toSkip = 0;
  #waiting: number[] = [];
  #gathered = '';
  #marker = '';
  #defaultCodePage = 1252;
  #defaultFont: number | undefined;
  #font = 0;
  #style: { number: number; level: number | undefined } = { number: 0, level: undefined };

  constructor(document: DocumentBuilder) {
    this.#document = document;
    this.#group = {
      destination: 'text',
      codePage: NO_DECODING,
      isSymbol: false,
      substitutes: 1,
      level: undefined,
      inTable: false,
      isItem: false,
      name: '',
      story: new Story(document, true),
      ends: undefined,
    };
  }

  continues(): boolean {
    this.#steps++;
    return this.#steps % STEPS_PER_LOOK !== 0 || (!this.#document.full && this.#document.budget.hasTime());
  }

  open(): void {
    this.#decode();
    this.#isStarred = false;
    this.#toSkip = 0;
    if (this.#groups.length >= MAX_DEPTH) {
      this.#tooDeep++;
      return;
    }
    this.#groups.push(this.#group);
    this.#group = { ...this.#group, ends: undefined };
  }

  close(): void {
    this.#decode();
    this.#isStarred = false;
    this.#toSkip = 0;
    if (this.#tooDeep > 0) {
      this.#tooDeep--;
      return;
    }
    const outer = this.#groups.pop();
    if (outer === undefined) return;
    const inner = this.#group;
    this.#group = outer;
    if (inner.ends === 'field') this.#endField();
    if (inner.ends === 'story') inner.story.end(inner);
    if (inner.destination !== outer.destination) this.#endDestination(inner, outer);
    // The number of a list item stands in a group of its own; that it was one holds for the paragraph.
    if (inner.destination === 'marker') outer.isItem = true;
    // So do the properties of a paragraph that goes on behind the group they were set in.
    else if (inner.story === outer.story && inner.destination === 'text' && !inner.story.isParagraphEmpty) {
      outer.isItem = inner.isItem;
      outer.inTable = inner.inTable;
      outer.level = inner.level;
    }
  }

  byte(value: number): void {
    if (this.#toSkip > 0) {
      this.#toSkip--;
      return;
    }
    if (this.#group.destination === 'skip' || this.#tooDeep > 0) return;
    if (this.#group.isSymbol) this.#emit(value === 0xb7 || value === 0xa7 ? '\u2022' : String.fromCharCode(value));
    else {
      this.#waiting.push(value);
      // A space is never the second byte of a character.
      if (value === 0x20 && this.#waiting.length > MAX_WAITING) this.#decode();
    }
  }

  symbol(code: number): void {
    if (code === 0x2a) {
      this.#isStarred = true;
      return;
    }
    if (this.#toSkip > 0) {
      this.#toSkip--;
      return;
    }
    if (code === 0x7e) this.#emit('\u00a0');
    else if (code === 0x2d) this.#emit('\u00ad');
    else if (code === 0x5f) this.#emit('\u2011');
    else if (code === 0x5c || code === 0x7b || code === 0x7d) this.byte(code);
  }

  word(name: string, value: number | undefined): void {
    if (this.#tooDeep > 0) return;
    if (name === 'u' && value !== undefined) {
      this.#unicode(value);
      return;
    }
    if (this.#toSkip > 0) {
      this.#toSkip--;
      return;
    }
    const starred = this.#isStarred;
    this.#isStarred = false;
    if (this.#group.destination === 'skip') {
      // Of a text given twice, in a code page and in Unicode, the second is read.
      if (name === 'ud') this.#enter('text');
      return;
    }
    const character = CHARACTERS.get(name);
    if (character !== undefined) {
      this.#emit(character);
      return;
    }
    if (this.#opensDestination(name, starred)) return;
    this.#apply(name, value);
  }

  finish(): void {
    this.#decode();
    while (this.#groups.length > 0) {
      this.#tooDeep = 0;
      this.close();
    }
    this.#group.story.end(this.#group);
    for (const story of this.#stories) story.release();
    Object.assign(this.#document.facts, this.#info.facts());
  }

  #unicode(value: number): void {
    if (this.#toSkip > 0) this.#toSkip = 0;
    if (this.#group.destination !== 'skip') this.#emit(String.fromCharCode(value & 0xffff));
    this.#toSkip = Math.min(Math.max(this.#group.substitutes, 0), 100);
  }

  #opensDestination(name: string, starred: boolean): boolean {
    if (STORIES.has(name)) {
      this.#enter('text');
      const story = new Story(this.#document, false);
      this.#stories.push(story);
      this.#group = { ...this.#group, story, ends: 'story', inTable: false, isItem: false, level: undefined };
    } else if (name === 'fonttbl') this.#enter('fonts');
    else if (name === 'stylesheet') this.#enter('styles');
    else if (name === 'info') this.#enter('info');
    else if (name === 'fldinst') this.#enter('instruction');
    else if (name === 'listtext' || name === 'pntext') this.#enter('marker');
    else if (name === 'field') {
      this.#group.ends = 'field';
      this.#fields.push({ url: undefined, text: '' });
    } else if (this.#group.destination === 'info' && RtfInfo.isText(name)) this.#enter('info-text', name);
    else if (this.#group.destination === 'info' && RtfInfo.isDate(name)) this.#enter('info-date', name);
    else if (SKIPPED.has(name) || (starred && !READ_THOUGH_STARRED.has(name))) this.#enter('skip');
    else return false;
    return true;
  }

  #enter(destination: Destination, name = ''): void {
    this.#decode();
    this.#group.destination = destination;
    this.#group.name = name;
    if (destination !== 'text' && destination !== 'skip') this.#gathered = '';
  }

  #endDestination(inner: Group, outer: Group): void {
    if (inner.destination === 'instruction') {
      const field = this.#fields.at(-1);
      if (field !== undefined) field.url ??= hyperlinkOf(this.#gathered);
      this.#gathered = '';
    } else if (inner.destination === 'info-text') this.#info.text(inner.name, this.#gathered);
    else if (inner.destination === 'marker' && outer.destination === 'text') {
      const marker = this.#marker.trim();
      this.#marker = '';
      // A bullet says no more than that it is an item; a number is part of the text.
      if (/[\p{L}\p{N}]/u.test(marker) && marker.length > (outer.isSymbol ? 1 : 0)) outer.story.write(`${marker} `);
    }
  }

  #endField(): void {
    const field = this.#fields.pop();
    if (field === undefined) return;
    const outer = this.#fields.at(-1);
    if (outer !== undefined && outer.text.length < MAX_GATHERED) outer.text += field.text;
    if (field.url !== undefined) this.#document.link(field.url, field.text);
  }

  #apply(name: string, value: number | undefined): void {
    const group = this.#group;
    switch (name) {
      case 'par':
      case 'sect':
      case 'page':
        this.#endParagraph();
        return;
      case 'cell':
        this.#decode();
        group.story.endCell();
        return;
      case 'nestcell':
        this.#decode();
        group.story.endInnerCell();
        return;
      case 'row':
        this.#decode();
        group.isItem = false;
        group.story.endRow();
        return;
      case 'pard':
        this.#decode();
        Object.assign(group, { level: undefined, inTable: false, isItem: false });
        return;
      case 'intbl':
        group.inTable = true;
        return;
      case 'ls':
        group.isItem = true;
        return;
      case 'outlinelevel':
        if (group.destination === 'styles') this.#style.level = (value ?? 9) + 1;
        else if (value !== undefined && value >= 0 && value < 9) group.level = value + 1;
        return;
      case 's':
        if (group.destination === 'styles') this.#style = { number: value ?? 0, level: undefined };
        else group.level = this.#styles.get(value ?? 0);
        return;
      case 'cs':
      case 'ds':
      case 'ts':
        if (group.destination === 'styles') this.#style = { number: -1, level: undefined };
        return;
      case 'uc':
        group.substitutes = value ?? 1;
        return;
      case 'plain':
        this.#decode();
        if (group.destination === 'text') this.#useFont(this.#defaultFont);
        return;
      case 'f':
        this.#decode();
        if (group.destination === 'fonts') this.#font = value ?? 0;
        else this.#useFont(value ?? 0);
        return;
      case 'fcharset':
        this.#defineCharset(value ?? 0);
        return;
      case 'cpg':
        if (group.destination === 'fonts') this.#fonts.set(this.#font, { codePage: value ?? 1252, isSymbol: false });
        return;
      case 'ansicpg':
        this.#defaultCodePage = value === undefined || value === 0 ? 1252 : value;
        return;
      case 'deff':
        this.#defaultFont = value;
        return;
      case 'nofpages':
        this.#info.pages(value ?? 0);
        return;
      default:
        if (group.destination === 'info-date' && value !== undefined) this.#info.datePart(group.name, name, value);
        else if (NAMED_CODE_PAGES.has(name)) this.#defaultCodePage = NAMED_CODE_PAGES.get(name) as number;
    }
  }

  #endParagraph(): void {
    this.#decode();
    if (this.#group.destination !== 'text') return;
    const field = this.#fields.at(-1);
    if (field !== undefined) field.text += ' ';
    this.#group.story.endParagraph(this.#group);
  }

  #defineCharset(charset: number): void {
    if (this.#group.destination !== 'fonts' || this.#fonts.size > MAX_STYLES) return;
    const codePage = codePageOfCharset(charset);
    this.#fonts.set(this.#font, { isSymbol: charset === 2, ...(codePage === undefined ? {} : { codePage }) });
  }

  #useFont(number: number | undefined): void {
    const font = number === undefined ? undefined : this.#fonts.get(number);
    this.#group.codePage = font?.codePage ?? NO_DECODING;
    this.#group.isSymbol = font?.isSymbol === true;
  }

  #decode(): void {
    if (this.#waiting.length === 0) return;
    const bytes = Uint8Array.from(this.#waiting);
    this.#waiting = [];
    const codePage = this.#group.codePage === NO_DECODING ? this.#defaultCodePage : this.#group.codePage;
    this.#put(this.#codePages.decode(bytes, codePage));
  }

  #emit(text: string): void {
    this.#decode();
    this.#put(text);
  }

  #put(text: string): void {
    switch (this.#group.destination) {
      case 'text': {
        const field = this.#fields.at(-1);
        if (field !== undefined && field.text.length < MAX_GATHERED) field.text += text;
        this.#group.story.write(text);
        return;
      }
      case 'styles':
        this.#nameStyle(text);
        return;
      case 'marker':
        if (this.#marker.length < MAX_GATHERED) this.#marker += text;
        return;
      case 'instruction':
      case 'info-text':
        if (this.#gathered.length < MAX_GATHERED) this.#gathered += text;
        return;
      default:
    }
  }

  #nameStyle(text: string): void {
    const { number, level } = this.#style;
    if (number < 0 || this.#styles.size > MAX_STYLES) return;
    const named = /^\s*(?:heading|\u00fcberschrift|titre)\s*([1-9])\b/i.exec(text)?.[1];
    const found = named === undefined ? (/^\s*title;?\s*$/i.test(text) ? 1 : level) : Number(named);
    if (found !== undefined && found <= 9) this.#styles.set(number, found);
  }
}
