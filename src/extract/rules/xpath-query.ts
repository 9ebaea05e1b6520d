import { createRequire } from 'node:module';
import { attributeOf, buildTree, isElement, type PageElement, type PageNode, siblingOf } from './page-tree.ts';

/** An attribute as XPath sees it: a node of its own. */
interface AttributeNode extends PageNode {
  readonly name: string;
  readonly value: string;
}

/** What an expression gives: nodes, or values such as those of count() and string(). */
export type XPathResult = PageNode | string;

/** Checks an expression: the values that it gives from a node. Throws where it is none. */
export function compileXPath(expression: string): (from: PageNode) => XPathResult[] {
  const evaluate = (from: PageNode): XPathResult[] => {
    const results = evaluateXPath(expression, from, new TreeFacade(), null, evaluateXPath.ALL_RESULTS_TYPE, {
      language: evaluateXPath.XPATH_3_1_LANGUAGE,
      // Names without a prefix mean elements of HTML, as in browsers.
      namespaceResolver: (prefix: string) => (prefix === '' ? HTML : null),
    });
    return results.flatMap(resultOf);
  };
  // Faults of syntax, unknown functions and the like show on an empty page, too; what depends on a page does not count.
  try {
    evaluate(buildTree(''));
  } catch (error) {
    if (error instanceof Error && /XPST|XQST|Parse|parse|Unable|No such|could not/i.test(error.message)) throw error;
  }
  return evaluate;
}

/** What we use of fontoxpath. Its own types would bring those of a browser into every file. */
interface FontoXPath {
  readonly evaluateXPath: {
    (
      expression: string,
      from: PageNode,
      facade: TreeFacade,
      variables: null,
      returnType: number,
      options: object,
    ): unknown[];
    readonly ALL_RESULTS_TYPE: number;
    readonly XPATH_3_1_LANGUAGE: string;
  };
}

const { evaluateXPath } = createRequire(import.meta.url)('fontoxpath') as FontoXPath;
const HTML = 'http://www.w3.org/1999/xhtml';

export function isAttribute(node: PageNode): node is AttributeNode {
  return node.nodeType === 2;
}

function resultOf(result: unknown): XPathResult[] {
  if (result === null || result === undefined) return [];
  if (typeof result === 'object') {
    if ('nodeType' in result) return [result as PageNode];
    if (result instanceof Date) return [result.toISOString()];
    return Array.isArray(result) ? result.flatMap(resultOf) : [JSON.stringify(result)];
  }
  return [String(result)];
}

/** How fontoxpath walks our tree. The same attribute is the same node, as long as one expression is evaluated. */
class TreeFacade {
  readonly #attributes = new Map<PageElement, AttributeNode[]>();

  getAllAttributes(element: PageElement): AttributeNode[] {
    let attributes = this.#attributes.get(element);
    if (attributes === undefined) {
      attributes = element.attrs.map((attribute) => attributeNode(element, attribute));
      this.#attributes.set(element, attributes);
    }
    return attributes;
  }

  getAttribute(element: PageElement, name: string): string | null {
    return attributeOf(element, name) ?? null;
  }

  getChildNodes({ childNodes }: PageNode): PageNode[] {
    return childNodes;
  }

  getData(node: PageNode): string {
    return isAttribute(node) ? node.value : node.data;
  }

  getFirstChild({ childNodes }: PageNode): PageNode | null {
    return childNodes[0] ?? null;
  }

  getLastChild({ childNodes }: PageNode): PageNode | null {
    return childNodes.at(-1) ?? null;
  }

  getNextSibling(node: PageNode): PageNode | null {
    return siblingOf(node, 1);
  }

  getPreviousSibling(node: PageNode): PageNode | null {
    return siblingOf(node, -1);
  }

  getParentNode({ parentNode }: PageNode): PageNode | null {
    return parentNode;
  }
}

function attributeNode(parent: PageElement, { name, value }: { name: string; value: string }): AttributeNode {
  return {
    nodeType: 2,
    nodeName: name,
    parentNode: parent,
    childNodes: [],
    data: value,
    ...{ name, value, localName: name, prefix: null, namespaceURI: null },
  } as AttributeNode;
}

/** Elements among results; `each` needs them. */
export function elementsOf(results: readonly XPathResult[]): PageElement[] {
  return results.filter((result): result is PageElement => typeof result !== 'string' && isElement(result));
}
