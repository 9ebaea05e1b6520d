import type { ByteSource } from './byte-text.ts';
import { ElementReader } from './element-reader.ts';
import { ANY_TAG, BLOCK, RAW_TEXT, READ, TABLE_PART } from './element-traits.ts';
import type { ExtractOptions } from './extract-options.ts';
import { ForeignContent } from './foreign-content.ts';
import { HtmlScanner } from './html-scanner.ts';
import type { MarkupReader } from './scan-once.ts';
import { CollapsedText } from './texts/collapsed-text.ts';

/** A document read alone, in a pass in which nothing is met that nobody asks for; answers the visible text, too. */
export function readAlone(source: ByteSource, options: ExtractOptions): PageReader {
  const scanner = new HtmlScanner(source);
  const reader = new PageReader(scanner, options, true);
  for (;;) {
    switch (scanner.next()) {
      case 'start-tag':
        if (reader.startTag()) {
          scanner.readRawText(scanner.name);
          reader.rawText();
        }
        break;
      case 'end-tag':
        reader.endTag();
        break;
      case 'text':
        reader.text();
        break;
      default:
        reader.end();
        return reader;
    }
  }
}

/**
 * Leads the tags and texts of one document to those who read them, in one pass. It knows where markup is no markup
 * (raw text, templates, foreign content) and who wants the text at hand.
 */
export class PageReader implements MarkupReader {
  startTraits = ANY_TAG;
  endTraits = ANY_TAG;
  /** Somebody takes the text that comes. */
  takesText = false;
  readonly elements: ElementReader;
  /** The visible text, where it was asked for; to be had at the end. */
  visibleText = '';
  /** The others who are led by the scanner have taken text of SVG or MathML for a comment, and what follows for something else. */
  isLost = false;
  readonly #scanner: HtmlScanner;
  /** Nobody else is led by the scanner. */
  readonly #alone: boolean;
  readonly #foreign = new ForeignContent();
  readonly #visible: CollapsedText | undefined;
  readonly #scripting: boolean;
  readonly #xhtml: boolean;
  /** Depth of foreign content at each open `<template>`: its content is inert, no part of the page. */
  readonly #templates: number[] = [];
  #passedSections = 0;

  constructor(scanner: HtmlScanner, options: ExtractOptions, alone = false) {
    this.#scanner = scanner;
    this.#alone = alone;
    this.elements = new ElementReader(scanner, options);
    this.#visible = options.text === true ? new CollapsedText(16_384) : undefined;
    this.#scripting = options.scripting === true;
    this.#xhtml = options.xhtml === true;
    this.#updateForeign();
    this.#updateWants();
  }

  text(): void {
    this.#mindSections();
    if (this.takesText) this.#readText();
  }

  end(): void {
    this.#mindSections();
    this.elements.anchor.end();
    this.visibleText = this.#visible?.take() ?? '';
  }

  #readText(): void {
    const scanner = this.#scanner;
    const { anchor, inNoscript } = this.elements;
    if (anchor.isOpen && !this.#foreign.hidesText)
      anchor.add(scanner.bytes, scanner.textStart, scanner.textEnd, scanner.literal);
    // Text in SVG is a label of a picture.
    if (this.#visible !== undefined && !inNoscript && this.#foreign.namespace !== 'svg')
      this.#visible.add(scanner.bytes, scanner.textStart, scanner.textEnd, scanner.literal);
  }

  startTag(): boolean {
    this.#mindSections();
    const scanner = this.#scanner;
    const { name, traits } = scanner;
    if (this.#foreign.active || name === 'svg' || name === 'math') {
      const namespace = this.#foreign.start(scanner);
      this.#updateForeign();
      if (namespace !== 'html') {
        if (name === 'a' && namespace === 'svg' && this.#templates.length === 0) this.elements.readForeignAnchor();
        this.#updateWants();
        return false;
      }
    }
    if (traits === 0) return false;
    this.#breakText(true);
    if ((traits & READ) === 0) return false;
    if (this.#templates.length === 0) this.elements.read();
    if (this.#xhtml && scanner.selfClosing) this.elements.readEnd();
    else if ((traits & RAW_TEXT) !== 0 || (this.#scripting && name === 'noscript')) return true;
    else if (name === 'template') this.#templates.push(this.#foreign.depth);
    this.#updateWants();
    return false;
  }

  endTag(): void {
    this.#mindSections();
    const scanner = this.#scanner;
    if (this.#foreign.active) {
      const taken = this.#foreign.end(scanner);
      this.#updateForeign();
      if (taken) {
        if (scanner.name === 'a') this.elements.anchor.close();
        this.#updateWants();
        return;
      }
    }
    if (scanner.traits === 0) return;
    this.#breakText(false);
    if ((scanner.traits & READ) === 0) return;
    if (scanner.name === 'template') this.#leaveTemplate();
    else if (this.#templates.length === 0) this.elements.readEnd();
    this.#updateWants();
  }

  #mindSections(): void {
    const { passedSections } = this.#scanner;
    if (passedSections === this.#passedSections) return;
    this.#passedSections = passedSections;
    if (this.#foreign.namespace !== 'html') this.isLost = true;
  }

  #updateForeign(): void {
    if (this.#alone) this.#scanner.foreign = this.#xhtml || this.#foreign.namespace !== 'html';
  }

  #leaveTemplate(): void {
    const depth = this.#templates.pop();
    if (depth === undefined) return;
    this.#foreign.cut(depth);
    this.#updateForeign();
  }

  /** Raw text is the title, or visible in a box of its own, or nothing to a reader. */
  rawText(): void {
    const { name } = this.#scanner;
    if (this.#templates.length === 0) {
      if (name === 'title') this.elements.readTitle();
      else if (name === 'style') this.elements.readStyleSheet();
      else if ((name === 'textarea' || name === 'xmp' || name === 'plaintext') && this.takesText) this.#readText();
    }
    this.#updateWants();
  }

  #breakText(starts: boolean): void {
    const { traits, name } = this.#scanner;
    const { anchor } = this.elements;
    if ((traits & BLOCK) !== 0) {
      if (anchor.isOpen) anchor.breakWord();
      this.#visible?.breakBlock();
    }
    if ((traits & TABLE_PART) !== 0) {
      this.#visible?.breakWord();
      if (anchor.isOpen && this.#templates.length === 0) {
        anchor.passTablePart(name, starts);
        this.#updateWants();
      }
    }
  }

  /** Text is asked for only where somebody takes it; of tags those in SVG and MathML, that are read, or that part a text that is taken. */
  #updateWants(): void {
    const { anchor, inNoscript } = this.elements;
    const hasVisible = this.#visible !== undefined;
    const isInText = anchor.isOpen || hasVisible;
    this.takesText = this.#templates.length === 0 && (anchor.isOpen || (hasVisible && !inNoscript));
    const traits = this.#foreign.active ? ANY_TAG : isInText ? READ | RAW_TEXT | BLOCK | TABLE_PART : READ | RAW_TEXT;
    this.startTraits = traits;
    this.endTraits = traits;
    if (!this.#alone) return;
    this.#scanner.wantsText = this.takesText;
    this.#scanner.wantedTraits = traits;
  }
}
