import { XmlTokenizer } from '../../base/xml/xml-tokenizer.ts';
import { noAttributes, readAttributes, type XmlAttributes } from './xml-attributes.ts';
import type { XmlLimits } from './xml-limits.ts';
import { decodeXmlReferences } from './xml-references.ts';

export interface XmlName {
  /** As written: `dc:title`. */
  readonly qualified: string;
  /** `dc`, or '' where there is none. */
  readonly prefix: string;
  /** `title` */
  readonly local: string;
  /** What the prefix was declared to mean; '' where it was not. */
  readonly namespace: string;
}

/** Elements as they open and close. Every `open` has its `close`, in the right order, whatever the document does. */
export interface XmlHandler {
  open(name: XmlName, attributes: XmlAttributes): void;
  /** References are replaced. The text of one element may come in several pieces. */
  text(text: string): void;
  close(name: XmlName): void;
}

type Namespaces = ReadonlyMap<string, string>;

const noNamespaces: Namespaces = new Map([['xml', 'http://www.w3.org/XML/1998/namespace']]);
/** Declarations in force at one place: each element that adds to them copies them. */
const mostNamespaces = 64;
const controls = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;

/** Reads XML as a tree of elements, piece by piece, and tells what is wrong with it without minding it. */
export class XmlReader {
  readonly #handler: XmlHandler;
  readonly #limits: XmlLimits;
  readonly #tokenizer: XmlTokenizer;
  readonly #open: XmlName[] = [];
  /** The namespaces outside of each open element that declares some of its own. */
  readonly #outer: (Namespaces | undefined)[] = [];
  #namespaces: Namespaces = noNamespaces;
  /** Names by how they are written, as long as the namespaces stay the same. */
  #names = new Map<string, XmlName>();
  /** Open elements past the depth limit. */
  #passedOver = 0;
  #seenAnything = false;
  #roots = 0;
  #fault: string | undefined;
  #doctype: string | undefined;
  #unknownEntities = 0;

  constructor(handler: XmlHandler, limits: XmlLimits) {
    this.#handler = handler;
    this.#limits = limits;
    this.#tokenizer = new XmlTokenizer(this, limits);
  }

  push(chunk: string): void {
    if (this.#fault === undefined && controls.test(chunk)) this.fault('a control character');
    this.#tokenizer.push(chunk);
  }

  /** The document is over: what is still open closes. A text that was cut off is dropped: half an address is worse than none. */
  end(): void {
    this.#tokenizer.end();
    if (this.#roots === 0) this.fault('no element at all');
    if (this.#open.length > 0) this.fault(`<${this.#open[this.#open.length - 1].qualified}> is never closed`);
    this.#passedOver = 0;
    while (this.#open.length > 0) this.#close();
  }

  /** The first rule of XML that the document broke; undefined while it is well-formed. */
  get brokenRule(): string | undefined {
    return this.#fault;
  }

  /** The document type declaration as written, or undefined. */
  get doctype(): string | undefined {
    return this.#doctype;
  }

  /** References left as they were written because only a DTD could tell their meaning, and DTDs are not obeyed. */
  get unknownEntities(): number {
    return this.#unknownEntities;
  }

  startTag(written: string, raw: string, empty: boolean): void {
    this.#seenAnything = true;
    if (this.#open.length === 0 && ++this.#roots === 2) this.fault('more than one root element');
    if (this.#passedOver > 0 || this.#open.length >= this.#limits.maxDepth) {
      this.fault('elements past the depth limit');
      if (!empty) this.#passedOver++;
      return;
    }
    let attributes = noAttributes;
    let outer: Namespaces | undefined;
    if (raw !== '') {
      attributes = readAttributes(raw, this);
      if (raw.includes('xmlns')) outer = this.#declare(attributes);
      for (let index = 0; index < attributes.length; index += 2) this.#checkPrefix(attributes[index]);
    }
    const name = this.#nameOf(written);
    this.#open.push(name);
    this.#outer.push(outer);
    this.#handler.open(name, attributes);
    if (empty) this.#close();
  }

  endTag(written: string): void {
    if (this.#passedOver > 0) {
      this.#passedOver--;
      return;
    }
    const open = this.#open;
    let index = open.length - 1;
    if (index < 0 || open[index].qualified !== written) {
      if (this.#fault === undefined) this.fault(`</${written.slice(0, 80)}> closes nothing that is open`);
      while (index >= 0 && open[index].qualified !== written) index--;
      if (index < 0) return;
    }
    while (open.length > index) this.#close();
  }

  text(text: string, cdata: boolean): void {
    if (this.#open.length === 0) {
      if (/[^\t\n\r ]/.test(text)) this.fault('text outside of the root element');
      if (text !== '\ufeff') this.#seenAnything = true;
      return;
    }
    if (this.#passedOver > 0) return;
    this.#handler.text(cdata ? text : decodeXmlReferences(text, this));
  }

  declaration(text: string): void {
    this.#seenAnything = true;
    this.#doctype ??= text;
  }

  comment(): void {
    this.#seenAnything = true;
  }

  instruction(target: string): void {
    if (target.toLowerCase() === 'xml' && this.#seenAnything) this.fault('an XML declaration that is not at the start');
    this.#seenAnything = true;
  }

  htmlEntity(name: string): void {
    if (this.#doctype === undefined) this.fault(`&${name}; is not defined`);
  }

  unknownEntity(name: string): void {
    this.#unknownEntities++;
    if (this.#doctype === undefined) this.fault(`&${name}; is not defined`);
  }

  fault(what: string): void {
    this.#fault ??= what;
  }

  #close(): void {
    const name = this.#open.pop()!;
    const outer = this.#outer.pop();
    this.#handler.close(name);
    if (outer !== undefined) {
      this.#namespaces = outer;
      this.#names = new Map();
    }
  }

  /** Takes up the namespaces an element declares; answers those outside of it. */
  #declare(attributes: XmlAttributes): Namespaces | undefined {
    const outer = this.#namespaces;
    let inner: Map<string, string> | undefined;
    for (let index = 0; index < attributes.length; index += 2) {
      const name = attributes[index];
      if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue;
      inner ??= new Map(outer);
      if (inner.size < mostNamespaces) inner.set(name === 'xmlns' ? '' : name.slice(6), attributes[index + 1].trim());
    }
    if (inner === undefined) return undefined;
    this.#namespaces = inner;
    this.#names = new Map();
    return outer;
  }

  #nameOf(written: string): XmlName {
    const known = this.#names.get(written);
    if (known !== undefined) return known;
    const colon = written.indexOf(':');
    const prefix = colon === -1 ? '' : written.slice(0, colon);
    const namespace = this.#namespaces.get(prefix);
    if (namespace === undefined && prefix !== '') this.fault(`the prefix ${prefix} is not declared`);
    const name = { qualified: written, prefix, local: written.slice(colon + 1), namespace: namespace ?? '' };
    // Bounded, since a hostile document may have no name twice.
    if (this.#names.size < 1_000) this.#names.set(written, name);
    return name;
  }

  #checkPrefix(attribute: string): void {
    const colon = attribute.indexOf(':');
    if (colon === -1) return;
    const prefix = attribute.slice(0, colon);
    if (prefix !== 'xmlns' && !this.#namespaces.has(prefix)) this.fault(`the prefix ${prefix} is not declared`);
  }
}
