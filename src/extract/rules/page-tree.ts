import {
  type DefaultTreeAdapterMap,
  defaultTreeAdapter,
  parse,
  serialize,
  serializeOuter,
  type TreeAdapter,
} from 'parse5';

/** As deep as browsers nest elements; what is deeper becomes a sibling. */
const DEEPEST = 512;
/** More make a tree of hundreds of megabytes. */
const MOST_NODES = 300_000;
const MOST_CHARACTERS = 8 * 2 ** 20;

const HIDDEN = new Set(['script', 'style', 'noscript', 'template', 'head']);
/** Between their texts there is white space, whatever the markup. */
const BLOCKS = new Set(
  'address article aside blockquote br dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
);

/** A node of a page: what CSS selectors and XPath need to know of it. */
export interface PageNode {
  /** As in the DOM: 1 element, 2 attribute, 3 text, 8 comment, 9 document. */
  readonly nodeType: number;
  readonly nodeName: string;
  readonly parentNode: PageNode | null;
  readonly childNodes: PageNode[];
  /** Of texts and comments. */
  readonly data: string;
}

export interface PageElement extends PageNode {
  readonly localName: string;
  readonly attrs: readonly { readonly name: string; readonly value: string }[];
}

type Tree = DefaultTreeAdapterMap;

interface Built {
  nodeType: number;
  nodeName: string;
  parentNode: Built | null;
  childNodes: Built[];
  /** Place among its siblings. */
  at: number;
  depth: number;
}

/** The page is larger than rules are tried on. */
export class PageTooLarge extends Error {}

/** Builds the tree of the HTML standard. Throws `PageTooLarge`. */
export function buildTree(html: string): PageNode {
  if (html.length > MOST_CHARACTERS) throw new PageTooLarge(`it has more than ${MOST_CHARACTERS / 2 ** 20} MiB`);
  const document = parse(html, { treeAdapter: boundedAdapter(), scriptingEnabled: false }) as unknown as Built;
  finish(document);
  return document as unknown as PageNode;
}

export function isElement(node: PageNode): node is PageElement {
  return node.nodeType === 1;
}

export function attributeOf({ attrs }: PageElement, name: string): string | undefined {
  return attrs.find((attribute) => attribute.name === name)?.value;
}

export function siblingOf(node: PageNode, step: 1 | -1): PageNode | null {
  const { at } = node as unknown as Built;
  return node.parentNode?.childNodes[at + step] ?? null;
}

/** All elements below a node, in document order. */
export function* elementsBelow(node: PageNode): Generator<PageElement> {
  for (const one of nodesBelow(node)) if (isElement(one)) yield one;
}

/** The text of a node and of all below it, as in the DOM. */
export function textContent(node: PageNode): string {
  if (node.nodeType !== 1 && node.nodeType !== 9) return node.data;
  let text = '';
  for (const one of nodesBelow(node)) if (one.nodeType === 3) text += one.data;
  return text;
}

/** What a reader sees: without scripts and styles, with white space between blocks. */
export function visibleText(node: PageNode): string {
  if (node.nodeType !== 1 && node.nodeType !== 9) return node.data;
  const pieces: string[] = [];
  const stack: (PageNode | string)[] = [node];
  for (let one = stack.pop(); one !== undefined; one = stack.pop()) {
    if (typeof one === 'string') pieces.push(one);
    else if (one.nodeType === 3) pieces.push(one.data);
    else if (one === node || !isElement(one) || !HIDDEN.has(one.localName)) {
      const isBlock = isElement(one) && BLOCKS.has(one.localName);
      if (isBlock) {
        pieces.push('\n');
        stack.push('\n');
      }
      for (let at = one.childNodes.length - 1; at >= 0; at--) stack.push(one.childNodes[at]);
    }
  }
  return pieces.join('');
}

/** The markup of a node, as the standard writes it. */
export function markupOf(node: PageNode): string {
  return isElement(node)
    ? serializeOuter(node as unknown as Tree['element'])
    : node.nodeType === 9
      ? serialize(node as unknown as Tree['document'])
      : node.data;
}

function* nodesBelow(node: PageNode): Generator<PageNode> {
  const stack: PageNode[] = [];
  const push = ({ childNodes }: PageNode): void => {
    for (let at = childNodes.length - 1; at >= 0; at--) stack.push(childNodes[at]);
  };
  push(node);
  for (let one = stack.pop(); one !== undefined; one = stack.pop()) {
    yield one;
    push(one);
  }
}

/** Nodes with what the DOM says of them, no more than the bounds allow. */
function boundedAdapter(): TreeAdapter<Tree> {
  let count = 0;
  const node = (nodeType: number, nodeName: string, more: object): never => {
    if (++count > MOST_NODES) throw new PageTooLarge(`it has more than ${MOST_NODES} elements and texts`);
    return { nodeType, nodeName, parentNode: null, childNodes: [], at: 0, depth: 0, ...more } as never;
  };
  const text = (value: string): never => node(3, '#text', { value });
  const appendChild = (parent: Tree['parentNode'], child: Tree['node']): void => {
    let place = parent as unknown as Built;
    while (place.depth >= DEEPEST && place.parentNode !== null) place = place.parentNode;
    (child as unknown as Built).depth = place.depth + 1;
    defaultTreeAdapter.appendChild(place as never, child as never);
  };
  return {
    ...defaultTreeAdapter,
    createDocument: () => node(9, '#document', { mode: 'no-quirks' }),
    createDocumentFragment: () => node(11, '#document-fragment', {}),
    createElement: (tagName, namespaceURI, attrs) =>
      node(1, tagName, { tagName, localName: tagName, prefix: null, namespaceURI, attrs }),
    createCommentNode: (data) => node(8, '#comment', { data }),
    createTextNode: text,
    appendChild,
    insertText(parent, value) {
      const last = parent.childNodes.at(-1);
      if (last !== undefined && defaultTreeAdapter.isTextNode(last)) last.value += value;
      else defaultTreeAdapter.appendChild(parent, text(value));
    },
    insertTextBefore(parent, value, reference) {
      const before = parent.childNodes[parent.childNodes.indexOf(reference) - 1];
      if (before !== undefined && defaultTreeAdapter.isTextNode(before)) before.value += value;
      else defaultTreeAdapter.insertBefore(parent, text(value), reference);
    },
  };
}

/** What is asked often is looked up once: places among siblings, data of texts. Document types are no nodes of XPath. */
function finish(document: Built): void {
  document.childNodes = document.childNodes.filter(({ nodeName }) => nodeName !== '#documentType');
  const stack: Built[] = [document];
  for (let parent = stack.pop(); parent !== undefined; parent = stack.pop()) {
    for (const [at, child] of parent.childNodes.entries()) {
      child.at = at;
      const said = child as unknown as { value?: string; data?: string };
      if (child.nodeType === 3) said.data = said.value ?? '';
      else stack.push(child);
    }
  }
}
