import { _compileUnsafe, type Options, selectAll } from 'css-select';
import { attributeOf, isElement, type PageElement, type PageNode, siblingOf, textContent } from './page-tree.ts';

/** How css-select walks our tree. */
const ADAPTER: NonNullable<Options<PageNode, PageElement>['adapter']> = {
  isTag: isElement,
  getAttributeValue: attributeOf,
  getChildren: ({ childNodes }) => childNodes,
  getName: ({ localName }) => localName,
  getParent: ({ parentNode }) => parentNode,
  getSiblings: (node) => node.parentNode?.childNodes ?? [node],
  prevElementSibling(node) {
    let before = siblingOf(node, -1);
    while (before !== null && !isElement(before)) before = siblingOf(before, -1);
    return before;
  },
  getText: textContent,
  hasAttrib: (element, name) => attributeOf(element, name) !== undefined,
  removeSubsets: (nodes) => nodes.filter((node) => !nodes.some((other) => other !== node && isWithin(node, other))),
};

/** Without a cache nothing of one page stays for the next. */
const OPTIONS = { adapter: ADAPTER, cacheResults: false };

/** Selectors that speak of the place they begin at are compiled for each place. */
const RELATIVE = /:scope|(?:^|,)\s*[>+~]/;

/** A CSS selector, checked: what it selects below a node, in document order, as querySelectorAll does. Throws where it is none. */
export function compileCss(selector: string): (from: PageNode) => readonly PageElement[] {
  const compiled = _compileUnsafe<PageNode, PageElement>(selector, OPTIONS);
  if (!RELATIVE.test(selector)) return (from) => selectAll<PageNode, PageElement>(compiled, from, OPTIONS);
  return (from) => selectAll<PageNode, PageElement>(selector, from, { ...OPTIONS, context: from });
}

function isWithin(node: PageNode, other: PageNode): boolean {
  for (let at = node.parentNode; at !== null; at = at.parentNode) if (at === other) return true;
  return false;
}
