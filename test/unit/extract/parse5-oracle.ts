import { type DefaultTreeAdapterTypes, parse } from 'parse5';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** What a full tree builder finds in a document; scripting is off, as for a crawler. */
export interface OracleFindings {
  readonly title: string;
  /** "kind reference", as written. */
  readonly references: Set<string>;
  readonly base: string | undefined;
}

const HTML = 'http://www.w3.org/1999/xhtml';
const SVG = 'http://www.w3.org/2000/svg';

export function oracle(html: string, scripting = false): OracleFindings {
  const references = new Set<string>();
  let base: string | undefined;
  let title: string | undefined;
  // A list instead of recursion: hostile documents are deep.
  const waiting: Node[] = [parse(html, { scriptingEnabled: scripting })];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if ('tagName' in node) {
      const reference = referenceOf(node);
      if (reference !== undefined) references.add(reference);
      if (isHtml(node, 'base')) base ??= attribute(node, 'href');
      if (isHtml(node, 'title'))
        title ??= node.childNodes.map((child) => ('value' in child ? child.value : '')).join('');
    }
    if ('childNodes' in node) waiting.push(...node.childNodes.toReversed());
  }
  return { references, base, title: (title ?? '').replace(/[\0-\x20\xa0]+/g, ' ').trim() };
}

function referenceOf(element: Element): string | undefined {
  const told = (kind: string, name: string): string | undefined => {
    const value = attribute(element, name);
    return value === undefined ? undefined : `${kind} ${value}`;
  };
  if (element.namespaceURI === SVG && element.tagName === 'a') return told('a', 'href');
  if (element.namespaceURI !== HTML) return undefined;
  switch (element.tagName) {
    case 'a':
    case 'area':
      return told(element.tagName, 'href');
    case 'frame':
    case 'iframe':
    case 'img':
      return told(element.tagName, 'src');
    case 'link':
      return (attribute(element, 'rel') ?? '').trim() === '' ? undefined : told('link', 'href');
    case 'form': {
      const method = attribute(element, 'method')?.toLowerCase();
      return method === 'post' || method === 'dialog' ? undefined : told('form', 'action');
    }
    default:
      return undefined;
  }
}

function isHtml(element: Element, name: string): boolean {
  return element.namespaceURI === HTML && element.tagName === name;
}

function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((candidate) => candidate.name === name)?.value;
}
