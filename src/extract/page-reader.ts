import type { ByteSource } from './byte-text.ts';
import { CollapsedText } from './collapsed-text.ts';
import { ElementReader } from './element-reader.ts';
import { BLOCK, RAW_TEXT, READ, TABLE_PART } from './element-traits.ts';
import type { ExtractOptions } from './extract-options.ts';
import { ForeignContent } from './foreign-content.ts';
import { HtmlScanner } from './html-scanner.ts';

/**
 * Leads the tags and texts of one document to those who read them, in one pass. It knows where markup is no markup
 * (raw text, templates, foreign content) and who wants the text at hand.
 */
export class PageReader {
  readonly elements: ElementReader;
  readonly #scanner: HtmlScanner;
  readonly #foreign = new ForeignContent();
  readonly #visible: CollapsedText | undefined;
  readonly #scripting: boolean;
  readonly #xhtml: boolean;
  /** Depth of foreign content at each open `<template>`: its content is inert, no part of the page. */
  readonly #templates: number[] = [];

  constructor(source: ByteSource, options: ExtractOptions) {
    this.#scanner = new HtmlScanner(source);
    this.elements = new ElementReader(this.#scanner, options);
    this.#visible = options.text === true ? new CollapsedText(16_384) : undefined;
    this.#scripting = options.scripting === true;
    this.#xhtml = options.xhtml === true;
    this.#updateForeign();
    this.#updateWants();
  }

  /** Answers the visible text, where it was asked for. */
  read(): string {
    const scanner = this.#scanner;
    for (;;) {
      switch (scanner.next()) {
        case 'start-tag':
          this.#readStartTag();
          break;
        case 'end-tag':
          this.#readEndTag();
          break;
        case 'text':
          this.#readText();
          break;
        default:
          this.elements.anchor.close();
          return this.#visible?.take() ?? '';
      }
    }
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

  #readStartTag(): void {
    const scanner = this.#scanner;
    const { name, traits } = scanner;
    if (this.#foreign.active || name === 'svg' || name === 'math') {
      const namespace = this.#foreign.start(scanner);
      this.#updateForeign();
      if (namespace !== 'html') {
        if (name === 'a' && namespace === 'svg' && this.#templates.length === 0) this.elements.readForeignAnchor();
        this.#updateWants();
        return;
      }
    }
    if (traits === 0) return;
    this.#breakText(true);
    if ((traits & READ) === 0) return;
    if (this.#templates.length === 0) this.elements.read();
    if (this.#xhtml && scanner.selfClosing) this.elements.readEnd();
    else if ((traits & RAW_TEXT) !== 0 || (this.#scripting && name === 'noscript')) this.#readRawText();
    else if (name === 'template') this.#templates.push(this.#foreign.depth);
    this.#updateWants();
  }

  #readEndTag(): void {
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

  #updateForeign(): void {
    this.#scanner.foreign = this.#xhtml || this.#foreign.namespace !== 'html';
  }

  #leaveTemplate(): void {
    const depth = this.#templates.pop();
    if (depth === undefined) return;
    this.#foreign.cut(depth);
    this.#updateForeign();
  }

  /** Raw text is the title, or visible in a box of its own, or nothing to a reader. */
  #readRawText(): void {
    const scanner = this.#scanner;
    const { name } = scanner;
    scanner.readRawText(name);
    if (this.#templates.length > 0) return;
    if (name === 'title') this.elements.readTitle();
    else if (name === 'style') this.elements.readStyleSheet();
    else if ((name === 'textarea' || name === 'xmp' || name === 'plaintext') && scanner.wantsText) this.#readText();
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

  /** Text is asked for only where somebody takes it. */
  #updateWants(): void {
    const { anchor, inNoscript } = this.elements;
    this.#scanner.wantsText =
      this.#templates.length === 0 && (anchor.isOpen || (this.#visible !== undefined && !inNoscript));
  }
}
