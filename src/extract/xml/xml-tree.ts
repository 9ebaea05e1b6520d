import type { XmlAttributes } from './xml-attributes.ts';
import type { XmlLimits } from './xml-limits.ts';
import { type XmlHandler, type XmlName, XmlReader } from './xml-reader.ts';

export interface XmlNode {
  readonly name: XmlName;
  readonly attributes: XmlAttributes;
  /** Elements and texts in their order. */
  readonly children: readonly (XmlNode | string)[];
}

export interface XmlTree {
  /** Absent where the document has no element. */
  readonly root?: XmlNode;
  /** The first rule of XML that was broken. */
  readonly brokenRule?: string;
  readonly doctype?: string;
  /** References to entities of a DTD; they stand in the texts as written. */
  readonly unknownEntities: number;
  /** There were more elements than allowed; the later ones are left out. */
  readonly cut: boolean;
}

/** Reads a document as a tree. For documents that are small by nature; the large ones are read with `XmlReader`. */
export function readXmlTree(text: string, limits: XmlLimits, maxNodes: number): XmlTree {
  const builder = new TreeBuilder(maxNodes);
  const reader = new XmlReader(builder, limits);
  reader.push(text);
  reader.end();
  return {
    root: builder.root,
    brokenRule: reader.brokenRule,
    doctype: reader.doctype,
    unknownEntities: reader.unknownEntities,
    cut: builder.cut,
  };
}

interface GrowingNode extends XmlNode {
  readonly children: (XmlNode | string)[];
}

class TreeBuilder implements XmlHandler {
  root: XmlNode | undefined;
  cut = false;
  readonly #open: GrowingNode[] = [];
  #left: number;

  constructor(maxNodes: number) {
    this.#left = maxNodes;
  }

  open(name: XmlName, attributes: XmlAttributes): void {
    const node: GrowingNode = { name, attributes, children: [] };
    const parent = this.#open.at(-1);
    this.#open.push(node);
    if (this.#left-- <= 0) this.cut = true;
    else if (parent !== undefined) parent.children.push(node);
    else this.root ??= node;
  }

  text(text: string): void {
    if (this.#left-- > 0) this.#open.at(-1)?.children.push(text);
    else this.cut = true;
  }

  close(): void {
    this.#open.pop();
  }
}
